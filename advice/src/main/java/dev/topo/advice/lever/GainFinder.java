package dev.topo.advice.lever;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares ways to run a call with the present one. The range of a gain is that of measured gains
 * of the same levers where these are known, else what the errors of both times make if nothing is
 * common to them.
 */
public final class GainFinder {
  private final Optional<String> calibration;
  private final int nRanks;

  /**
   * For a job on one node.
   *
   * @param calibration name of the calibration of its times; empty for NCCL's own model
   * @param nRanks its ranks
   */
  public GainFinder(Optional<String> calibration, int nRanks) {
    this.calibration = calibration;
    this.nRanks = nRanks;
  }

  /** Whether gains of such a job were measured, on as many GPUs. */
  public boolean isMeasured() {
    return calibration.filter(KnownGain.CALIBRATION::equals).isPresent()
        && nRanks <= KnownGain.MEASURED_GPUS;
  }

  /** What one way gains over another; empty if no range of it is known. */
  public Optional<Gain> gain(Variant now, Variant other) {
    if (!now.calibrated() || !other.calibrated()) {
      return Optional.empty();
    }
    OptionalDouble part = isMeasured() ? known(other) : OptionalDouble.empty();
    if (part.isEmpty() && now.spread().isPresent() && other.spread().isPresent()) {
      part =
          OptionalDouble.of(Math.hypot(now.spread().getAsDouble(), other.spread().getAsDouble()));
    }
    return part.isEmpty()
        ? Optional.empty()
        : Optional.of(new Gain(now.timeUs() / other.timeUs(), part.getAsDouble()));
  }

  /** The range of the levers together, or else of each, as independent errors add up. */
  private static OptionalDouble known(Variant variant) {
    long bytes = variant.call().bytes();
    Optional<KnownGain> together = KnownGain.of(variant.basis(), bytes);
    if (together.isPresent()) {
      return OptionalDouble.of(together.get().part());
    }
    double squares = 0;
    for (String lever : variant.basis().split("\\+", -1)) {
      Optional<KnownGain> alone = KnownGain.of(lever, bytes);
      if (alone.isEmpty()) {
        return OptionalDouble.empty();
      }
      squares += alone.get().part() * alone.get().part();
    }
    return OptionalDouble.of(Math.sqrt(squares));
  }
}
