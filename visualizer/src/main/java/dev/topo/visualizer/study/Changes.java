package dev.topo.visualizer.study;

import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.WorkloadChange;
import java.util.Optional;

/**
 * Effects of changes on a job, as far as the user asks.
 *
 * @param change the user's change
 * @param advice the changes that are best
 */
public record Changes(Optional<WorkloadChange> change, Optional<JobAdvice> advice) {}
