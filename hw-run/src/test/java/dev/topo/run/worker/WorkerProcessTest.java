package dev.topo.run.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.run.bench.RunFailure.Reason;
import dev.topo.run.call.RunCollective;
import dev.topo.run.call.SizeSweep;
import dev.topo.run.fixture.PretendWorker;
import dev.topo.run.fixture.Requests;
import dev.topo.run.job.MemoryUse;
import dev.topo.run.job.ProcessPlacement;
import dev.topo.run.worker.RunEvent.Failed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkerProcessTest {
  private static final long NO_GRACE_MS = 500;

  /** Ends what hangs; within it a JVM starts on a busy machine, too. */
  private static final int TIME_LIMIT_S = 2;

  private static final int NO_TIME_LIMIT_S = 60;

  private final List<RunEvent> events = new ArrayList<>();
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());

  private boolean run(String how) {
    return run(how, NO_TIME_LIMIT_S);
  }

  private boolean run(String how, int timeLimitSeconds) {
    WorkerCommand usual = WorkerCommand.ofThisProcess(Map.of("PRETEND", how), List.of());
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
                Requests.of(RunCollective.ALL_REDUCE, new SizeSweep(8, 8, 0, 2)), timeLimitSeconds),
            ProcessPlacement.ALONE,
            NO_GRACE_MS)
        .run(events::add, log::add);
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
    assertFalse(run("stops", TIME_LIMIT_S));
    Failed failed = (Failed) last();
    assertEquals(Reason.STALLED, failed.reason());
    assertTrue(
        failed
            .message()
            .matches(
                "process 0 gave no sign of life for \\d s in all_reduce of 8 B \\(stopped\\?\\) and was killed"),
        failed.message());
    assertEquals(
        0,
        ProcessHandle.current().children().filter(ProcessHandle::isAlive).count(),
        "nothing is left running");
  }

  @Test
  void aProcessThatWaitsForOthersIsKilledAtTheTimeLimit() {
    assertFalse(run("waits", TIME_LIMIT_S));
    Failed failed = (Failed) last();
    assertEquals(Reason.STALLED, failed.reason());
    assertTrue(
        failed
            .message()
            .matches("process 0 waited \\d s for the other ranks to join and was killed"),
        failed.message());
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
                NO_GRACE_MS)
            .run(events::add, log::add);
    assertFalse(ended);
    assertTrue(((Failed) last()).message().startsWith("the worker cannot be started: "));
  }
}
