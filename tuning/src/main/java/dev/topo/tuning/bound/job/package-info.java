/**
 * Lower bounds on the time of an operation of a job, from the raw rates of its links alone. Start
 * with {@link dev.topo.tuning.bound.job.JobBounds}. Nothing here knows what NCCL chooses or its
 * bandwidths. References: Zhao et al., ForestColl (arXiv 2402.06787), for all-gather and
 * reduce-scatter; Edmonds 1973 for broadcast; Frank 1978 for partitions.
 */
@NullMarked
package dev.topo.tuning.bound.job;

import org.jspecify.annotations.NullMarked;
