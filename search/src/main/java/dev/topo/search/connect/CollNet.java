package dev.topo.search.connect;

import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.JobGraphs.GraphAgreement;
import dev.topo.search.connect.JobNodes.NodeTemplate;
import dev.topo.search.connect.JobNodes.NodeTemplate.ChannelOrder;
import dev.topo.search.engine.ChannelPlan;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * In-network reduction: the chains that lead to the network and the heads that send to it ({@code
 * ncclTopoPreset} and {@code connectCollNet}, {@code nccl:src/graph/connect.cc}). The network is
 * numbered like a rank after the last one. Immutable.
 */
public final class CollNet {
  private static final int NONE = Connection.NONE;

  private final JobNodes nodes;
  private final ChannelPlan plan;
  private final GraphAgreement agreement;
  private final boolean direct;
  private final Nvls nvls;

  CollNet(
      JobNodes nodes, ChannelPlan plan, GraphAgreement agreement, Nvls nvls, NcclProfile profile) {
    this.nodes = nodes;
    this.nvls = nvls;
    this.plan = plan;
    this.agreement = agreement;
    int chains = agreement.nChannels(GraphKind.COLLNET_CHAIN);
    if (chains < plan.searched()) {
      throw new IllegalArgumentException(
          chains + " chains for in-network reduction, expected " + plan.searched() + " as rings");
    }
    boolean hasSmallNodes =
        nodes.templates().stream()
            .allMatch(template -> template.size() <= profile.connect().directRanks);
    this.direct = agreement.nChannels(GraphKind.COLLNET_DIRECT) > 0 && hasSmallNodes;
    if (hasSmallNodes && !direct) {
      profile.failBy("no-head");
    }
  }

  /**
   * The neighbours of a rank in the chain of a channel.
   *
   * @param up the previous rank, or the network
   * @param down the next rank, or {@link Connection#NONE}
   * @param depth number of ranks in the chain
   */
  public record Chain(int up, int down, int depth) {}

  /** The ranks of a node in the order of a channel's chain, beginning at the network. */
  public List<Integer> chainOf(int channel, int node) {
    ChannelOrder order =
        nodes.template(node).order(GraphKind.COLLNET_CHAIN, plan.searched(channel));
    return IntStream.range(0, order.size())
        .mapToObj(position -> nodes.jobRank(node, order.at(position)))
        .toList();
  }

  public Chain chain(int channel, int rank) {
    int node = nodes.nodeOf(rank);
    ChannelOrder order =
        nodes.template(node).order(GraphKind.COLLNET_CHAIN, plan.searched(channel));
    int position = order.positionOf(nodes.machineRank(rank));
    return new Chain(
        position == 0 ? nodes.nRanks() : nodes.jobRank(node, order.at(position - 1)),
        position == order.size() - 1 ? NONE : nodes.jobRank(node, order.at(position + 1)),
        order.size());
  }

  /**
   * The role of a rank in CollNetDirect, the same in every channel.
   *
   * @param headRank index of the rank among the heads, or {@link Connection#NONE} if it is not a
   *     head
   * @param out the network if the rank is a head, otherwise {@link Connection#NONE}
   * @param heads the heads of its node, beginning with the rank itself if it is one
   * @param up the other heads
   * @param down the other ranks of its node if it is a head
   * @param shift index of the head to which the rank sends first; it differs between ranks, so that
   *     they do not all send to the same head
   * @param depth number of steps to the network
   */
  public record Direct(
      int headRank,
      int out,
      List<Integer> heads,
      List<Integer> up,
      List<Integer> down,
      int shift,
      int depth) {
    public Direct {
      heads = List.copyOf(heads);
      up = List.copyOf(up);
      down = List.copyOf(down);
    }
  }

  /** The role of a rank in CollNetDirect; empty if nodes are too large or there are no heads. */
  public Optional<Direct> direct(int rank) {
    if (!direct) {
      return Optional.empty();
    }
    int node = nodes.nodeOf(rank);
    NodeTemplate template = nodes.template(node);
    List<Integer> heads = heads(node);
    int headRank = heads.indexOf(rank);
    List<Integer> down = new ArrayList<>();
    if (headRank != NONE) {
      // NCCL uses the channel whose index is that of the head, although its head may be another
      // one.
      ChannelOrder order = template.order(GraphKind.COLLNET_DIRECT, headRank);
      for (int position = 0; position < order.size(); position++) {
        down.add(nodes.jobRank(node, order.at(position)));
      }
      down.remove(Integer.valueOf(rank));
    }
    List<Integer> up = new ArrayList<>(heads);
    up.remove(Integer.valueOf(rank));
    int first = Math.max(headRank, 0);
    List<Integer> rotatedHeads = new ArrayList<>(heads.subList(first, heads.size()));
    rotatedHeads.addAll(heads.subList(0, first));
    return Optional.of(
        new Direct(
            headRank,
            headRank == NONE ? NONE : nodes.nRanks(),
            rotatedHeads,
            up,
            down,
            rank % template.size() % heads.size(),
            up.isEmpty() && down.isEmpty() ? 1 : 2));
  }

  /**
   * The parameters with which a rank sets up the network ({@code ncclCollNetSetup}, {@code
   * nccl:src/transport/coll_net.cc}).
   *
   * @param denseRank number of the rank for AllGather and ReduceScatter, counting the heads of each
   *     node first. Where a node has fewer heads than ranks it is not unique, and NCCL does not use
   *     it
   * @param heads the heads of the rank's node
   */
  public record Setup(int denseRank, List<Integer> heads) {
    public Setup {
      heads = List.copyOf(heads);
    }
  }

  public Setup setup(int rank) {
    int node = nodes.nodeOf(rank);
    NodeTemplate template = nodes.template(node);
    List<Integer> heads = nvls.isSupported() ? nvls.heads(node) : heads(node);
    int index = heads.indexOf(rank);
    if (index < 0) {
      index =
          (int)
              template.gpus().stream()
                  .map(gpu -> nodes.jobRank(node, gpu.rank()))
                  .filter(other -> other < rank && !heads.contains(other))
                  .count();
    }
    return new Setup(node * template.size() + index, heads);
  }

  /**
   * The rank number of the network if NVLS leaves the node at this rank, a head; {@link
   * Connection#NONE} for other ranks.
   */
  public int nvlsOut(int rank) {
    return nvls.heads(nodes.nodeOf(rank)).contains(rank) ? nodes.nRanks() : NONE;
  }

  /** The ranks of a node that send to the network; empty without channels of CollNetDirect. */
  public List<Integer> heads(int node) {
    return firstRanks(GraphKind.COLLNET_DIRECT, node);
  }

  /** The ranks of a node at which chains reach the network. */
  public List<Integer> chainHeads(int node) {
    return firstRanks(GraphKind.COLLNET_CHAIN, node);
  }

  private List<Integer> firstRanks(GraphKind graph, int node) {
    NodeTemplate template = nodes.template(node);
    LinkedHashSet<Integer> heads = new LinkedHashSet<>();
    for (int channel = 0; channel < agreement.nChannels(graph); channel++) {
      heads.add(nodes.jobRank(node, template.order(graph, channel).first()));
    }
    return List.copyOf(heads);
  }
}
