package dev.topo.simulator.packing;

import java.util.List;

/**
 * Finds the channels whose links cost least at given prices. Deterministic. Reuses its tables; not
 * thread-safe.
 */
interface ChannelOracle {
  /**
   * The cheapest channel, or the cheapest two that alternate.
   *
   * @param cost average cost of one of them; infinite if none is possible
   */
  record Answer(List<PlacedChannel> channels, double cost) {
    public Answer {
      channels = List.copyOf(channels);
    }
  }

  /** Cheapest channels at given prices of the links. */
  Answer cheapest(double[] prices);

  boolean isExact();

  long steps();

  /** Oracle for a space; exact for few GPUs. */
  static ChannelOracle of(ChannelSpace space, PortRule ports) {
    return space.gpus() <= ExactOrders.MOST_GPUS
        ? new ExactOrders(space, ports)
        : new LocalOrders(space, ports);
  }
}
