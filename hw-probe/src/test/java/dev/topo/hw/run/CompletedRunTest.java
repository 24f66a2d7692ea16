package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.hw.run.RunFailure.Reason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What workers report, of runs that come to their end and of those that do not. */
class CompletedRunTest {
  private static final RunEvent.Started STARTED =
      new RunEvent.Started(22809, "libnccl.so.2", List.of(), List.of(), 1 << 20);

  private static CompletedRun run(List<String> steps, RunEvent... events) {
    return CompletedRun.of(
        receiver -> {
          for (RunEvent event : events) {
            receiver.accept(event);
          }
        },
        steps::add);
  }

  @Test
  void keepsWhatWorkersReportAndPassesStepsOn() {
    List<String> steps = new ArrayList<>();
    ReplayedCall call = new ReplayedCall(0, List.of(10.0), false);
    MemoryUse memory = new MemoryUse(1, 2, 3);
    CompletedRun run =
        run(
            steps,
            new RunEvent.Step("joining"),
            STARTED,
            new RunEvent.Step("measuring"),
            new RunEvent.Replayed(List.of(call)),
            new RunEvent.Ended(memory));
    assertEquals(List.of("joining", "measuring"), steps);
    assertEquals(STARTED, run.started());
    assertEquals(List.of(call), run.replayed());
    assertEquals(List.of(), run.rows());
    assertEquals(memory, run.memory());
  }

  @Test
  void memoryIsNoneWhereWorkersReportNone() {
    assertEquals(new MemoryUse(0, 0, 0), run(new ArrayList<>(), STARTED).memory());
  }

  @Test
  void failureOfAWorkerIsThrownWithItsReason() {
    RunFailure failure =
        assertThrows(
            RunFailure.class,
            () ->
                run(
                    new ArrayList<>(),
                    STARTED,
                    new RunEvent.Failed(Reason.STALLED, "rank 1 waited 5 s")));
    assertEquals(Reason.STALLED, failure.reason());
    assertEquals("rank 1 waited 5 s", failure.getMessage());
  }
}
