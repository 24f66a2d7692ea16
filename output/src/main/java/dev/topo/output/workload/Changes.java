package dev.topo.output.workload;

import dev.topo.workload.advise.JobAdvice;
import dev.topo.workload.compare.WorkloadChange;
import java.util.Optional;

/**
 * What changes would do to a job, as far as the user asks.
 *
 * @param change the user's change
 * @param advice the changes that are best
 */
public record Changes(Optional<WorkloadChange> change, Optional<JobAdvice> advice) {}
