package dev.topo.simulator.accuracy;

import dev.topo.search.cost.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.measured.MeasuredRun;
import dev.topo.simulator.measured.Measurement;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Whether what was measured is what was to be expected. It is not if it took longer than predicted
 * by more than a tolerance, out of place and in place: a single slow run does not count. A wrong
 * result never is.
 *
 * @param measurement what was measured
 * @param prediction what was predicted out of place
 * @param inPlace what was predicted in place
 * @param tolerance how much longer it may take, as a part of the predicted time
 * @param isWrong whether elements did not hold what they should
 */
public record MeasurementVerdict(
    Measurement measurement,
    Prediction prediction,
    Prediction inPlace,
    double tolerance,
    boolean isWrong) {
  /** How many times the spread of a calibration a measurement may be off. */
  private static final double SPREADS = 2;

  public MeasurementVerdict {
    if (!(tolerance >= 0)) {
      throw new IllegalArgumentException("tolerance " + tolerance + ": expected 0 or more");
    }
  }

  /**
   * Judges what was measured of a job, as far as NCCL would run it so: the measurements in their
   * order, then those whose results were wrong. Where NCCL was made to use a number of channels it
   * would not.
   *
   * @param calls the call that a measurement is of
   * @param predictor predicts for the job
   * @param tolerance how much longer a call may take; if empty twice what 90 of 100 predictions are
   *     off by, on a host that is slow at launching kernels
   */
  public static List<MeasurementVerdict> of(
      MeasuredRun run,
      Function<Measurement, CollectiveCall> calls,
      Predictor predictor,
      OptionalDouble tolerance) {
    int nRanks = predictor.planner().communicator().facts().nRanks();
    MeasuredRun ours = run.only(one -> one.nGpus() == nRanks && one.channels().isEmpty());
    return Stream.concat(
            ours.measurements().stream()
                .flatMap(one -> judge(one, calls.apply(one), false, predictor, tolerance).stream()),
            ours.wrong().stream()
                .flatMap(one -> judge(one, calls.apply(one), true, predictor, tolerance).stream()))
        .toList();
  }

  private static Optional<MeasurementVerdict> judge(
      Measurement measurement,
      CollectiveCall call,
      boolean isWrong,
      Predictor predictor,
      OptionalDouble tolerance) {
    Optional<Prediction> out = predictor.predict(call, measurement.forced(), false);
    Optional<Prediction> in = predictor.predict(call, measurement.forced(), true);
    return out.isEmpty() || in.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new MeasurementVerdict(
                measurement, out.get(), in.get(), tolerance.orElse(usual(out.get())), isWrong));
  }

  private static double usual(Prediction prediction) {
    return prediction.longestUs(SPREADS * prediction.spread()) / prediction.timeUs() - 1;
  }

  /** Whether it was right, and as fast as expected or faster. */
  public boolean passes() {
    return !isWrong && Math.min(excess(), excessInPlace()) <= tolerance;
  }

  /** The verdict for people. */
  public String verdict() {
    if (isWrong) {
      return "FAIL: wrong result";
    }
    return passes() ? "PASS" : "FAIL";
  }

  /**
   * Whether it waited for launches, and longer than on the host of the calibration: caused by its
   * CPU, not by the links.
   */
  public boolean hasSlowLaunches() {
    return prediction.estimate().bottleneck() == Bottleneck.LAUNCH
        && excess() > SPREADS * prediction.spread();
  }

  /** How much longer it took than predicted, out of place, as a part of the predicted time. */
  public double excess() {
    return measurement.timeUs() / prediction.timeUs() - 1;
  }

  /** The same in place. */
  public double excessInPlace() {
    return measurement.inPlaceTimeUs() / inPlace.timeUs() - 1;
  }
}
