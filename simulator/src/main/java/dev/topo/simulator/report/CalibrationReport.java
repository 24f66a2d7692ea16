package dev.topo.simulator.report;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.fit.FitResult;
import dev.topo.simulator.timing.TimingModel;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A calibration and how far it holds.
 *
 * @param calibration the calibration
 * @param fit the fit that it comes from; empty if it was there before
 * @param reason why this calibration, or why the fit started there
 * @param fitted what it was fitted to
 * @param others what it was not fitted to
 */
public record CalibrationReport(
    Calibration calibration,
    Optional<FitResult> fit,
    String reason,
    List<CalibrationSet> fitted,
    List<CalibrationSet> others) {
  /** What the timing model covers, in words. */
  public static final String COVERED = "Ring, and AllReduce by Tree and NVLS, on one node";

  /** Copies the lists. */
  public CalibrationReport {
    fitted = List.copyOf(fitted);
    others = List.copyOf(others);
  }

  /** The model with the constants. */
  public TimingModel model() {
    return new TimingModel(calibration);
  }

  /** All measurements, those of the fit first. */
  public List<CalibrationSet> judged() {
    return Stream.concat(fitted.stream(), others.stream()).toList();
  }
}
