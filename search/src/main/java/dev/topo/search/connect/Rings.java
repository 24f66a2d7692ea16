package dev.topo.search.connect;

import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.JobNodes.NodeTemplate;
import dev.topo.search.connect.JobNodes.NodeTemplate.ChannelOrder;
import dev.topo.search.engine.ChannelPlan;
import dev.topo.search.rules.ConnectRules.RingAlternation;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The rings over all ranks: through each node in the order of its channel, then to the next node
 * ({@code connectRings} and {@code ncclBuildRings}, {@code nccl:src/graph}). A neighbour is found
 * in constant time. Immutable.
 */
public final class Rings {
  private final JobNodes nodes;
  private final ChannelPlan plan;
  private final Predicate<NodeTemplate> alternates;

  Rings(JobNodes nodes, ChannelPlan plan, RingAlternation alternation) {
    this.nodes = nodes;
    this.plan = plan;
    boolean hasAlternating = nodes.kinds().stream().anyMatch(NodeTemplate::hasAlternatingRings);
    this.alternates =
        switch (alternation) {
          case NEVER -> kind -> false;
          case ALL_NODES_OF_EVEN_JOBS -> kind -> hasAlternating && nodes.nNodes() % 2 == 0;
          case ALL_NODES -> kind -> hasAlternating;
          case OWN_RINGS -> NodeTemplate::hasAlternatingRings;
        };
  }

  /** The rank that sends to a rank. */
  public int prev(int channel, int rank) {
    return neighbour(channel, rank, -1);
  }

  /** The rank that a rank sends to. */
  public int next(int channel, int rank) {
    return neighbour(channel, rank, 1);
  }

  private int neighbour(int channel, int rank, int step) {
    int node = nodes.nodeOf(rank);
    ChannelOrder order = order(channel, node);
    int place = order.placeOf(nodes.toMachine(rank)) + step;
    if (place >= 0 && place < order.size()) {
      return nodes.toJob(node, order.at(place));
    }
    int beyond = Math.floorMod(node + step, nodes.nNodes());
    ChannelOrder there = order(channel, beyond);
    return nodes.toJob(beyond, step > 0 ? there.first() : there.last());
  }

  /** All ranks in ring order, starting at rank 0. */
  public int[] order(int channel) {
    int[] ranks = new int[nodes.nRanks()];
    for (int i = 1; i < ranks.length; i++) {
      ranks[i] = next(channel, ranks[i - 1]);
    }
    return ranks;
  }

  /**
   * The order of a ring on a node. If channels leave by another port than they enter, in pairs, the
   * rings of a pair are swapped on every other node, so that each stays on its rail.
   */
  private ChannelOrder order(int channel, int node) {
    return nodes.kind(node).order(GraphKind.RING, searched(channel, node));
  }

  private int searched(int channel, int node) {
    int searched = plan.searched(channel);
    boolean swapped =
        node % 2 == 1 && plan.searched() % 2 == 0 && alternates.test(nodes.kind(node));
    return swapped ? searched ^ 1 : searched;
  }

  /** The ports by which a ring enters and leaves a node; empty for a job of one node. */
  public Optional<Channel.Nets> nets(int channel, int node) {
    return nodes
        .kind(node)
        .graphs()
        .get(GraphKind.RING)
        .channels()
        .get(searched(channel, node))
        .nets();
  }
}
