package dev.topo.search.fabric;

/**
 * The hops of a channel.
 *
 * @param channel its number
 * @param ring hops of the ring
 * @param tree hops of the tree, each edge once
 */
public record ChannelHops(int channel, HopCount ring, HopCount tree) {
  /** Ring and tree together. */
  public HopCount total() {
    return ring.plus(tree);
  }
}
