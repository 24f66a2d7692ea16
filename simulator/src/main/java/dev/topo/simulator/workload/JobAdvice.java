package dev.topo.simulator.workload;

import dev.topo.simulator.advice.Permission;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Advice for a job as a whole.
 *
 * @param may what the user may change
 * @param options the possible changes, the best one first, advised ones before others
 * @param notes limits of the evidence for the gains
 */
public record JobAdvice(Set<Permission> may, List<JobOption> options, List<String> notes) {
  public JobAdvice {
    may = Set.copyOf(may);
    options = List.copyOf(options);
    notes = List.copyOf(notes);
  }

  /** Joins the calls of groups of one kind if they change alike. */
  public JobAdvice ofGroupKinds() {
    return new JobAdvice(may, options.stream().map(JobOption::ofGroupKinds).toList(), notes);
  }

  /** The best change; empty if none is advised. */
  public Optional<JobOption> best() {
    return options.stream().findFirst().filter(JobOption::isAdvised);
  }
}
