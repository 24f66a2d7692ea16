package dev.topo.simulator.fit;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a fit has found.
 *
 * @param calibration the constants
 * @param relativeErrors standard error of each fitted constant as a part of it, from the slopes of
 *     the model at the solution and the scatter of the observations
 * @param rounds rounds that the fit took
 */
public record FitResult(Calibration calibration, Map<Constant, Double> relativeErrors, int rounds) {
  /** A constant whose relative error is larger counts as not determined. */
  public static final double UNKNOWN = 0.20;

  /** Copies the errors. */
  public FitResult {
    relativeErrors = Collections.unmodifiableMap(new EnumMap<>(relativeErrors));
  }

  /** The fitted constants that the data do not determine, in their order. */
  public List<Constant> undetermined() {
    return relativeErrors.entrySet().stream()
        .filter(entry -> entry.getValue() > UNKNOWN)
        .map(Map.Entry::getKey)
        .toList();
  }
}
