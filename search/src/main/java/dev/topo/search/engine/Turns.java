package dev.topo.search.engine;

import dev.topo.model.graph.Pattern;

/**
 * Where a channel goes back to the network or to its first GPU: numbers of steps, or {@link
 * #NOWHERE}.
 */
record Turns(int toNet, int toFirst) {
  static final int NOWHERE = -1;
  static final Turns NONE = new Turns(NOWHERE, NOWHERE);

  static Turns of(Pattern pattern, boolean crossesNetwork, int gpus) {
    if (!crossesNetwork) {
      return new Turns(NOWHERE, pattern == Pattern.RING ? gpus - 1 : NOWHERE);
    }
    int toNet =
        switch (pattern) {
          case RING -> gpus - 1;
          case SPLIT_TREE -> 1;
          default -> 0;
        };
    return new Turns(toNet, NOWHERE);
  }

  Turns withNet(int newToNet) {
    return new Turns(newToNet, toFirst);
  }

  Turns withoutFirst() {
    return new Turns(toNet, NOWHERE);
  }
}
