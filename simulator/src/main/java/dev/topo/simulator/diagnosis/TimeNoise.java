package dev.topo.simulator.diagnosis;

import dev.topo.model.Quantiles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Relative standard deviation of a measured time, for calls below 1 MiB and for larger ones. It
 * comes from repeated runs of the same call if there are enough, otherwise from the roughness of
 * the times over the sizes; without either it is assumed.
 *
 * @param small that of calls below 1 MiB
 * @param large that of larger calls
 * @param origin source of the deviations, in words
 */
record TimeNoise(double small, double large, String origin) {
  /** Size in bytes from which on calls count as large. */
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

  /** Least number of differences from which a deviation can be estimated. */
  private static final int LEAST_DIFFERENCES = 6;

  private static final double MAD_TO_DEVIATION = 1.4826;

  /** Standard deviation of a time minus the mean of its neighbours, relative to that of a time. */
  private static final double ROUGHNESS_FACTOR = Math.sqrt(1.5);

  /** Standard deviation of the difference of two times, relative to that of a time. */
  private static final double DIFFERENCE_FACTOR = Math.sqrt(2);

  static TimeNoise of(Collection<TimeSeries> allSeries) {
    List<Double> smallRepeats = new ArrayList<>();
    List<Double> largeRepeats = new ArrayList<>();
    List<Double> smallRoughness = new ArrayList<>();
    List<Double> largeRoughness = new ArrayList<>();
    for (TimeSeries series : allSeries) {
      series.repeats(smallRepeats, largeRepeats);
      series.roughness(smallRoughness, largeRoughness);
    }
    boolean isRepeated = smallRepeats.size() + largeRepeats.size() >= LEAST_DIFFERENCES;
    boolean isRough = smallRoughness.size() + largeRoughness.size() >= LEAST_DIFFERENCES;
    return new TimeNoise(
        Math.max(LEAST_SMALL, deviation(smallRepeats, smallRoughness, ASSUMED_SMALL)),
        Math.max(LEAST_LARGE, deviation(largeRepeats, largeRoughness, ASSUMED_LARGE)),
        isRepeated ? "repeated runs" : isRough ? "neighbouring sizes" : "assumed");
  }

  private static double deviation(List<Double> repeats, List<Double> roughness, double assumed) {
    if (repeats.size() >= LEAST_DIFFERENCES) {
      return MAD_TO_DEVIATION * Quantiles.median(repeats) / DIFFERENCE_FACTOR;
    }
    return roughness.size() >= LEAST_DIFFERENCES
        ? MAD_TO_DEVIATION * Quantiles.median(roughness) / ROUGHNESS_FACTOR
        : assumed;
  }

  double of(long bytes) {
    return bytes < LARGE ? small : large;
  }
}
