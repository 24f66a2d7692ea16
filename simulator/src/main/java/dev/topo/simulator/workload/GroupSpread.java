package dev.topo.simulator.workload;

import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.Quantiles;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The spread of a call between the groups of one kind, from the median of each.
 *
 * @param medianUs the median of the groups
 * @param p90Us time that 9 of 10 groups do not exceed
 * @param slowest the slowest group; of several the first
 * @param slowestUs its median
 * @param isApart whether it is slower than the scatter of the others explains
 */
public record GroupSpread(
    int groups,
    double medianUs,
    double p90Us,
    ProcessGroup slowest,
    double slowestUs,
    boolean isApart) {
  /** A group that is slower by less than this part is not apart, however equal the others are. */
  private static final double LEAST_PART = 0.1;

  /**
   * The excess of a group over the median, in medians of these differences: 3.4 standard deviations
   * of a normal distribution, which one of 2,600 groups exceeds.
   */
  private static final double DISTANCES = 5;

  /** The spread of a site; empty for a single group, or if the traces have no times. */
  public static Optional<GroupSpread> of(CallSite site) {
    List<CallSite> timed =
        site.ofGroups().stream().filter(group -> group.medianUs().isPresent()).toList();
    if (timed.size() < 2) {
      return Optional.empty();
    }
    double[] medians = timed.stream().mapToDouble(GroupSpread::median).toArray();
    double median = Quantiles.median(medians);
    double distance =
        Quantiles.median(Arrays.stream(medians).map(us -> Math.abs(us - median)).toArray());
    CallSite slowest =
        timed.stream().max(Comparator.comparingDouble(GroupSpread::median)).orElseThrow();
    double longer = median(slowest) - median;
    return Optional.of(
        new GroupSpread(
            timed.size(),
            median,
            Quantiles.of(medians, 0.9),
            slowest.kind().group(),
            median(slowest),
            longer > LEAST_PART * median && longer > DISTANCES * distance));
  }

  private static double median(CallSite site) {
    return site.medianUs().orElse(0);
  }
}
