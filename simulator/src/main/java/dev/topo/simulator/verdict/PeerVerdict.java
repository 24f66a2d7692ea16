package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The verdict on measured sends and receives, out of place and in place: they fail if the links
 * cannot carry them as fast, or if they took longer than predicted by more than a tolerance.
 * Without a range, nothing says that they did.
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
    String reason)
    implements Verdict {
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
    return measurements.stream()
        .filter(measurement -> measurement.nGpus() == ranks)
        .flatMap(measurement -> verdict(measurement, predictor, tolerance).stream())
        .toList();
  }

  private static Optional<PeerVerdict> verdict(
      PeerMeasurement measurement, Predictor predictor, OptionalDouble tolerance) {
    return predictor
        .peers()
        .flatMap(peers -> peers.predict(measurement.operation(), measurement.sizeBytes(), false))
        .flatMap(
            out ->
                predictor
                    .peers()
                    .flatMap(
                        peers ->
                            peers.predict(measurement.operation(), measurement.sizeBytes(), true))
                    .map(in -> verdict(measurement, out, in, tolerance, predictor)));
  }

  private static PeerVerdict verdict(
      PeerMeasurement measurement,
      PeerPrediction out,
      PeerPrediction in,
      OptionalDouble stated,
      Predictor predictor) {
    OptionalDouble tolerance = stated.isPresent() ? stated : usual(out);
    double allowed = tolerance.orElse(Double.POSITIVE_INFINITY);
    Optional<String> fault =
        contradiction(measurement, predictor)
            .or(
                () ->
                    Verdict.slowerThanPredicted(
                        measurement.timeUs() / out.timeUs() - 1,
                        measurement.inPlaceTimeUs() / in.timeUs() - 1,
                        allowed));
    Outcome outcome =
        fault.isPresent()
            ? Outcome.FAIL
            : tolerance.isEmpty() ? Outcome.INCONCLUSIVE : Outcome.PASS;
    return new PeerVerdict(
        measurement,
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

  private static Optional<String> contradiction(PeerMeasurement measurement, Predictor predictor) {
    double leastUs = predictor.leastUs(measurement.operation(), measurement.sizeBytes()).orElse(0);
    return Math.min(measurement.timeUs(), measurement.inPlaceTimeUs()) * ROUNDED >= leastUs
        ? Optional.empty()
        : Optional.of(
            "the input contradicts itself: the links of this machine carry at most %s GB/s"
                .formatted(
                    QuantityFormat.bandwidth(
                        measurement
                            .operation()
                            .busbwGBps(measurement.sizeBytes(), leastUs, measurement.nGpus()))));
  }

  @Override
  public double measuredUs(boolean isInPlace) {
    return measurement.timeUs(isInPlace);
  }

  @Override
  public double measuredBusbwGBps() {
    return measurement.busbwGBps();
  }
}
