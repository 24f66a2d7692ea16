package dev.topo.search.connect;

import dev.topo.model.graph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.graph.Pattern;
import dev.topo.model.node.GpuNode;
import dev.topo.search.path.Domain;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What all equal nodes of a job have in common: their domain, its graphs, and the roles that the
 * GPUs have in them ({@code ncclTopoPreset}, {@code nccl:src/graph/connect.cc}). A node is what
 * NCCL takes for one: the GPUs of a machine that reach each other without the network. Ranks in
 * here are those on the machine.
 */
final class NodeTemplate {
  private final Domain domain;
  private final NodeGraphs graphs;
  private final List<GpuNode> gpus;
  private final Map<GraphKind, List<ChannelOrder>> orders = new EnumMap<>(GraphKind.class);
  private final List<Integer> nvlsHeads;

  NodeTemplate(Domain domain, NodeGraphs graphs) {
    this.domain = domain;
    this.graphs = graphs;
    this.gpus =
        domain.topology().gpus().stream().sorted(Comparator.comparingInt(GpuNode::rank)).toList();
    for (GraphKind kind : GraphKind.values()) {
      if (kind != GraphKind.NVLS) {
        orders.put(kind, orders(kind));
      }
    }
    this.nvlsHeads =
        graphs.get(GraphKind.NVLS).channels().stream()
            .map(channel -> channel.ranks().get(0))
            .distinct()
            .toList();
  }

  private List<ChannelOrder> orders(GraphKind kind) {
    List<Integer> all = gpus.stream().map(GpuNode::rank).toList();
    for (Channel channel : graphs.get(kind).channels()) {
      if (!channel.ranks().stream().sorted().toList().equals(all)) {
        throw new IllegalArgumentException(
            "a channel of the %s graph has ranks %s, expected each GPU of the node once"
                .formatted(kind.label(), channel.ranks()));
      }
    }
    return graphs.get(kind).channels().stream().map(ChannelOrder::new).toList();
  }

  Domain domain() {
    return domain;
  }

  NodeGraphs graphs() {
    return graphs;
  }

  /** The GPUs by rank. */
  List<GpuNode> gpus() {
    return gpus;
  }

  /** The GPU with a rank. */
  GpuNode gpu(int rank) {
    return gpus.stream().filter(gpu -> gpu.rank() == rank).findFirst().orElseThrow();
  }

  int size() {
    return gpus.size();
  }

  Pattern treePattern() {
    return graphs.get(GraphKind.TREE).pattern();
  }

  /**
   * Whether neighbouring rings change places on every other node, so that they stay on one rail.
   */
  boolean alternatesRings() {
    return graphs.get(GraphKind.RING).crossNic() == domain.profile().connect().alternatingCrossNic;
  }

  /** The GPUs of a searched channel; not for NVLS, whose channels have no order. */
  ChannelOrder order(GraphKind kind, int channel) {
    return Objects.requireNonNull(orders.get(kind)).get(channel);
  }

  /** The rank at which the tree of a channel leaves for its parent node. */
  int treeToParent(int channel) {
    return order(GraphKind.TREE, channel).first();
  }

  /** The rank at which the tree of a channel is joined by its first child node. */
  int treeToChild0(int channel) {
    return treeEnd(channel, treePattern() == Pattern.TREE ? 0 : 1);
  }

  /** The rank at which the tree of a channel is joined by its second child node. */
  int treeToChild1(int channel) {
    return treeEnd(channel, treePattern() == Pattern.SPLIT_TREE ? 1 : 0);
  }

  private int treeEnd(int channel, int place) {
    ChannelOrder order = order(GraphKind.TREE, channel);
    return order.at(Math.min(place, order.size() - 1));
  }

  /** The GPUs that are heads of NVLS, each once. */
  List<Integer> nvlsHeads() {
    return nvlsHeads;
  }
}
