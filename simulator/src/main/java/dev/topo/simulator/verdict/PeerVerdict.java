package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The verdict on measured sends and receives, out of place and in place. They fail if they are
 * faster than the links allow, or slower than predicted by more than a tolerance. Without a
 * tolerance, the verdict stays open.
 *
 * @param prediction prediction out of place
 * @param inPlace prediction in place
 * @param tolerance allowed excess relative to the predicted time; empty if no range is known
 * @param reason reason of a failure or an open verdict, in words; empty for a pass
 */
public record PeerVerdict(
    PeerMeasurement measurement,
    PeerPrediction prediction,
    PeerPrediction inPlace,
    OptionalDouble tolerance,
    Outcome outcome,
    String reason)
    implements Verdict {
  /**
   * Factor for clocks and rounding, by which measured times may be shorter than the links allow.
   */
  private static final double CLOCK_TOLERANCE = 1.02;

  /**
   * Judges measurements of a job.
   *
   * @param tolerance allowed excess relative to the predicted time; if empty, that of twice the
   *     error of 90 of 100 predictions
   * @return a verdict for each measurement that a model covers
   */
  public static List<PeerVerdict> of(
      List<PeerMeasurement> measurements, CallPredictor predictor, OptionalDouble tolerance) {
    int ranks = predictor.communicator().nRanks();
    return measurements.stream()
        .filter(measurement -> measurement.nGpus() == ranks)
        .flatMap(measurement -> verdict(measurement, predictor, tolerance).stream())
        .toList();
  }

  private static Optional<PeerVerdict> verdict(
      PeerMeasurement measurement, CallPredictor predictor, OptionalDouble tolerance) {
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
      CallPredictor predictor) {
    OptionalDouble tolerance = stated.isPresent() ? stated : defaultTolerance(out);
    double allowed = tolerance.orElse(Double.POSITIVE_INFINITY);
    Optional<String> fault =
        contradiction(measurement, predictor)
            .or(() -> Verdict.slowerThanPredicted(measurement, out, in, allowed));
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

  private static OptionalDouble defaultTolerance(PeerPrediction out) {
    return out.spread().isEmpty()
        ? out.spread()
        : OptionalDouble.of(
            out.estimate().longestUs(SPREADS * out.spread().getAsDouble(), out.hasMoreRanks())
                    / out.timeUs()
                - 1);
  }

  private static Optional<String> contradiction(
      PeerMeasurement measurement, CallPredictor predictor) {
    double leastUs = predictor.leastUs(measurement.operation(), measurement.sizeBytes()).orElse(0);
    return Math.min(measurement.timeUs(), measurement.inPlaceTimeUs()) * CLOCK_TOLERANCE >= leastUs
        ? Optional.empty()
        : Optional.of(
            "the input contradicts itself: the links of this machine carry at most %s GB/s"
                .formatted(
                    QuantityFormat.bandwidth(
                        measurement
                            .operation()
                            .busbwGBps(measurement.sizeBytes(), leastUs, measurement.nGpus()))));
  }
}
