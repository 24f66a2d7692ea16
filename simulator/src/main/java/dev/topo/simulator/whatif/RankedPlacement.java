package dev.topo.simulator.whatif;

import dev.topo.inspect.placement.NicPlacement;
import dev.topo.model.graph.ChannelGraph;
import java.util.Objects;

/**
 * A placement of network cards with what NCCL makes of it.
 *
 * @param placement the placement
 * @param ring the ring graph
 * @param score its measures
 */
public record RankedPlacement(NicPlacement placement, ChannelGraph ring, Score score) {
  /** Checks that no part is missing. */
  public RankedPlacement {
    Objects.requireNonNull(placement, "placement");
    Objects.requireNonNull(ring, "ring");
    Objects.requireNonNull(score, "score");
  }
}
