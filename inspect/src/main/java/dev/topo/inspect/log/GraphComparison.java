package dev.topo.inspect.log;

import dev.topo.inspect.log.Fact.Topic;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextWriter;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Domain.SystemBandwidth;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares topo's machine, paths and graphs of a node with the lines of its ranks. */
final class GraphComparison {
  private static final int BW_DECIMALS = 6;

  private final Domain domain;
  private final NodeGraphs found;
  private final Facts facts;
  private final Map<Integer, NodeId> gpuOfRank;

  GraphComparison(Domain domain, NodeGraphs found, Facts facts) {
    this.domain = domain;
    this.found = found;
    this.facts = facts;
    this.gpuOfRank =
        domain.topology().gpus().stream().collect(Collectors.toMap(GpuNode::rank, GpuNode::id));
  }

  void compare(GraphLog log) {
    log.system().ifPresent(this::system);
    Map<String, Integer> indexes = indexes(domain.topology());
    log.paths().forEach(path -> path(indexes, path));
    for (int g = 0; g < log.graphs().size(); g++) {
      GraphKind kind = kind(log.graphs().get(g), g);
      graph(kind.label(), log.graphs().get(g), found.get(kind));
    }
  }

  private void system(GraphLog.SystemLines system) {
    SystemBandwidth computed = SystemBandwidth.of(domain);
    facts.add(Topic.SYSTEM, "maxBw", system.maxBwGBps(), Facts.rounded(computed.maxGBps(), 1));
    facts.add(
        Topic.SYSTEM, "totalBw", system.totalBwGBps(), Facts.rounded(computed.totalGBps(), 1));
  }

  private static Map<String, Integer> indexes(Topology topology) {
    return Arrays.stream(NodeType.values())
        .flatMapToInt(type -> Arrays.stream(topology.indexes(type)))
        .boxed()
        .collect(Collectors.toMap(i -> name(topology.node(i)), Function.identity()));
  }

  private static String name(Node node) {
    return new NodeName(node.type(), node.id()).toString();
  }

  private void path(Map<String, Integer> indexes, GraphLog.Path path) {
    Integer from = indexes.get(path.from().toString());
    Integer to = indexes.get(path.to().toString());
    String where = path.from() + " to " + path.to();
    String expected = path(path.hops(), path.bwGBps(), path.type());
    if (from == null || to == null) {
      facts.add(Topic.PATH, where, expected, Facts.NOTHING);
      return;
    }
    facts.add(
        Topic.PATH,
        where,
        expected,
        path(
            domain.paths().hops(from, to),
            Facts.rounded(domain.paths().bwGBps(from, to), 1),
            domain.paths().type(from, to)));
  }

  private static String path(int hops, BigDecimal bwGBps, PathType type) {
    return hops + "/" + bwGBps + "/" + type;
  }

  /**
   * Kind of a graph: NCCL first searches rings, then trees; the others are identified by their
   * patterns.
   */
  private static GraphKind kind(GraphLog.Graph graph, int index) {
    return switch (graph.pattern()) {
      case RING -> GraphKind.RING;
      case NVLS -> GraphKind.NVLS;
      case COLLNET_DIRECT -> GraphKind.COLLNET_DIRECT;
      case BALANCED_TREE, SPLIT_TREE, TREE -> index <= 1 ? GraphKind.TREE : GraphKind.COLLNET_CHAIN;
    };
  }

  private void graph(String label, GraphLog.Graph log, ChannelGraph computed) {
    GraphLog.Graph asInLog =
        new GraphLog.Graph(
            computed.pattern(),
            computed.crossNic(),
            computed.nChannels(),
            Facts.rounded(computed.bwIntra(), BW_DECIMALS),
            Facts.rounded(computed.bwInter(), BW_DECIMALS),
            computed.typeIntra(),
            computed.typeInter(),
            computed.sameChannels(),
            List.of());
    facts.add(Topic.GRAPH, label, text(log), text(asInLog));
    for (int c = 0; c < log.channels().size(); c++) {
      int channel = c;
      facts.addIf(
          c < computed.nChannels(),
          Topic.GRAPH_CHANNEL,
          label + " " + c,
          names(log.channels().get(c)),
          () -> names(nodes(computed.kind(), computed.channels().get(channel))));
    }
  }

  private static String text(GraphLog.Graph graph) {
    return TextWriter.format(
        "pattern %d, crossNic %d, nChannels %d, bw %s/%s, type %s/%s, sameChannels %d",
        graph.pattern().number(),
        graph.crossNic(),
        graph.nChannels(),
        graph.bwIntra(),
        graph.bwInter(),
        graph.typeIntra(),
        graph.typeInter(),
        graph.sameChannels() ? 1 : 0);
  }

  private static String names(List<NodeName> nodes) {
    return QuantityFormat.joined(" ", nodes, NodeName::toString);
  }

  /** Nodes of a channel; for NVLS NCCL logs the head only. */
  private List<NodeName> nodes(GraphKind kind, Channel channel) {
    List<NodeName> nodes = new ArrayList<>();
    channel.nets().ifPresent(nets -> nodes.add(new NodeName(NodeType.NET, nets.in())));
    channel.ranks().stream()
        .limit(kind == GraphKind.NVLS ? 1 : Long.MAX_VALUE)
        .map(gpuOfRank::get)
        .forEach(gpu -> nodes.add(new NodeName(NodeType.GPU, gpu)));
    channel.nets().ifPresent(nets -> nodes.add(new NodeName(NodeType.NET, nets.out())));
    return nodes;
  }
}
