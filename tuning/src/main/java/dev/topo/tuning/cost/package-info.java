/**
 * NCCL's cost model: the predicted time of a call by algorithm and protocol. Start with {@link
 * dev.topo.tuning.cost.CostModel}: it takes the properties of a communicator as {@link
 * dev.topo.tuning.cost.CommFacts} and a {@link dev.topo.tuning.cost.CollectiveCall}; {@link
 * dev.topo.tuning.cost.EnablingRules} decides which pairs are allowed. NCCL uses the times for
 * comparison only; they predict no hardware. Nothing here searches or connects channels. Single and
 * double precision alternate as in NCCL, so that the numbers are equal to the last bit. Reference:
 * {@code nccl:src/graph/tuning.cc}.
 */
@NullMarked
package dev.topo.tuning.cost;

import org.jspecify.annotations.NullMarked;
