package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.PeerPrediction;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether measured sends and receives took what was to be expected, out of place and in place: not
 * if the links cannot carry them as fast, or if they took longer than predicted by more than a
 * tolerance. Without a range, nothing says that they did.
 *
 * @param prediction what was predicted out of place
 * @param inPlace what was predicted in place
 * @param tolerance how much longer it may take, as a part of the predicted time; empty if no range
 *     is known
 * @param reason why it fails or is not decided, for people; empty if it passes
 */
public record PeerVerdict(
    PeerMeasurement measurement,
    PeerPrediction prediction,
    PeerPrediction inPlace,
    OptionalDouble tolerance,
    Outcome outcome,
    String reason) {
  /** The tolerance of a measurement, in spreads of a calibration, as of collectives. */
  private static final double SPREADS = 2;

  /** Clocks and rounding make measured times shorter than the links need by less. */
  private static final double ROUNDED = 1.02;

  /**
   * Judges measurements of a job.
   *
   * @param tolerance how much longer a call may take; empty for twice what 90 of 100 predictions
   *     are off by
   * @return a verdict for each measurement that a model covers
   */
  public static List<PeerVerdict> of(
      List<PeerMeasurement> measurements, Predictor predictor, OptionalDouble tolerance) {
    int ranks = predictor.planner().communicator().facts().nRanks();
    Optional<PeerPredictor> peers = predictor.peers();
    return measurements.stream()
        .filter(one -> one.nGpus() == ranks)
        .flatMap(
            one ->
                peers
                    .flatMap(
                        known ->
                            known
                                .predict(one.operation(), one.sizeBytes(), false)
                                .flatMap(
                                    out ->
                                        known
                                            .predict(one.operation(), one.sizeBytes(), true)
                                            .map(
                                                in -> verdict(one, out, in, tolerance, predictor))))
                    .stream())
        .toList();
  }

  private static PeerVerdict verdict(
      PeerMeasurement one,
      PeerPrediction out,
      PeerPrediction in,
      OptionalDouble stated,
      Predictor predictor) {
    OptionalDouble tolerance = stated.isPresent() ? stated : usual(out);
    double allowed = tolerance.orElse(Double.POSITIVE_INFINITY);
    boolean isSlow = one.timeUs() / out.timeUs() - 1 > allowed;
    boolean isSlowInPlace = one.inPlaceTimeUs() / in.timeUs() - 1 > allowed;
    Optional<String> fault =
        contradiction(one, predictor)
            .or(
                () ->
                    isSlow || isSlowInPlace
                        ? Optional.of(
                            "slower than predicted"
                                + (isSlow ? isSlowInPlace ? "" : " out of place" : " in place"))
                        : Optional.empty());
    Outcome outcome =
        fault.isPresent()
            ? Outcome.FAIL
            : tolerance.isEmpty() ? Outcome.INCONCLUSIVE : Outcome.PASS;
    return new PeerVerdict(
        one,
        out,
        in,
        tolerance,
        outcome,
        fault.orElse(outcome == Outcome.INCONCLUSIVE ? "no range is known for such calls" : ""));
  }

  private static OptionalDouble usual(PeerPrediction out) {
    return out.spread().isEmpty()
        ? out.spread()
        : OptionalDouble.of(
            out.estimate().longestUs(SPREADS * out.spread().getAsDouble(), out.hasMoreRanks())
                    / out.timeUs()
                - 1);
  }

  private static Optional<String> contradiction(PeerMeasurement one, Predictor predictor) {
    double leastUs = predictor.leastUs(one.operation(), one.sizeBytes()).orElse(0);
    return Math.min(one.timeUs(), one.inPlaceTimeUs()) * ROUNDED >= leastUs
        ? Optional.empty()
        : Optional.of(
            "the input contradicts itself: the links of this machine carry at most %s GB/s"
                .formatted(
                    QuantityFormat.bandwidth(
                        one.operation().busbwGBps(one.sizeBytes(), leastUs, one.nGpus()))));
  }

  /** True if it was as fast as expected or faster. */
  public boolean passes() {
    return outcome == Outcome.PASS;
  }

  /** The excess over the predicted time, out of place, as a part of it. */
  public double excess() {
    return measurement.timeUs() / prediction.timeUs() - 1;
  }

  /** The excess in place. */
  public double excessInPlace() {
    return measurement.inPlaceTimeUs() / inPlace.timeUs() - 1;
  }

  /** The verdict for people. */
  public String verdict() {
    return passes() ? outcome.name() : outcome + ": " + reason;
  }
}
