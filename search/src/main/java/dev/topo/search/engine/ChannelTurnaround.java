package dev.topo.search.engine;

import dev.topo.model.graph.Pattern;

/**
 * Where a channel goes back to the network or to its first GPU: numbers of steps, or {@link
 * #NOWHERE}.
 */
record ChannelTurnaround(int toNet, int toFirst) {
  static final int NOWHERE = -1;
  static final ChannelTurnaround NONE = new ChannelTurnaround(NOWHERE, NOWHERE);

  static ChannelTurnaround of(Pattern pattern, boolean crossesNetwork, int gpus) {
    if (!crossesNetwork) {
      return new ChannelTurnaround(NOWHERE, pattern == Pattern.RING ? gpus - 1 : NOWHERE);
    }
    int toNet =
        switch (pattern) {
          case RING -> gpus - 1;
          case SPLIT_TREE -> 1;
          default -> 0;
        };
    return new ChannelTurnaround(toNet, NOWHERE);
  }

  ChannelTurnaround withNet(int newToNet) {
    return new ChannelTurnaround(newToNet, toFirst);
  }

  ChannelTurnaround withoutFirst() {
    return new ChannelTurnaround(toNet, NOWHERE);
  }
}
