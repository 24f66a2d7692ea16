/**
 * What a change of machines changes in a job: graphs, NCCL's choices and busbw before and after.
 * Start with {@link dev.topo.simulator.compare.JobChange}. Knows nothing of how machines came to
 * differ.
 */
@NullMarked
package dev.topo.simulator.compare;

import org.jspecify.annotations.NullMarked;
