package dev.topo.search.connect;

import dev.topo.model.graph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.graph.Pattern;
import dev.topo.model.node.GpuNode;
import dev.topo.search.path.Domain;
import java.util.Comparator;
import java.util.List;

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
  private final List<ChannelOrder> rings;
  private final List<ChannelOrder> trees;
  private final List<ChannelOrder> chains;
  private final List<ChannelOrder> directs;
  private final List<Integer> nvlsHeads;

  NodeTemplate(Domain domain, NodeGraphs graphs) {
    this.domain = domain;
    this.graphs = graphs;
    this.gpus =
        domain.topology().gpus().stream().sorted(Comparator.comparingInt(GpuNode::rank)).toList();
    this.rings = orders(GraphKind.RING);
    this.trees = orders(GraphKind.TREE);
    this.chains = orders(GraphKind.COLLNET_CHAIN);
    this.directs = orders(GraphKind.COLLNET_DIRECT);
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

  ChannelOrder ring(int channel) {
    return rings.get(channel);
  }

  ChannelOrder tree(int channel) {
    return trees.get(channel);
  }

  ChannelOrder chain(int channel) {
    return chains.get(channel);
  }

  ChannelOrder direct(int channel) {
    return directs.get(channel);
  }

  /** The rank at which the tree of a channel leaves for its parent node. */
  int treeToParent(int channel) {
    return tree(channel).first();
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
    ChannelOrder order = tree(channel);
    return order.at(Math.min(place, order.size() - 1));
  }

  /** The GPUs that are heads of NVLS, each once. */
  List<Integer> nvlsHeads() {
    return nvlsHeads;
  }
}
