package dev.topo.hw.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunFailure;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.CallAdvice.Candidate;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.Setup;
import dev.topo.simulator.evaluate.Prediction.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrialTest {
  private static final Setup PLAIN = Setup.of(Buffers.PLAIN);
  private static final Setup WINDOWS = Setup.of(Buffers.SYMMETRIC).with(Setup.CHANNELS, 32);

  private final List<TrialRun> runs = new ArrayList<>();

  private static Alternative variant(Collective collective, long bytes, Setup setup, double us) {
    return new Alternative(
        Call.of(collective, bytes),
        setup,
        Optional.empty(),
        Optional.of(Algorithm.RING),
        Optional.of(Protocol.SIMPLE),
        Optional.empty(),
        24,
        24,
        us,
        Optional.empty(),
        Source.CALIBRATION);
  }

  private static CallAdvice advised(Collective collective, long bytes) {
    return new CallAdvice(
        variant(collective, bytes, PLAIN, 100),
        variant(collective, bytes, WINDOWS, 50),
        Gain.of(2, 0.1),
        Optional.empty());
  }

  /** Replays times: with windows those of AllGather are halved, those of AllReduce are not. */
  private List<TrialRunner.Time> replay(TrialRun run) {
    runs.add(run);
    List<TrialRunner.Time> times = new ArrayList<>();
    for (RunCollective one : run.operations()) {
      boolean isFaster =
          run.setup().buffers() == Buffers.SYMMETRIC && one == RunCollective.ALL_GATHER;
      for (long bytes : run.sizes().sizes()) {
        times.add(
            new TrialRunner.Time(one.label(), bytes, (isFaster ? 50 : 100) + runs.size() % 3));
      }
    }
    return times;
  }

  @Test
  void processesTakeTurnsAndMeasureWhatIsAdvised() {
    List<CallAdvice> calls =
        List.of(
            advised(Collective.ALL_GATHER, 1 << 20),
            advised(Collective.ALL_GATHER, 4 << 20),
            advised(Collective.ALL_REDUCE, 4 << 20));
    List<String> steps = new ArrayList<>();
    List<TriedCall> tried = new Trial(calls, this::replay).run(steps::add);
    assertEquals(
        List.of(PLAIN, WINDOWS, PLAIN, WINDOWS, PLAIN, WINDOWS),
        runs.stream().map(TrialRun::setup).toList());
    assertEquals(List.of(1L << 20, 4L << 20), runs.get(0).sizes().sizes());
    assertEquals("round 1 of 3, process 1 of 2", steps.get(0));
    assertEquals(3, tried.size());
    assertTrue(tried.get(0).held() && tried.get(1).held());
    assertEquals(2, tried.get(0).ratio(), 0.05);
    assertFalse(tried.get(2).held(), tried.get(2).toString());
  }

  @Test
  void aCandidateIsTriedAndWhatNothingIsKnownOfIsNot() {
    Alternative now = variant(Collective.ALL_GATHER, 1 << 20, PLAIN, 100);
    Alternative way = variant(Collective.ALL_GATHER, 1 << 20, WINDOWS, 90);
    CallAdvice candidate =
        new CallAdvice(now, now, Gain.NONE, Optional.of(new Candidate(way, Optional.empty())));
    CallAdvice none = new CallAdvice(now, now, Gain.NONE, Optional.empty());
    List<TriedCall> tried = new Trial(List.of(none, candidate), this::replay).run(step -> {});
    assertEquals(1, tried.size());
    assertFalse(tried.get(0).advised());
    assertTrue(tried.get(0).held());
    assertEquals(List.of(), new Trial(List.of(none), this::replay).run(step -> {}));
  }

  /** A gain that is no larger than what processes differ by has not held. */
  @Test
  void scatterHidesAGain() {
    Alternative way = variant(Collective.ALL_GATHER, 1 << 20, WINDOWS, 90);
    assertTrue(new TriedCall(way, true, 1.1, 100, 90, 0.05).held());
    assertFalse(new TriedCall(way, true, 1.1, 100, 90, 0.15).held());
    assertFalse(new TriedCall(way, true, 1.1, 100, 99, 0).held());
  }

  @Test
  void sizesNeedAFactor() {
    List<CallAdvice> calls =
        List.of(advised(Collective.ALL_GATHER, 1 << 20), advised(Collective.ALL_GATHER, 5_000_000));
    assertThrows(SettingException.class, () -> new Trial(calls, this::replay).run(step -> {}));
  }

  @Test
  void aFailureEndsTheTrial() {
    TrialRunner failing =
        run -> {
          throw new RunFailure(RunFailure.Reason.MISSING, "no GPU");
        };
    Trial trial = new Trial(List.of(advised(Collective.ALL_GATHER, 1 << 20)), failing);
    assertThrows(RunFailure.class, () -> trial.run(step -> {}));
  }
}
