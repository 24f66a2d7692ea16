package dev.topo.simulator.workload;

import dev.topo.simulator.workload.Workload.Step;

/**
 * The communication time of a step, from expected times alone: the sum over the calls of a rank, in
 * the mean of the ranks whose calls are known. Calls without an expected time are left out.
 *
 * @param timeUs time of its calls in microseconds
 * @param lowUs lower end of the range; calls without a range count with their time
 * @param highUs upper end of the range; calls without a range count with their time
 * @param hasRange whether all calls with an expected time have a range
 */
public record ExpectedStep(double timeUs, double lowUs, double highUs, boolean hasRange) {
  /** Computes the step of a job; if the traces mark no steps, everything is one step. */
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
