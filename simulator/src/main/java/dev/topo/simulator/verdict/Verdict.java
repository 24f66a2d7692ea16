package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.verdict.MeasurementVerdict.Outcome;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A measured call, or some that are judged together, with predictions out of place and in place.
 */
public sealed interface Verdict
    permits BandVerdict, Baseline.Judged, MeasurementVerdict, PeerVerdict {
  /** Default tolerance, as a multiple of the spread of a calibration. */
  double SPREADS = 2;

  /** The prediction out of place. */
  Prediction prediction();

  /** The prediction in place. */
  Prediction inPlace();

  MeasuredOperation measurement();

  /** The allowed excess relative to the predicted time; empty if no range is known. */
  OptionalDouble tolerance();

  Outcome outcome();

  /** The reason of a failure or an open verdict, in words; empty for a pass. */
  String reason();

  /** True if the result is right and the call is not slower than expected. */
  default boolean passes() {
    return outcome() == Outcome.PASS;
  }

  /** The measured time in microseconds. */
  default double measuredUs(boolean inPlace) {
    return measurement().timeUs(inPlace);
  }

  /** The verdict in text. */
  default String verdict() {
    return passes() ? outcome().name() : outcome() + ": " + reason();
  }

  /** The relative excess over the predicted time, out of place. */
  default double excess() {
    return measuredUs(false) / prediction().timeUs() - 1;
  }

  /** The relative excess over the predicted time, in place. */
  default double excessInPlace() {
    return measuredUs(true) / inPlace().timeUs() - 1;
  }

  /**
   * The larger excess, out of place or in place, as a fraction of the tolerance; 0 if there is no
   * tolerance.
   */
  default double partOfTolerance() {
    double most = Math.max(excess(), excessInPlace());
    return tolerance().isPresent()
        ? most / Math.max(tolerance().getAsDouble(), Double.MIN_NORMAL)
        : 0;
  }

  /**
   * True if the time out of place lies in the range of the prediction; false if no range is known.
   */
  default boolean isInRange() {
    return prediction().longestUs().isPresent()
        && measuredUs(false) >= prediction().shortestUs().orElseThrow()
        && measuredUs(false) <= prediction().longestUs().getAsDouble();
  }

  /** Returns a fault if a call exceeds its predicted time by more than an allowed fraction. */
  static Optional<String> slowerThanPredicted(
      MeasuredOperation measurement, Prediction out, Prediction in, double allowed) {
    double excess = measurement.timeUs() / out.timeUs() - 1;
    double excessInPlace = measurement.inPlaceTimeUs() / in.timeUs() - 1;
    if (excess > allowed) {
      return Optional.of(
          "slower than predicted" + (excessInPlace > allowed ? "" : " out of place"));
    }
    return excessInPlace > allowed
        ? Optional.of("slower than predicted in place")
        : Optional.empty();
  }
}
