package dev.topo.simulator.packing;

import java.util.List;

/**
 * Channels in a node.
 *
 * @param channels the channels, in an order in which the first ones spread over the links
 * @param ports by which ports they enter and leave
 * @param gbps what they reach together by the link model
 */
public record Packing(List<PlacedChannel> channels, PortRule ports, double gbps) {
  public Packing {
    channels = List.copyOf(channels);
  }
}
