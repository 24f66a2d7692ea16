/**
 * The least time of an operation on the links of a job beside what NCCL's graphs carry and what is
 * predicted. Start with {@link dev.topo.simulator.bound.BoundReporter}. The bounds themselves are
 * those of {@code dev.topo.tuning.bound.job}, which knows nothing of predictions.
 */
@NullMarked
package dev.topo.simulator.bound;

import org.jspecify.annotations.NullMarked;
