package dev.topo.visualizer.study;

import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.WorkloadChange;
import java.util.Optional;

/**
 * The effects of changes on a job, as far as the user asks for them.
 *
 * @param change the effect of the change that the user states
 * @param advice the changes that topo advises
 */
public record WorkloadChanges(Optional<WorkloadChange> change, Optional<JobAdvice> advice) {}
