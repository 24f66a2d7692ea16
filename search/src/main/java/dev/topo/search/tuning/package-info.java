/**
 * The algorithm, protocol, channels and threads that NCCL chooses for a collective. Start with
 * {@link dev.topo.search.tuning.Communicator}, from a job to all of NCCL's decisions for it, and
 * {@link dev.topo.search.tuning.Tuner}. {@link dev.topo.search.tuning.TuningModel.CostModel} is
 * NCCL's cost model: its times serve for comparison only, not as predictions of hardware; single
 * and double precision alternate as in NCCL, so that the numbers are equal to the last bit. {@link
 * dev.topo.search.tuning.EnablingRules} decides which pairs are allowed, {@link
 * dev.topo.search.tuning.Tuner.LaunchShape} the launch parameters, {@link
 * dev.topo.search.tuning.SwitchPoints} finds the sizes at which the choice changes, {@link
 * dev.topo.search.tuning.TunerCsv} writes choices for NCCL's example tuner plugin. Reference:
 * {@code nccl:src/graph/tuning.cc}, {@code nccl:src/enqueue.cc}, {@code
 * nccl:ext-tuner/example/plugin.c}.
 */
@NullMarked
package dev.topo.search.tuning;

import org.jspecify.annotations.NullMarked;
