package dev.topo.simulator.workload;

import dev.topo.simulator.workload.Workload.Step;

/**
 * The communication of a step by expected times alone: the calls of a rank in sequence, mean of the
 * ranks whose calls are known. Calls unknown to the model are left out.
 *
 * @param timeUs time of its calls
 * @param lowUs the shortest time of the range; of calls without one their time
 * @param highUs the longest time of the range; of calls without one their time
 * @param hasRange whether each call has a range
 */
public record ExpectedStep(double timeUs, double lowUs, double highUs, boolean hasRange) {
  /** The step of a job; where traces mark no steps, all of it. */
  public static ExpectedStep of(WorkloadComparison comparison) {
    Workload workload = comparison.workload();
    int steps = workload.step().map(Step::count).orElse(1);
    double time = 0;
    double low = 0;
    double high = 0;
    boolean hasRange = true;
    for (SiteComparison site : comparison.sites()) {
      if (site.expected().isPresent()) {
        Expected expected = site.expected().get();
        double count = site.site().count() * site.site().share(workload.knownRanks()) / steps;
        time += count * expected.timeUs();
        low += count * expected.lowUs().orElse(expected.timeUs());
        high += count * expected.highUs().orElse(expected.timeUs());
        hasRange &= expected.lowUs().isPresent() && expected.highUs().isPresent();
      }
    }
    return new ExpectedStep(time, low, high, hasRange);
  }
}
