package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.PretendWorker;
import dev.topo.hw.fixture.Requests;
import dev.topo.hw.javacpp.WorkerMain;
import dev.topo.hw.run.RunEvent.Failed;
import dev.topo.hw.run.RunFailure.Reason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerProcessTest {
  private static final int TIME_LIMIT_S = 60;

  private final List<RunEvent> events = new ArrayList<>();
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final List<String> pids = Collections.synchronizedList(new ArrayList<>());

  private boolean run(String how) {
    return run(how, PretendTime.standing());
  }

  private boolean run(String how, WorkerTime time) {
    WorkerCommand usual =
        WorkerCommand.ofThisProcess(WorkerMain.class, Map.of("PRETEND", how), List.of());
    WorkerCommand command =
        new WorkerCommand(
            usual.java(),
            usual.options(),
            System.getProperty("java.class.path"),
            PretendWorker.class.getName(),
            usual.environment());
    return new WorkerProcess(
            command,
            Requests.withTimeLimit(
                Requests.of(RunCollective.ALL_REDUCE, new SizeSweep(8, 8, 0, 2)), TIME_LIMIT_S),
            ProcessPlacement.ALONE,
            time)
        .run(events::add, line -> (line.startsWith(PretendWorker.PID) ? pids : log).add(line));
  }

  private void assertNothingIsLeftRunning() {
    assertEquals(1, pids.size());
    long pid = Long.parseLong(pids.get(0).substring(PretendWorker.PID.length()));
    assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false), pids.get(0));
  }

  private RunEvent last() {
    return events.get(events.size() - 1);
  }

  @Test
  void aRunThatEndsIsHeard() {
    assertTrue(run("ends"));
    assertEquals(
        List.of(new RunEvent.Step("all_reduce of 8 B"), new RunEvent.Ended(new MemoryUse(1, 2, 3))),
        events);
  }

  @Test
  void aFailureIsPassedOn() {
    assertFalse(run("fails"));
    assertEquals(new Failed(Reason.NATIVE, "ncclAllReduce: no"), last());
  }

  @Test
  void whatLibrariesPrintIsNoEvent() {
    assertTrue(run("prints"));
    assertEquals(2, events.size());
    assertTrue(log.contains("host:1:1 [0] NCCL INFO Bootstrap"), log.toString());
    assertTrue(log.contains("@topo not JSON"), log.toString());
  }

  @Test
  void aCrashIsAMessageWithTheLibrary() {
    assertFalse(run("crashes"));
    assertEquals(
        new Failed(
            Reason.CRASHED,
            "process 0 ended with signal 6 while all_reduce of 8 B: SIGSEGV in C "
                + " [libnccl.so.2+0x1234]  ncclCommInitRank+0x10"),
        last());
    assertEquals(List.of(), log, "the report of the JVM is not shown");
  }

  @Test
  void aProcessThatLeavesWithoutAWordHasFailed() {
    assertFalse(run("leaves"));
    assertEquals(
        new Failed(Reason.CRASHED, "process 0 ended with exit status 3 while all_reduce of 8 B"),
        last());
  }

  @Test
  void aStoppedProcessIsKilledAtTheTimeLimit() {
    assertFalse(run("stops", PretendTime.inVainAfter("Step")));
    Failed failed = (Failed) last();
    assertEquals(Reason.STALLED, failed.reason());
    assertEquals(
        "process 0 gave no sign of life for 55 s in all_reduce of 8 B (stopped?) and was killed",
        failed.message());
    assertNothingIsLeftRunning();
  }

  @Test
  void aProcessThatWaitsForOthersIsKilledAtTheTimeLimit() {
    assertFalse(run("waits", PretendTime.perLine()));
    Failed failed = (Failed) last();
    assertEquals(Reason.STALLED, failed.reason());
    assertEquals(
        "process 0 waited 66 s for the other ranks to join and was killed", failed.message());
    assertNothingIsLeftRunning();
  }

  @Test
  void aProcessThatStaysAfterItsLastWordIsKilled() {
    assertTrue(run("lingers", PretendTime.inVainAfter("Ended")));
    assertNothingIsLeftRunning();
  }

  @Test
  void aJvmThatIsNotThereIsSaid() {
    WorkerCommand command =
        new WorkerCommand(Path.of("no", "java"), List.of(), "", "none", Map.of());
    boolean ended =
        new WorkerProcess(
                command,
                Requests.of(RunCollective.ALL_REDUCE, new SizeSweep(8, 8, 0, 2)),
                ProcessPlacement.ALONE,
                PretendTime.standing())
            .run(events::add, log::add);
    assertFalse(ended);
    assertTrue(((Failed) last()).message().startsWith("the worker cannot be started: "));
  }
}
