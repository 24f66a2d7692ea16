package dev.topo.simulator.packing;

import java.util.List;

/**
 * Finds the channels whose links cost the least at given prices. Deterministic. Keeps room for its
 * tables: not for several threads.
 */
interface ChannelOracle {
  /**
   * The cheapest channel, or the cheapest two that alternate.
   *
   * @param cost what one of them costs on average; infinite if none is possible
   */
  record Answer(List<PlacedChannel> channels, double cost) {
    public Answer {
      channels = List.copyOf(channels);
    }
  }

  /** The cheapest channels at prices of the links. */
  Answer cheapest(double[] prices);

  boolean isExact();

  long steps();

  /** The oracle for a space; exact for few GPUs. */
  static ChannelOracle of(ChannelSpace space, PortRule ports) {
    return space.gpus() <= ExactOrders.MOST_GPUS
        ? new ExactOrders(space, ports)
        : new LocalOrders(space, ports);
  }
}
