package dev.topo.simulator.workload;

import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.Quantiles;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The spread of the times of a call between the groups of one kind, from the median of each group.
 *
 * @param medianUs the median over the groups
 * @param p90Us time that 9 of 10 groups do not exceed
 * @param slowest the slowest group; the first if there are several
 * @param slowestUs the median of the slowest group
 * @param isApart whether the slowest group is slower than the scatter of the groups explains
 */
public record GroupSpread(
    int groups,
    double medianUs,
    double p90Us,
    ProcessGroup slowest,
    double slowestUs,
    boolean isApart) {
  /**
   * A group whose excess over the median is a smaller fraction of it is not apart, however equal
   * the others are.
   */
  private static final double LEAST_FRACTION = 0.1;

  /**
   * Least excess of a group that is apart, in median absolute deviations: 3.4 standard deviations
   * of a normal distribution, which one in 2,600 groups exceeds.
   */
  private static final double LEAST_DEVIATIONS = 5;

  /** Computes the spread of a site; empty for a single group, or if the traces have no times. */
  public static Optional<GroupSpread> of(CallSite site) {
    List<CallSite> timed =
        site.ofGroups().stream().filter(group -> group.medianUs().isPresent()).toList();
    if (timed.size() < 2) {
      return Optional.empty();
    }
    double[] medians = timed.stream().mapToDouble(GroupSpread::median).toArray();
    double median = Quantiles.median(medians);
    double medianDeviation =
        Quantiles.median(Arrays.stream(medians).map(us -> Math.abs(us - median)).toArray());
    CallSite slowest =
        timed.stream().max(Comparator.comparingDouble(GroupSpread::median)).orElseThrow();
    double excess = median(slowest) - median;
    return Optional.of(
        new GroupSpread(
            timed.size(),
            median,
            Quantiles.of(medians, 0.9),
            slowest.kind().group(),
            median(slowest),
            excess > LEAST_FRACTION * median && excess > LEAST_DEVIATIONS * medianDeviation));
  }

  private static double median(CallSite site) {
    return site.medianUs().orElse(0);
  }
}
