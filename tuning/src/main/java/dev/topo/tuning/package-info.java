/**
 * The algorithm and protocol that NCCL chooses for a collective. Start with {@link
 * dev.topo.tuning.Tuner}; {@link dev.topo.tuning.SwitchPoints} finds the sizes at which the choice
 * changes and {@link dev.topo.tuning.PairReasons} explains why a pair is not used. Nothing here
 * searches or connects channels. Reference: {@code topoGetAlgoInfo} in {@code nccl:src/enqueue.cc}.
 */
@NullMarked
package dev.topo.tuning;

import org.jspecify.annotations.NullMarked;
