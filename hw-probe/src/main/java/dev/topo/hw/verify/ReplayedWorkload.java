package dev.topo.hw.verify;

import dev.topo.hw.run.ReplayPlan;
import dev.topo.simulator.workload.WorkloadComparison;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Replayed communication of a job.
 *
 * @param comparison comparison of the traces with the model
 * @param plan the replayed calls
 * @param sites the calls, in the order of the comparison
 */
public record ReplayedWorkload(
    WorkloadComparison comparison, ReplayPlan plan, List<ReplayedSite> sites) {
  public ReplayedWorkload {
    sites = List.copyOf(sites);
  }

  /** Number of traced calls that ran alone, as in the replay. */
  public long comparableCalls() {
    return sites.stream()
        .filter(ReplayedSite::isComparable)
        .mapToLong(site -> site.traced().site().countedUs().length)
        .sum();
  }

  /**
   * Quantile of the relative difference between the traced and the replayed median of a site, over
   * the calls that ran alone; empty if there are none.
   *
   * @param part 0.5 for the median
   */
  public OptionalDouble errorOf(double part) {
    List<Double> errors =
        sites.stream()
            .filter(ReplayedSite::isComparable)
            .flatMap(
                site ->
                    Collections.nCopies(
                        site.traced().site().countedUs().length,
                        relativeDifference(site.tracedToReplayed()))
                        .stream())
            .sorted()
            .toList();
    return errors.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(errors.get((int) Math.min(errors.size() - 1, part * errors.size())));
  }

  /** Ratio of the longer to the shorter of two times, minus 1. */
  private static double relativeDifference(OptionalDouble ratio) {
    double value = ratio.orElse(1);
    return Math.max(value, 1 / value) - 1;
  }
}
