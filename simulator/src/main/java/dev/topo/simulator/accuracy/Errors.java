package dev.topo.simulator.accuracy;

import java.util.Arrays;

/**
 * Absolute errors of predicted against measured time, as parts of the measured.
 *
 * @param count how many
 * @param median the median
 * @param percentile90 what 90 of 100 do not exceed
 * @param largest the largest
 */
public record Errors(int count, double median, double percentile90, double largest) {
  /** Sums up errors; their sign does not matter. Percentiles lie between neighbours. */
  public static Errors of(double[] errors) {
    if (errors.length == 0) {
      return new Errors(0, 0, 0, 0);
    }
    double[] sorted = Arrays.stream(errors).map(Math::abs).sorted().toArray();
    return new Errors(
        sorted.length, quantile(sorted, 0.5), quantile(sorted, 0.9), sorted[sorted.length - 1]);
  }

  private static double quantile(double[] sorted, double part) {
    double place = part * (sorted.length - 1);
    int below = (int) Math.floor(place);
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
