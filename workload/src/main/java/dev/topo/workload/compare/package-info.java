/**
 * What the model expects of a job's calls, beside what its traces measured. Start with {@link
 * dev.topo.workload.compare.WorkloadComparison}. Knows no file format and prints nothing.
 */
@NullMarked
package dev.topo.workload.compare;

import org.jspecify.annotations.NullMarked;
