package dev.topo.visualizer.hardware;

import java.util.Arrays;
import java.util.List;

/**
 * The statistics of the times of single iterations ({@code computeIterStats}, {@code
 * nccl-tests:src/util.cu}, 2.19.6): percentiles by nearest rank, population standard deviation.
 * Times in µs.
 *
 * @param cvPercent the coefficient of variation: the deviation in percent of the mean
 */
record IterationStatistics(
    double min,
    double max,
    double mean,
    double p50,
    double p95,
    double p99,
    double deviation,
    double cvPercent) {
  static IterationStatistics of(List<Double> timesUs) {
    double[] sorted = timesUs.stream().mapToDouble(time -> time).sorted().toArray();
    int n = sorted.length;
    double mean = Arrays.stream(sorted).average().orElse(0);
    double variance =
        Arrays.stream(sorted).map(time -> (time - mean) * (time - mean)).average().orElse(0);
    double deviation = Math.sqrt(variance);
    return new IterationStatistics(
        sorted[0],
        sorted[n - 1],
        mean,
        sorted[n / 2],
        sorted[nearestRank(n, 95)],
        sorted[nearestRank(n, 99)],
        deviation,
        mean > 0 ? deviation / mean * 100 : 0);
  }

  private static int nearestRank(int n, int percentile) {
    return Math.min(n - 1, (n * percentile + 99) / 100 - 1);
  }
}
