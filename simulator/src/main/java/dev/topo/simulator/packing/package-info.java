/**
 * Packs channels into a node for the highest total bandwidth of its links. Start with {@link
 * dev.topo.simulator.packing.ChannelSpace}, the link model of the channels, and {@link
 * dev.topo.simulator.packing.KindPacker}. Independent of calls and times.
 */
@NullMarked
package dev.topo.simulator.packing;

import org.jspecify.annotations.NullMarked;
