package dev.topo.simulator.diagnosis;

import dev.topo.model.Quantiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Relative standard deviation of a measured time, for calls below 1 MiB and for larger ones. From
 * repeated runs of the same call if there are enough, otherwise from the roughness of the times
 * over the sizes, otherwise assumed.
 *
 * @param small of calls below 1 MiB
 * @param large of larger calls
 * @param origin origin of the deviations, in words
 */
record TimeNoise(double small, double large, String origin) {
  static final long LARGE = 1L << 20;

  /** Least noise; repeated runs do not agree better. */
  private static final double LEAST_SMALL = 0.02;

  private static final double LEAST_LARGE = 0.008;

  /**
   * Assumed noise of calls below 1 MiB: that of single runs of nccl-tests on H200 (2 GPUs,
   * 2026-11).
   */
  private static final double ASSUMED_SMALL = 0.06;

  private static final double ASSUMED_LARGE = 0.03;
  private static final int ENOUGH = 6;
  private static final double MAD_TO_DEVIATION = 1.4826;

  /** Standard deviation of a time minus the mean of its neighbours, relative to that of a time. */
  private static final double OF_ROUGHNESS = Math.sqrt(1.5);

  /** Standard deviation of the difference of two times, relative to that of a time. */
  private static final double OF_DIFFERENCE = Math.sqrt(2);

  static TimeNoise of(Collection<TimeSeries> serieses) {
    List<Double> smallRepeats = new ArrayList<>();
    List<Double> largeRepeats = new ArrayList<>();
    List<Double> smallRoughness = new ArrayList<>();
    List<Double> largeRoughness = new ArrayList<>();
    for (TimeSeries series : serieses) {
      series.repeats(smallRepeats, largeRepeats);
      series.roughness(smallRoughness, largeRoughness);
    }
    boolean isRepeated = smallRepeats.size() + largeRepeats.size() >= ENOUGH;
    boolean isRough = smallRoughness.size() + largeRoughness.size() >= ENOUGH;
    return new TimeNoise(
        Math.max(LEAST_SMALL, deviation(smallRepeats, smallRoughness, ASSUMED_SMALL)),
        Math.max(LEAST_LARGE, deviation(largeRepeats, largeRoughness, ASSUMED_LARGE)),
        isRepeated ? "repeated runs" : isRough ? "neighbouring sizes" : "assumed");
  }

  private static double deviation(List<Double> repeats, List<Double> roughness, double assumed) {
    if (repeats.size() >= ENOUGH) {
      return MAD_TO_DEVIATION * Quantiles.median(repeats) / OF_DIFFERENCE;
    }
    return roughness.size() >= ENOUGH
        ? MAD_TO_DEVIATION * Quantiles.median(roughness) / OF_ROUGHNESS
        : assumed;
  }

  double of(long bytes) {
    return bytes < LARGE ? small : large;
  }
}
