package dev.topo.search.connect;

import dev.topo.model.graph.GraphKind;
import dev.topo.search.channel.ChannelLimits;
import dev.topo.search.channel.GraphAgreement;
import dev.topo.search.rules.ConnectRules;
import java.util.ArrayList;
import java.util.List;

/**
 * NVLink multicast: which GPUs are heads, and how the heads of the nodes are joined to trees
 * ({@code ncclNvlsInit} in {@code nccl:src/transport/nvls.cc}, {@code connectNvls} in {@code
 * nccl:src/graph/connect.cc}). Immutable.
 */
public final class Nvls {
  private static final int NONE = Connection.NONE;

  private final JobNodes nodes;
  private final ChannelLimits limits;
  private final ConnectRules rules;
  private final boolean severalMachines;
  private final boolean supported;
  private final int nHeads;
  private final DoubleBinaryTree nodeTrees;

  Nvls(
      JobNodes nodes,
      GraphAgreement agreement,
      ChannelLimits limits,
      boolean severalMachines,
      ConnectRules rules) {
    this.rules = rules;
    this.nodes = nodes;
    this.limits = limits;
    this.severalMachines = severalMachines;
    this.supported = agreement.nChannels(GraphKind.NVLS) > 0;
    this.nHeads =
        nodes.kinds().stream().mapToInt(kind -> kind.nvlsHeads().size()).min().orElseThrow();
    this.nodeTrees = new DoubleBinaryTree(nodes.nNodes());
  }

  /** Whether all nodes have it. */
  public boolean isSupported() {
    return supported;
  }

  /** Number of heads on each node. */
  public int nHeads() {
    return nHeads;
  }

  /** The heads of a node, by their ranks in the job. */
  public List<Integer> heads(int node) {
    return nodes.kind(node).nvlsHeads().subList(0, nHeads).stream()
        .map(head -> nodes.toJob(node, head))
        .toList();
  }

  /** Number of channels that a rank uses, which depends on its GPU; 0 without support. */
  public int channels(int rank) {
    if (!supported) {
      return 0;
    }
    int sm = nodes.kind(nodes.nodeOf(rank)).gpu(nodes.toMachine(rank)).sm();
    return limits.withinCtas(limits.nvlsCtas().orElse(rules.nvlsChannels(sm, severalMachines)));
  }

  /**
   * The place of a rank in a channel, {@link Connection#NONE} where there is none. Heads have
   * numbers of their own, which begin after those of the ranks and the network.
   *
   * @param headRank which head the rank is
   * @param down the head that the rank drives
   * @param treeUp the same head on the parent node
   * @param treeDown what the tree goes down to: the own head, then the same head on child nodes
   */
  public record Links(int headRank, int down, int treeUp, List<Integer> treeDown) {
    public Links {
      treeDown = List.copyOf(treeDown);
    }
  }

  /** The place of a rank in a channel. */
  public Links links(int channel, int rank) {
    int node = nodes.nodeOf(rank);
    int headRank = headRank(node, nodes.toMachine(rank));
    int down = nodes.nRanks() + 1 + headRank;
    if (nodes.nNodes() == 1) {
      return new Links(headRank, down, NONE, List.of());
    }
    List<Integer> treeDown = new ArrayList<>(List.of(down));
    if (headRank == NONE) {
      return new Links(headRank, down, NONE, treeDown);
    }
    DoubleBinaryTree.Place place = nodeTrees.place(channel % 2 == 1, node);
    for (int child : new int[] {place.child0(), place.child1()}) {
      if (child != DoubleBinaryTree.NONE) {
        treeDown.add(head(child, headRank));
      }
    }
    int treeUp = place.parent() == DoubleBinaryTree.NONE ? NONE : head(place.parent(), headRank);
    return new Links(headRank, down, treeUp, treeDown);
  }

  private int headRank(int node, int self) {
    return nodes.kind(node).nvlsHeads().subList(0, nHeads).indexOf(self);
  }

  private int head(int node, int headRank) {
    return nodes.toJob(node, nodes.kind(node).nvlsHeads().get(headRank));
  }
}
