package dev.topo.search.cost;

import dev.topo.model.operation.Collective;

/** How many steps data takes around a ring ({@code nccl:src/graph/tuning.cc}). */
final class RingSteps {
  private RingSteps() {}

  static int of(Collective collective, int nRanks) {
    return switch (collective) {
      case ALL_REDUCE -> 2 * (nRanks - 1);
      case ALL_GATHER, REDUCE_SCATTER -> nRanks - 1;
      case BROADCAST, REDUCE -> nRanks;
    };
  }

  /** Those of them that lead from node to node, where each rank of a ring passes on its part. */
  static int betweenNodes(Collective collective, int nNodes) {
    return switch (collective) {
      case ALL_REDUCE -> 2 * (nNodes - 1);
      case ALL_GATHER, REDUCE_SCATTER -> nNodes - 1;
      case BROADCAST, REDUCE -> throw new IllegalArgumentException(collective + " is a pipeline");
    };
  }
}
