/**
 * Which settings are best for a traced job as a whole. Start with {@link
 * dev.topo.workload.advise.WorkloadAdviser}. Prints nothing.
 */
@NullMarked
package dev.topo.workload.advise;

import org.jspecify.annotations.NullMarked;
