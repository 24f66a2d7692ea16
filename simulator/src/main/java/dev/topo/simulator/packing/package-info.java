/**
 * Packs channels into a node so that they use its links best. Start with {@link
 * dev.topo.simulator.packing.ChannelSpace}, the link model of the channels, and {@link
 * dev.topo.simulator.packing.KindPacker}. Knows no calls and no times.
 */
@NullMarked
package dev.topo.simulator.packing;

import org.jspecify.annotations.NullMarked;
