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
 * The rings over all ranks of a job. A ring visits the GPUs of each node in the order of the node's
 * channel and then continues on the next node ({@code connectRings} and {@code ncclBuildRings},
 * {@code nccl:src/graph}). Looking up a neighbour takes constant time. Immutable.
 */
public final class Rings {
  private final JobNodes nodes;
  private final ChannelPlan plan;
  private final Predicate<NodeTemplate> alternates;

  Rings(JobNodes nodes, ChannelPlan plan, RingAlternation alternation) {
    this.nodes = nodes;
    this.plan = plan;
    boolean hasAlternating = nodes.templates().stream().anyMatch(NodeTemplate::hasAlternatingRings);
    this.alternates =
        switch (alternation) {
          case NEVER -> template -> false;
          case ALL_NODES_OF_EVEN_JOBS -> template -> hasAlternating && nodes.nNodes() % 2 == 0;
          case ALL_NODES -> template -> hasAlternating;
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
    int position = order.positionOf(nodes.machineRank(rank)) + step;
    if (position >= 0 && position < order.size()) {
      return nodes.jobRank(node, order.at(position));
    }
    int neighbourNode = Math.floorMod(node + step, nodes.nNodes());
    ChannelOrder neighbourOrder = order(channel, neighbourNode);
    return nodes.jobRank(neighbourNode, step > 0 ? neighbourOrder.first() : neighbourOrder.last());
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
   * The order of the GPUs of a ring on a node. Where the channels of a pair enter and leave a node
   * by each other's port, the two rings are swapped on every second node, so that each stays on one
   * rail.
   */
  private ChannelOrder order(int channel, int node) {
    return nodes.template(node).order(GraphKind.RING, searched(channel, node));
  }

  private int searched(int channel, int node) {
    int searched = plan.searched(channel);
    boolean swapped =
        node % 2 == 1 && plan.searched() % 2 == 0 && alternates.test(nodes.template(node));
    return swapped ? searched ^ 1 : searched;
  }

  /** The ports by which a ring enters and leaves a node; empty for a job of one node. */
  public Optional<Channel.Nets> nets(int channel, int node) {
    return nodes
        .template(node)
        .graphs()
        .get(GraphKind.RING)
        .channels()
        .get(searched(channel, node))
        .nets();
  }
}
