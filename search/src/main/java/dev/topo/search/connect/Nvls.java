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
 * NVLink multicast: the heads of each node, and the trees that join the heads of all nodes ({@code
 * ncclNvlsInit} in {@code nccl:src/transport/nvls.cc}, {@code connectNvls} in {@code
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
        nodes.templates().stream()
            .mapToInt(template -> template.nvlsHeads().size())
            .min()
            .orElseThrow();
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
   * Bandwidth in GB/s of the slowest port that a GPU uses; 0 for a job on a single node, or, in
   * releases that count machines, on a single machine.
   */
  public float slowestPortGBps() {
    return slowestPortGBps;
  }

  /** The ranks of a node's heads. */
  public List<Integer> heads(int node) {
    return heads(nodes.template(node)).stream().map(head -> nodes.jobRank(node, head)).toList();
  }

  /** Number of channels that a rank uses, which depends on its GPU; 0 if NVLS is not supported. */
  public int channels(int rank) {
    return channelsOf(nodes.template(nodes.nodeOf(rank)).gpu(nodes.machineRank(rank)).sm());
  }

  /**
   * The smallest number of channels of all ranks. In NCCL each rank derives it from its own GPU,
   * and the ranks do not compare their numbers ({@code ncclNvlsInit}, 2.28.9).
   */
  public int channels() {
    return channelsOf(nodes.minSm());
  }

  private int channelsOf(int sm) {
    return supported ? channelsWithMulticast(sm) : 0;
  }

  /** The smallest number of channels of all ranks without settings. */
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

  /** The number of channels to which NVLS raises a job; 0 if it does not raise it. */
  int minChannels() {
    boolean searched =
        nodes.templates().stream()
            .allMatch(template -> template.graphs().find(GraphKind.NVLS).isPresent());
    return switch (rules.raiseToNvls) {
      case NEVER -> 0;
      case WITH_MULTICAST -> searched ? channelsWithMulticast(nodes.minSm()) : 0;
      case WITH_NVLS -> channels();
    };
  }

  /**
   * The neighbours of a rank in a channel, {@link Connection#NONE} where there is none. Heads are
   * numbered like ranks, beginning after the number of the network.
   *
   * @param headRank index of the rank among the heads of its node
   * @param down the number of the head that the rank drives
   * @param treeUp the rank with the same head index on the parent node
   * @param treeDown its children in the tree: its own head, then the ranks with the same head index
   *     on the child nodes
   */
  public record Links(int headRank, int down, int treeUp, List<Integer> treeDown) {
    public Links {
      treeDown = List.copyOf(treeDown);
    }
  }

  /**
   * The port by which a head reaches its counterparts on other nodes. A head uses the ports of its
   * channels in turn. Empty for ranks that are not heads ({@code getNvlsNetDev}, {@code
   * nccl:src/graph/search.cc}).
   */
  public Optional<NodeId> net(int channel, int rank) {
    NodeTemplate template = nodes.template(nodes.nodeOf(rank));
    List<Channel> searched = template.graphs().get(GraphKind.NVLS).channels();
    List<NodeId> ports =
        IntStream.range(0, searched.size())
            .filter(c -> searched.get(c).ranks().get(0) == nodes.machineRank(rank))
            .mapToObj(c -> searched.get(c).nets())
            .flatMap(nets -> nets.map(Channel.Nets::in).stream())
            .toList();
    return ports.isEmpty() ? Optional.empty() : Optional.of(ports.get(channel % ports.size()));
  }

  public Links links(int channel, int rank) {
    int node = nodes.nodeOf(rank);
    int headRank = heads(nodes.template(node)).lastIndexOf(nodes.machineRank(rank));
    int down = nodes.nRanks() + 1 + headRank;
    if (nodes.nNodes() == 1) {
      return new Links(headRank, down, NONE, List.of());
    }
    List<Integer> treeDown = new ArrayList<>(List.of(down));
    int headIndex = headIndex(node, rank);
    if (headIndex == NONE) {
      return new Links(headRank, down, NONE, treeDown);
    }
    DoubleBinaryTree.Place place = nodeTrees.place(channel % 2 == 1, node);
    for (int child : new int[] {place.child0(), place.child1()}) {
      if (child != DoubleBinaryTree.NONE) {
        treeDown.add(head(child, headIndex));
      }
    }
    int treeUp = place.parent() == DoubleBinaryTree.NONE ? NONE : head(place.parent(), headIndex);
    return new Links(headRank, down, treeUp, treeDown);
  }

  private List<Integer> heads(NodeTemplate template) {
    return template.nvlsHeads().subList(0, nHeads);
  }

  /** The lowest index at which a rank is a head of its node, or {@link #NONE}. */
  private int headIndex(int node, int rank) {
    for (int head = 0; head < nHeads; head++) {
      if (head(node, head) == rank) {
        return head;
      }
    }
    return NONE;
  }

  /** The rank of a head as other nodes know it: 0 for a head that its node does not announce. */
  private int head(int node, int index) {
    NodeTemplate template = nodes.template(node);
    return rules.headOfEachChannel && index >= template.nChannels()
        ? 0
        : nodes.jobRank(node, template.nvlsHeads().get(index));
  }
}
