package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.run.ReplayPart.Function;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplayerTest {
  private static final double EVENTS_US = 6.5;

  /** Two events take some time, kernels theirs, and there is a gap between two kernels. */
  private static final class FakeGpus implements ReplayGpus {
    private final Map<String, Double> kernelUs =
        Map.of("large", 214.0, "small", 5.0, "events", 4.0);
    private final List<String> made = new ArrayList<>();
    private int enoughHolds;
    private int mostHolds;

    @Override
    public Timing time(ReplayCall call, int times, int holds) {
      if (times == 1 && !call.name().equals("events")) {
        made.add(call.name());
      }
      mostHolds = Math.max(mostHolds, holds);
      double us =
          EVENTS_US + times * kernelUs.get(call.name()) + (times - 1) * Replayer.BETWEEN_KERNELS_US;
      return new Timing(us, holds >= enoughHolds);
    }

    @Override
    public void rest(double us) {
      made.add("rest " + us);
    }
  }

  private final FakeGpus gpus = new FakeGpus();

  private static ReplayCall call(String name) {
    ReplayPart part =
        new ReplayPart(Function.ALL_GATHER, 1000, DataType.BFLOAT16, ReductionOperator.SUM, 0, 24);
    return new ReplayCall(name, 0, Collections.nCopies(2, List.of(part)));
  }

  private static ReplayPlan plan(int rounds, double gapUs) {
    return new ReplayPlan(
        2,
        List.of(List.of(0, 1)),
        List.of(call("large"), call("small")),
        List.of(
            new ReplayPlan.Step(0, 0), new ReplayPlan.Step(1, gapUs), new ReplayPlan.Step(1, 0)),
        rounds);
  }

  private List<ReplayedCall> run(ReplayPlan plan) {
    return new Replayer(plan, gpus, step -> {}).run();
  }

  @Test
  void whatEventsAddIsTakenOff() {
    List<ReplayedCall> replayed = run(plan(3, 0));
    assertEquals(214, replayed.get(0).medianUs(), 1e-9);
    assertEquals(5, replayed.get(1).medianUs(), 1e-9);
    assertFalse(replayed.get(0).hasLaunches());
  }

  @Test
  void roundsHaveTheOrderOfTheJob() {
    List<ReplayedCall> replayed = run(plan(2, 40));
    List<String> round = List.of("large", "rest 40.0", "small", "small");
    List<String> expected = new ArrayList<>(List.of("large", "small"));
    Collections.nCopies(3, round).forEach(expected::addAll);
    assertEquals(expected, gpus.made, "first calls, a warm-up and two rounds");
    assertEquals(2, replayed.get(0).timesUs().size());
    assertEquals(4, replayed.get(1).timesUs().size());
  }

  @Test
  void gpusGetMoreToDoUntilAllIsQueued() {
    gpus.enoughHolds = 30;
    assertFalse(run(plan(1, 0)).get(1).hasLaunches());
    assertEquals(32, gpus.mostHolds);
  }

  @Test
  void timesWithLaunchesAreMarked() {
    gpus.enoughHolds = Integer.MAX_VALUE;
    assertTrue(run(plan(1, 0)).get(1).hasLaunches());
  }

  @Test
  void aGatherNeedsRoomForThePartsOfAllRanks() {
    assertEquals(24 + 2 * 1000 * 2, plan(1, 0).bufferBytes());
  }

  @Test
  void aPlanWithoutARoundIsRefused() {
    assertEquals(
        "rounds 0: expected at least 1",
        assertThrows(IllegalArgumentException.class, () -> plan(0, 0)).getMessage());
  }
}
