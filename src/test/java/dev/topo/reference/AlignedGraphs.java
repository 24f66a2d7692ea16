package dev.topo.reference;

import dev.topo.model.PathType;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import java.util.ArrayList;
import java.util.List;

/**
 * What the graphs of several nodes have in common: the fewest channels, the least bandwidth, the
 * farthest paths ({@code initTransportsRank}, {@code nccl:src/init.cc}, NCCL 2.28.9).
 */
final class AlignedGraphs {
  private AlignedGraphs() {}

  static NodeGraphs of(List<NodeGraphs> nodes) {
    int ringChannels = nChannels(nodes, GraphKind.RING);
    int treeChannels = nChannels(nodes, GraphKind.TREE);
    List<ChannelGraph> aligned = new ArrayList<>();
    for (GraphKind kind : GraphKind.values()) {
      // Rings and trees share their channels.
      boolean shared = kind == GraphKind.RING || kind == GraphKind.TREE;
      int channels = shared ? Math.min(ringChannels, treeChannels) : nChannels(nodes, kind);
      ChannelGraph graph = nodes.get(0).get(kind);
      for (NodeGraphs node : nodes) {
        graph = common(graph, node.get(kind));
      }
      aligned.add(withChannels(graph, graph.channels().subList(0, channels)));
    }
    return new NodeGraphs(aligned);
  }

  private static int nChannels(List<NodeGraphs> nodes, GraphKind kind) {
    return nodes.stream().mapToInt(node -> node.get(kind).nChannels()).min().orElseThrow();
  }

  private static ChannelGraph common(ChannelGraph a, ChannelGraph b) {
    return new ChannelGraph(
        a.kind(),
        a.pattern(),
        Math.max(a.crossNic(), b.crossNic()),
        Math.min(a.bwIntra(), b.bwIntra()),
        Math.min(a.bwInter(), b.bwInter()),
        a.latencyInter(),
        PathType.farther(a.typeIntra(), b.typeIntra()),
        PathType.farther(a.typeInter(), b.typeInter()),
        a.sameChannels() && b.sameChannels(),
        a.channels());
  }

  private static ChannelGraph withChannels(ChannelGraph graph, List<Channel> channels) {
    return new ChannelGraph(
        graph.kind(),
        graph.pattern(),
        graph.crossNic(),
        graph.bwIntra(),
        graph.bwInter(),
        graph.latencyInter(),
        graph.typeIntra(),
        graph.typeInter(),
        graph.sameChannels(),
        channels);
  }
}
