package dev.topo.simulator.calibration;

import dev.topo.model.Topology;
import java.util.Locale;
import java.util.Optional;

/**
 * The calibration that predictions use.
 *
 * @param calibration the calibration; empty if there is none and NCCL's own model is used
 * @param reason why this one: {@code by machine: sm 90, NVSwitch}
 * @param fits whether it was measured on machines of this kind
 */
public record SelectedCalibration(Optional<Calibration> calibration, String reason, boolean fits) {
  /** From this spread on predictions are of low quality: twice what ours reach on other hosts. */
  private static final double LOW_QUALITY = 0.2;

  private static final String REQUESTED = "as requested";

  /** The shipped calibration that fits a machine, if there is one. */
  public static SelectedCalibration byMachine(Topology topology) {
    CalibrationChoice fitting = CalibrationChoice.of(topology);
    return new SelectedCalibration(
        fitting.calibration(),
        fitting.calibration().isPresent()
            ? "by machine: " + fitting.machine()
            : "none matches this machine: " + fitting.machine(),
        true);
  }

  /** The calibration that the user names, for a machine that it may not fit. */
  public static SelectedCalibration requested(Calibration calibration, Topology topology) {
    CalibrationChoice fitting = CalibrationChoice.of(topology);
    boolean fits =
        fitting.calibration().equals(Optional.of(calibration))
            || calibration.measuredOn().machines().contains(fitting.machine());
    return new SelectedCalibration(
        Optional.of(calibration),
        fits ? REQUESTED : REQUESTED + ", but this machine is " + fitting.machine(),
        fits);
  }

  /** NCCL's own model, because the user wants no calibration. */
  public static SelectedCalibration none() {
    return new SelectedCalibration(Optional.empty(), REQUESTED, true);
  }

  /** Whether it comes with topo. */
  public boolean isShipped() {
    return calibration
        .map(c -> CalibrationFile.shipped(c.name()).equals(calibration))
        .orElse(false);
  }

  /** Whether it rests on too little data to distinguish close alternatives. */
  public boolean isLowQuality() {
    return calibration.map(c -> c.spread() >= LOW_QUALITY).orElse(false);
  }

  /** Its quality, for people. */
  public String quality() {
    return calibration
        .map(
            c ->
                String.format(
                    Locale.ROOT,
                    "%s, 90 of 100 within %.0f %%%s",
                    isLowQuality() ? "low quality" : "measured",
                    100 * c.spread(),
                    fits ? "" : " on another kind of machine"))
        .orElse("NCCL's own model");
  }
}
