package dev.topo.simulator.packing;

import java.util.List;

/**
 * Finds the channels whose links cost least at given prices. Deterministic; not thread-safe, as it
 * reuses its tables.
 */
interface ChannelOracle {
  /**
   * The cheapest channel or, with {@link PortRule#ALTERNATING}, the cheapest pair of channels.
   *
   * @param cost average cost of a channel; infinite if none is possible
   */
  record Answer(List<PlacedChannel> channels, double cost) {
    public Answer {
      channels = List.copyOf(channels);
    }
  }

  /** Finds the cheapest channels at given prices of the links. */
  Answer cheapest(double[] prices);

  /** True if answers are proven to be the cheapest. */
  boolean isExact();

  /** Approximate number of elementary steps of one answer. */
  long steps();

  /** Creates an oracle for a space; exact for few GPUs. */
  static ChannelOracle of(ChannelSpace space, PortRule ports) {
    return space.gpus() <= ExactOrders.MOST_GPUS
        ? new ExactOrders(space, ports)
        : new LocalOrders(space, ports);
  }
}
