package dev.topo.advice.lever;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares ways to run a call with the present one. On a job whose gains were measured the range of
 * a gain is that of measured gains of the same levers. Elsewhere it is what the ranges of both
 * times leave, as nothing is known of what is common to them.
 */
public final class GainFinder {
  /** Fewer ratios than these may miss what a combination of levers is off by. */
  private static final int MANY_RATIOS = 10;

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
    if (!now.isCalibrated() || !other.isCalibrated()) {
      return Optional.empty();
    }
    double ratio = now.timeUs() / other.timeUs();
    if (isMeasured()) {
      OptionalDouble part = known(other);
      return part.isPresent() ? Optional.of(Gain.of(ratio, part.getAsDouble())) : Optional.empty();
    }
    return now.range()
        .flatMap(
            present ->
                other
                    .range()
                    .map(
                        range ->
                            new Gain(
                                ratio,
                                present.lowUs() / range.highUs(),
                                present.highUs() / range.lowUs())));
  }

  /**
   * The part of the levers together; where that rests on few ratios, or on none, at least that of
   * each of them, as independent errors add up.
   */
  private static OptionalDouble known(Variant variant) {
    long bytes = variant.call().bytes();
    Optional<KnownGain> together = KnownGain.of(variant.basis(), bytes);
    if (together.isPresent() && together.get().ratios() >= MANY_RATIOS) {
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
    double least = together.map(KnownGain::part).orElse(0.0);
    return OptionalDouble.of(Math.max(least, Math.sqrt(squares)));
  }
}
