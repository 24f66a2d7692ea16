package dev.topo.simulator.workload;

import dev.topo.simulator.advice.Permission;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The best options for a job as a whole.
 *
 * @param may what the user may change
 * @param options the changes: those that are advised first, the best one before others
 * @param notes what the gains do not rest on
 */
public record JobAdvice(Set<Permission> may, List<JobOption> options, List<String> notes) {
  public JobAdvice {
    may = Set.copyOf(may);
    options = List.copyOf(options);
    notes = List.copyOf(notes);
  }

  /** The advice with the calls of groups of one kind together that change alike. */
  public JobAdvice ofGroupKinds() {
    return new JobAdvice(may, options.stream().map(JobOption::ofGroupKinds).toList(), notes);
  }

  /** The best change; empty where none is advised. */
  public Optional<JobOption> best() {
    return options.stream().findFirst().filter(JobOption::isAdvised);
  }
}
