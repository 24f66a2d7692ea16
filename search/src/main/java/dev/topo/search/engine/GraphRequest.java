package dev.topo.search.engine;

import dev.topo.model.graph.GraphKind;
import dev.topo.search.rules.NcclProfile;

/**
 * A search for one graph.
 *
 * @param kind what it is for
 * @param minChannels fewest channels that count as an answer
 * @param maxChannels most channels that are looked for
 */
public record GraphRequest(GraphKind kind, int minChannels, int maxChannels) {

  /**
   * The search for rings, which comes first; half of the channels are left for their duplicates.
   */
  public static GraphRequest ring(NcclProfile profile) {
    return new GraphRequest(GraphKind.RING, 1, profile.search().maxChannels / 2);
  }

  /** The search for a chain of GPUs with as many channels as the ring has. */
  static GraphRequest likeRing(GraphKind kind, int ringChannels) {
    return new GraphRequest(kind, ringChannels, ringChannels);
  }

  /** The search for heads at the NVSwitch or for in-network reduction. */
  public static GraphRequest heads(GraphKind kind, NcclProfile profile) {
    return new GraphRequest(kind, 1, profile.search().maxChannels);
  }
}
