package dev.topo.visualizer.study;

import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.WorkloadChange;
import java.util.Optional;

/**
 * Effects of the requested changes on a job.
 *
 * @param change the effect of the change that the user states
 * @param advice the best changes
 */
public record WorkloadChanges(Optional<WorkloadChange> change, Optional<JobAdvice> advice) {}
