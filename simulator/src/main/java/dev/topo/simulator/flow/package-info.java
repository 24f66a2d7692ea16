/**
 * Data as flows over links that share them fairly: the links of the actual machine that the channels
 * of a communicator use. Start with {@link dev.topo.simulator.flow.ChannelRoutes}. Must not know
 * what a call costs on hardware.
 */
@NullMarked
package dev.topo.simulator.flow;

import org.jspecify.annotations.NullMarked;
