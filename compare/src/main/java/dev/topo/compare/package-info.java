/**
 * What a change of machines changes in a job: graphs, NCCL's choices and busbw before and after.
 * Start with {@link dev.topo.compare.PairDiff}. Knows nothing of options and output formats.
 */
@NullMarked
package dev.topo.compare;

import org.jspecify.annotations.NullMarked;
