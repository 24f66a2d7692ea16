/**
 * Data as flows over links that share them fairly: where the channels of a communicator run on the
 * machine that is really there ({@link dev.topo.simulator.flow.ChannelRoutes}), what each flow gets
 * ({@link dev.topo.simulator.flow.FairShare}) and, step by step, when a ring is done ({@link
 * dev.topo.simulator.flow.RingSimulation}). Start with {@code ChannelRoutes}. Must not know what a
 * call costs on hardware.
 */
@NullMarked
package dev.topo.simulator.flow;

import org.jspecify.annotations.NullMarked;
