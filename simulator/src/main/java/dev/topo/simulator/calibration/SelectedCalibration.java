package dev.topo.simulator.calibration;

import dev.topo.model.Topology;
import dev.topo.simulator.calibration.KnownSpread.Launch;
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
            || calibration.measuredOn().machines().contains(fitting.machine())
            || calibration.measuredOn().machines().contains(fitting.generation());
    return new SelectedCalibration(
        Optional.of(calibration),
        fits ? REQUESTED : REQUESTED + ", but this machine is " + fitting.machine(),
        fits);
  }

  /** NCCL's own model, because the user wants no calibration. */
  public static SelectedCalibration none() {
    return new SelectedCalibration(Optional.empty(), REQUESTED, true);
  }

  /** True if the user wants NCCL's own model. */
  public boolean isNcclModel() {
    return calibration.isEmpty() && reason.equals(REQUESTED);
  }

  public boolean isShipped() {
    return calibration.map(CalibrationFile::isShipped).orElse(false);
  }

  /** True if it rests on too little data to distinguish close alternatives. */
  public boolean isLowQuality() {
    return calibration
        .map(c -> c.spread() >= LOW_QUALITY || !isShipped() && isPublished(c))
        .orElse(false);
  }

  /** True if more than its times of NVLS rest on what others have published. */
  private static boolean isPublished(Calibration calibration) {
    return !Constant.OF_NVLS.containsAll(calibration.published());
  }

  private String evidence(Calibration of) {
    if (isLowQuality()) {
      return "low quality, ";
    }
    return isPublished(of) ? "fitted to published times, " : "measured, ";
  }

  /** Its quality for a kind of launch, for people. */
  public String quality(Launch launch) {
    return calibration
        .map(c -> evidence(c) + spreads(c, launch) + (fits ? "" : " on another kind of machine"))
        .orElse("NCCL's own model");
  }

  private String spreads(Calibration of, Launch launch) {
    return isShipped()
        ? KnownSpread.text(of.name(), launch)
        : String.format(Locale.ROOT, "90 of 100 fitted times within %.0f %%", 100 * of.spread());
  }

  /**
   * The error that 90 of 100 predictions of large calls do not exceed, as a part; empty if that is
   * not known. For a calibration of the user it is what its file says.
   */
  public Optional<Double> spread(Launch launch) {
    return isShipped()
        ? calibration
            .flatMap(c -> KnownSpread.of(c.name(), launch, KnownSpread.LARGE))
            .map(KnownSpread::part)
        : calibration.map(Calibration::spread);
  }
}
