package dev.topo.search.connect;

import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.connect.JobGraphs.GraphAgreement;
import dev.topo.search.connect.JobNodes.NodeTemplate;
import dev.topo.search.connect.Trees.DoubleBinaryTree;
import dev.topo.search.engine.ChannelPlan.ChannelLimits;
import dev.topo.search.rules.ConnectRules;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * NVLink multicast: which GPUs are heads, and how the heads of the nodes are joined to trees
 * ({@code ncclNvlsInit} in {@code nccl:src/transport/nvls.cc}, {@code connectNvls} in {@code
 * nccl:src/graph/connect.cc}). Immutable.
 */
public final class Nvls {
  private static final int NONE = Connection.NONE;

  private final JobNodes nodes;
  private final ConnectRules rules;
  private final ChannelLimits limits;
  private final boolean alone;
  private final boolean supported;
  private final int nHeads;
  private final DoubleBinaryTree nodeTrees;

  private final float slowestPortGBps;

  /**
   * @throws UnusableTopologyException if a node has more heads than NCCL has room for
   */
  Nvls(
      JobNodes nodes,
      GraphAgreement agreement,
      ChannelLimits limits,
      boolean severalMachines,
      NcclProfile profile) {
    this.rules = profile.connect();
    this.nodes = nodes;
    this.limits = limits;
    this.alone = !(rules.nvlsCountsNodes ? nodes.nNodes() > 1 : severalMachines);
    this.supported = agreement.nChannels(GraphKind.NVLS) > 0;
    this.nHeads =
        nodes.kinds().stream().mapToInt(kind -> kind.nvlsHeads().size()).min().orElseThrow();
    this.nodeTrees = new DoubleBinaryTree(nodes.nNodes());
    this.slowestPortGBps = alone ? 0 : nodes.slowestPortGBps();
    if (nHeads > rules.maxNvlsHeads) {
      throw new UnusableTopologyException(
          "NCCL %s has room for %d NVLS heads on a node, here there are %d: what it connects is undefined"
              .formatted(profile.version(), rules.maxNvlsHeads, nHeads));
    }
  }

  public boolean isSupported() {
    return supported;
  }

  /** Number of heads on each node. */
  public int nHeads() {
    return nHeads;
  }

  /**
   * Bandwidth of the slowest port that a GPU of a job of several nodes uses; 0 of one that is
   * alone.
   */
  public float slowestPortGBps() {
    return slowestPortGBps;
  }

  /** The heads of a node, by their ranks in the job. */
  public List<Integer> heads(int node) {
    return heads(nodes.kind(node)).stream().map(head -> nodes.toJob(node, head)).toList();
  }

  /** Number of channels that a rank uses, which depends on its GPU; 0 without support. */
  public int channels(int rank) {
    return supported ? channelsWithMulticast(rank) : 0;
  }

  /** Number of channels that a rank with support uses where no setting says otherwise. */
  public int usualChannels(int rank) {
    int sm = nodes.kind(nodes.nodeOf(rank)).gpu(nodes.toMachine(rank)).sm();
    return alone
        ? rules.nvlsChannelsAlone(sm)
        : rules.nvlsChannels(
            sm, nodes.minSm(), nodes.nNodes(), nodes.minLocalRanks(), slowestPortGBps);
  }

  private int channelsWithMulticast(int rank) {
    return limits.withinCtas(limits.nvlsCtas().orElseGet(() -> usualChannels(rank)));
  }

  /** How many channels a job has at least because a rank uses them for NVLS. */
  int leastChannels(int rank) {
    boolean searched = nodes.kind(nodes.nodeOf(rank)).graphs().find(GraphKind.NVLS).isPresent();
    return switch (rules.raiseToNvls) {
      case NEVER -> 0;
      case WITH_MULTICAST -> searched ? channelsWithMulticast(rank) : 0;
      case WITH_NVLS -> channels(rank);
    };
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

  /**
   * The port by which a head reaches the same head of other nodes: those of the channels that it is
   * the head of, in turn; empty for other ranks ({@code getNvlsNetDev}, {@code
   * nccl:src/graph/search.cc}).
   */
  public Optional<NodeId> net(int channel, int rank) {
    NodeTemplate kind = nodes.kind(nodes.nodeOf(rank));
    List<Channel> searched = kind.graphs().get(GraphKind.NVLS).channels();
    List<NodeId> ports =
        IntStream.range(0, searched.size())
            .filter(c -> searched.get(c).ranks().get(0) == nodes.toMachine(rank))
            .mapToObj(c -> searched.get(c).nets())
            .flatMap(nets -> nets.map(Channel.Nets::in).stream())
            .toList();
    return ports.isEmpty() ? Optional.empty() : Optional.of(ports.get(channel % ports.size()));
  }

  public Links links(int channel, int rank) {
    int node = nodes.nodeOf(rank);
    int headRank = heads(nodes.kind(node)).lastIndexOf(nodes.toMachine(rank));
    int down = nodes.nRanks() + 1 + headRank;
    if (nodes.nNodes() == 1) {
      return new Links(headRank, down, NONE, List.of());
    }
    List<Integer> treeDown = new ArrayList<>(List.of(down));
    int inTree = firstHead(node, rank);
    if (inTree == NONE) {
      return new Links(headRank, down, NONE, treeDown);
    }
    DoubleBinaryTree.Place place = nodeTrees.place(channel % 2 == 1, node);
    for (int child : new int[] {place.child0(), place.child1()}) {
      if (child != DoubleBinaryTree.NONE) {
        treeDown.add(head(child, inTree));
      }
    }
    int treeUp = place.parent() == DoubleBinaryTree.NONE ? NONE : head(place.parent(), inTree);
    return new Links(headRank, down, treeUp, treeDown);
  }

  private List<Integer> heads(NodeTemplate kind) {
    return kind.nvlsHeads().subList(0, nHeads);
  }

  private int firstHead(int node, int rank) {
    for (int head = 0; head < nHeads; head++) {
      if (head(node, head) == rank) {
        return head;
      }
    }
    return NONE;
  }

  /** A head as all nodes know it; one that a node does not tell them of is rank 0. */
  private int head(int node, int head) {
    NodeTemplate kind = nodes.kind(node);
    return rules.headOfEachChannel && head >= kind.nChannels()
        ? 0
        : nodes.toJob(node, kind.nvlsHeads().get(head));
  }
}
