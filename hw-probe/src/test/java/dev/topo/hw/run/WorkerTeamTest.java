package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.PretendWorker;
import dev.topo.hw.fixture.Requests;
import dev.topo.hw.javacpp.WorkerMain;
import dev.topo.hw.run.RunFailure.Reason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerTeamTest {
  private final List<RunEvent> events = new ArrayList<>();
  private final List<String> pids = Collections.synchronizedList(new ArrayList<>());

  private boolean run(String first, String second) {
    return new WorkerTeam(List.of(worker(0, first), worker(1, second))).run(events::add, pids::add);
  }

  private static WorkerProcess worker(int index, String how) {
    WorkerCommand usual =
        WorkerCommand.ofThisProcess(WorkerMain.class, Map.of("PRETEND", how), List.of());
    return new WorkerProcess(
        new WorkerCommand(
            usual.java(),
            usual.options(),
            System.getProperty("java.class.path"),
            PretendWorker.class.getName(),
            usual.environment()),
        Requests.withTimeLimit(
            Requests.of(RunCollective.ALL_REDUCE, new SizeSweep(8, 8, 0, 2)), 60),
        new ProcessPlacement(index, 2, index, "host", "", Optional.empty(), Optional.empty()),
        PretendTime.standing());
  }

  @Test
  void theEventsAreThoseOfTheFirst() {
    assertTrue(run("ends", "ends"));
    assertEquals(
        List.of(new RunEvent.Step("all_reduce of 8 B"), new RunEvent.Ended(new MemoryUse(1, 2, 3))),
        events);
  }

  /** Time stands still, so that the one that waits for another rank does not reach its limit. */
  @Test
  void whereOneFailsTheOthersAreEnded() {
    assertFalse(run("hears nothing", "fails"));
    assertEquals(
        new RunEvent.Failed(Reason.NATIVE, "ncclAllReduce: no"), events.get(events.size() - 1));
    for (String pid : pids) {
      long number = Long.parseLong(pid.substring(PretendWorker.PID.length()));
      assertFalse(ProcessHandle.of(number).map(ProcessHandle::isAlive).orElse(false), pid);
    }
  }
}
