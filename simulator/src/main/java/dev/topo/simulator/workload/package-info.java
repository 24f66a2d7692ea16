/**
 * The communication of a training job, beside what the model expects. Start with {@link
 * dev.topo.simulator.workload.Workload}, the calls of all ranks joined by {@link
 * dev.topo.simulator.workload.TraceMerger}, and {@link
 * dev.topo.simulator.workload.WorkloadComparison}; {@link
 * dev.topo.simulator.workload.WorkloadAdviser} finds the settings that are best for the job as a
 * whole. Knows no file format and prints nothing.
 */
@NullMarked
package dev.topo.simulator.workload;

import org.jspecify.annotations.NullMarked;
