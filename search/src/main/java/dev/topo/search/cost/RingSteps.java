package dev.topo.search.cost;

import dev.topo.model.operation.Collective;

/**
 * The number of steps of data around a ring ({@code nccl:src/graph/tuning.cc}). Of a ring over
 * several nodes as many as a ring of the nodes takes are between nodes.
 */
final class RingSteps {
  private RingSteps() {}

  static int of(Collective collective, int nRanks) {
    return switch (collective) {
      case ALL_REDUCE -> 2 * (nRanks - 1);
      case ALL_GATHER, REDUCE_SCATTER -> nRanks - 1;
      case BROADCAST, REDUCE -> nRanks;
    };
  }
}
