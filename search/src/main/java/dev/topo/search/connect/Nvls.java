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
   * @throws UnusableTopologyException if a node has more heads than NCCL supports
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
          "NCCL %s has room for %s NVLS heads on a node, here there are %s: what it connects is undefined"
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
   * Bandwidth in GB/s of the slowest port that a GPU of a job of several nodes uses; 0 for a job
   * that is alone on its machine or node.
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
    return channelsOf(nodes.kind(nodes.nodeOf(rank)).gpu(nodes.toMachine(rank)).sm());
  }

  /**
   * Number of channels that every rank uses: the fewest. NCCL takes them from each rank's own GPU
   * and does not compare them ({@code ncclNvlsInit}, 2.28.9).
   */
  public int channels() {
    return channelsOf(nodes.minSm());
  }

  private int channelsOf(int sm) {
    return supported ? channelsWithMulticast(sm) : 0;
  }

  /** Number of channels that every rank uses without settings. */
  public int usualChannels() {
    return usualChannels(nodes.minSm());
  }

  private int usualChannels(int sm) {
    return alone
        ? rules.nvlsChannelsAlone(sm)
        : rules.nvlsChannels(
            sm, nodes.minSm(), nodes.nNodes(), nodes.minLocalRanks(), slowestPortGBps);
  }

  private int channelsWithMulticast(int sm) {
    return limits.withinCtas(limits.nvlsCtas().orElseGet(() -> usualChannels(sm)));
  }

  /** Minimum number of channels of a job that results from NVLS. */
  int leastChannels() {
    boolean searched =
        nodes.kinds().stream().allMatch(kind -> kind.graphs().find(GraphKind.NVLS).isPresent());
    return switch (rules.raiseToNvls) {
      case NEVER -> 0;
      case WITH_MULTICAST -> searched ? channelsWithMulticast(nodes.minSm()) : 0;
      case WITH_NVLS -> channels();
    };
  }

  /**
   * The place of a rank in a channel, {@link Connection#NONE} where there is none. Heads have
   * numbers of their own, which begin after those of the ranks and the network.
   *
   * @param headRank which head the rank is
   * @param down the head that the rank drives
   * @param treeUp the same head on the parent node
   * @param treeDown its children in the tree: its own head, then the same head on child nodes
   */
  public record Links(int headRank, int down, int treeUp, List<Integer> treeDown) {
    public Links {
      treeDown = List.copyOf(treeDown);
    }
  }

  /**
   * The port by which a head reaches the same head of other nodes: the ports of the channels that
   * it heads, in turn; empty for other ranks ({@code getNvlsNetDev}, {@code
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

  /** A head as known to all nodes; one that its node does not announce is rank 0. */
  private int head(int node, int head) {
    NodeTemplate kind = nodes.kind(node);
    return rules.headOfEachChannel && head >= kind.nChannels()
        ? 0
        : nodes.toJob(node, kind.nvlsHeads().get(head));
  }
}
