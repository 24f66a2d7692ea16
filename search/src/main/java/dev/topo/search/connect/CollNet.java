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
 * ncclTopoPreset} and {@code connectCollNet}, {@code nccl:src/graph/connect.cc}). The network has
 * the rank number after the last rank. Immutable.
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
    boolean areSmall =
        nodes.kinds().stream().allMatch(kind -> kind.size() <= profile.connect().directRanks);
    this.direct = agreement.nChannels(GraphKind.COLLNET_DIRECT) > 0 && areSmall;
    if (areSmall && !direct) {
      profile.failBy("no-head");
    }
  }

  /**
   * The neighbours of a rank in the chain of a channel.
   *
   * @param up the rank before it, or the network
   * @param down the rank after it, or {@link Connection#NONE}
   * @param depth number of ranks in the chain
   */
  public record Chain(int up, int down, int depth) {}

  /** The ranks of a node in the chain of a channel, from the one at the network to the last. */
  public List<Integer> chainOf(int channel, int node) {
    ChannelOrder order = nodes.kind(node).order(GraphKind.COLLNET_CHAIN, plan.searched(channel));
    return IntStream.range(0, order.size())
        .mapToObj(place -> nodes.toJob(node, order.at(place)))
        .toList();
  }

  public Chain chain(int channel, int rank) {
    int node = nodes.nodeOf(rank);
    ChannelOrder order = nodes.kind(node).order(GraphKind.COLLNET_CHAIN, plan.searched(channel));
    int place = order.placeOf(nodes.toMachine(rank));
    return new Chain(
        place == 0 ? nodes.nRanks() : nodes.toJob(node, order.at(place - 1)),
        place == order.size() - 1 ? NONE : nodes.toJob(node, order.at(place + 1)),
        order.size());
  }

  /**
   * The place of a rank among the heads, the same in every channel.
   *
   * @param headRank which head the rank is, or {@link Connection#NONE}
   * @param out the network if the rank is a head, or {@link Connection#NONE}
   * @param heads the heads of its node, beginning with itself if it is one
   * @param up the other heads
   * @param down the other ranks of its node if it is a head
   * @param shift the head that it begins with, so that ranks do not all send to the same head
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

  /** The place of a rank among the heads; empty if nodes are too large or there are no heads. */
  public Optional<Direct> direct(int rank) {
    if (!direct) {
      return Optional.empty();
    }
    int node = nodes.nodeOf(rank);
    NodeTemplate kind = nodes.kind(node);
    List<Integer> heads = heads(node);
    int headRank = heads.indexOf(rank);
    List<Integer> down = new ArrayList<>();
    if (headRank != NONE) {
      // NCCL uses the channel with the index of the head, which may have another head.
      ChannelOrder order = kind.order(GraphKind.COLLNET_DIRECT, headRank);
      for (int place = 0; place < order.size(); place++) {
        down.add(nodes.toJob(node, order.at(place)));
      }
      down.remove(Integer.valueOf(rank));
    }
    List<Integer> up = new ArrayList<>(heads);
    up.remove(Integer.valueOf(rank));
    int first = Math.max(headRank, 0);
    List<Integer> fromFirst = new ArrayList<>(heads.subList(first, heads.size()));
    fromFirst.addAll(heads.subList(0, first));
    return Optional.of(
        new Direct(
            headRank,
            headRank == NONE ? NONE : nodes.nRanks(),
            fromFirst,
            up,
            down,
            rank % kind.size() % heads.size(),
            up.isEmpty() && down.isEmpty() ? 1 : 2));
  }

  /**
   * The parameters with which the network is set up ({@code ncclCollNetSetup}, {@code
   * nccl:src/transport/coll_net.cc}).
   *
   * @param denseRank number of the rank for AllGather and ReduceScatter: heads first on each node;
   *     not unique where a node has fewer heads than ranks; NCCL does not use it there
   * @param heads the ranks of its node that are set up
   */
  public record Setup(int denseRank, List<Integer> heads) {
    public Setup {
      heads = List.copyOf(heads);
    }
  }

  public Setup setup(int rank) {
    int node = nodes.nodeOf(rank);
    NodeTemplate kind = nodes.kind(node);
    List<Integer> heads = nvls.isSupported() ? nvls.heads(node) : heads(node);
    int place = heads.indexOf(rank);
    if (place < 0) {
      place =
          (int)
              kind.gpus().stream()
                  .map(gpu -> nodes.toJob(node, gpu.rank()))
                  .filter(other -> other < rank && !heads.contains(other))
                  .count();
    }
    return new Setup(node * kind.size() + place, heads);
  }

  /**
   * The network where NVLS leaves a node for in-network reduction, at its heads; {@link
   * Connection#NONE} for other ranks.
   */
  public int nvlsOut(int rank) {
    return nvls.heads(nodes.nodeOf(rank)).contains(rank) ? nodes.nRanks() : NONE;
  }

  /** The ranks of a node that send to the network; none without graphs for it. */
  public List<Integer> heads(int node) {
    return firstRanks(GraphKind.COLLNET_DIRECT, node);
  }

  /** The ranks of a node at which chains lead to the network. */
  public List<Integer> chainHeads(int node) {
    return firstRanks(GraphKind.COLLNET_CHAIN, node);
  }

  private List<Integer> firstRanks(GraphKind graph, int node) {
    NodeTemplate kind = nodes.kind(node);
    LinkedHashSet<Integer> heads = new LinkedHashSet<>();
    for (int channel = 0; channel < agreement.nChannels(graph); channel++) {
      heads.add(nodes.toJob(node, kind.order(graph, channel).first()));
    }
    return List.copyOf(heads);
  }
}
