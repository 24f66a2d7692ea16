package dev.topo.simulator.whatif;

import dev.topo.inspect.placement.NicPlacement;
import dev.topo.model.graph.ChannelGraph;

/**
 * A placement of network cards with what NCCL makes of it.
 *
 * @param placement the placement
 * @param ring the ring graph
 * @param score its measures
 */
public record RankedPlacement(NicPlacement placement, ChannelGraph ring, Score score) {}
