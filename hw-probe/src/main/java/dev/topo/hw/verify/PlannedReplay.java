package dev.topo.hw.verify;

import dev.topo.hw.run.ReplayPlan;
import dev.topo.hw.run.ReplayedCall;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.WorkloadComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Planned replay of a job.
 *
 * @param plan the calls
 * @param sites replay of each site of the workload, in the same order
 */
public record PlannedReplay(ReplayPlan plan, List<Site> sites) {
  /**
   * Replay of a site.
   *
   * @param call its call in the plan; empty if it cannot be replayed
   * @param reason why it cannot be replayed; empty if it can
   */
  public record Site(Optional<Integer> call, String reason) {}

  public PlannedReplay {
    sites = List.copyOf(sites);
  }

  /**
   * Combines the plan with the times of the replay.
   *
   * @param comparison comparison of the same workload with the model
   */
  public ReplayedWorkload with(WorkloadComparison comparison, List<ReplayedCall> replayed) {
    List<ReplayedSite> outcome = new ArrayList<>();
    for (int i = 0; i < sites.size(); i++) {
      SiteComparison site = comparison.sites().get(i);
      outcome.add(
          new ReplayedSite(site, sites.get(i).call().map(replayed::get), sites.get(i).reason()));
    }
    return new ReplayedWorkload(comparison, plan, outcome);
  }
}
