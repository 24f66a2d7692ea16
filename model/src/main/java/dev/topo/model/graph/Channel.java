package dev.topo.model.graph;

import dev.topo.model.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * The part of a channel that is on one node: its GPUs in the order in which data passes them, and
 * where it enters and leaves.
 *
 * @param ranks ranks of the GPUs on their node, in order; an NVLS channel has its head first and
 *     the others in no order
 * @param nets the ports, if the channel goes over the network
 */
public record Channel(List<Integer> ranks, Optional<Nets> nets) {
  public Channel {
    ranks = List.copyOf(ranks);
  }

  /**
   * The ports of a channel.
   *
   * @param in where it enters the node
   * @param out where it leaves the node
   */
  public record Nets(NodeId in, NodeId out) {}
}
