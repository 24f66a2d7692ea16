package dev.topo.cli.predict;

import dev.topo.simulator.CallPlanner;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.timing.TimingModel;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The calibration that predictions rest on.
 *
 * @param calibration the calibration; empty if there is none and NCCL's own model has to do
 * @param reason why this one: {@code by machine: sm 90, NVSwitch}
 * @param fits whether it is one for machines of this kind
 */
public record SelectedCalibration(Optional<Calibration> calibration, String reason, boolean fits) {
  /** From this spread on predictions are of low quality: twice what ours reach on other hosts. */
  private static final double LOW_QUALITY = 0.2;

  /** Whose host's launches are taken where nothing is known. */
  private static final String OF_LAUNCHES = CalibrationFile.SHIPPED.get(0);

  /** Checks that both are there. */
  public SelectedCalibration {
    Objects.requireNonNull(calibration, "calibration");
    Objects.requireNonNull(reason, "reason");
  }

  /** One for machines of this kind, or none. */
  public static SelectedCalibration of(Optional<Calibration> calibration, String reason) {
    return new SelectedCalibration(calibration, reason, true);
  }

  /** The predictor that uses it. */
  public Predictor predictor(CallPlanner planner) {
    return calibration
        .map(c -> new Predictor(planner, new TimingModel(c)))
        .orElseGet(
            () ->
                Predictor.ofNcclModel(
                    planner, new TimingModel(CalibrationFile.shipped(OF_LAUNCHES).orElseThrow())));
  }

  /** Whether it comes with topo. */
  public boolean isShipped() {
    return calibration
        .map(c -> CalibrationFile.shipped(c.name()).equals(calibration))
        .orElse(false);
  }

  /** Whether it rests on too little to tell neighbours apart. */
  public boolean isLowQuality() {
    return calibration.map(c -> c.spread() >= LOW_QUALITY).orElse(false);
  }

  /** What it is worth, in words. */
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
