package dev.topo.simulator.packing;

import java.util.List;

/**
 * The channels of a node, and their total bandwidth.
 *
 * @param channels the channels, ordered so that the first ones spread over the links
 * @param ports rule for the ports through which they enter and leave
 * @param gbps their total bandwidth in GB/s by the link model
 */
public record Packing(List<PlacedChannel> channels, PortRule ports, double gbps) {
  public Packing {
    channels = List.copyOf(channels);
  }
}
