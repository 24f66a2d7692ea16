/**
 * Which algorithm and protocol to run instead of NCCL's choice, as predicted or as measured, and
 * the rules that make NCCL's example tuner plugin do so. Start with {@link
 * dev.topo.simulator.choice.RecommendedRules}.
 */
@NullMarked
package dev.topo.simulator.choice;

import org.jspecify.annotations.NullMarked;
