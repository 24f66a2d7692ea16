package dev.topo.search.connect;

import dev.topo.model.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.search.rules.PathRules;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The properties of graphs on which the nodes of a job agree, so that all ranks tune alike: of
 * everything the worst that a node has, and as many trees as rings ({@code initTransportsRank},
 * {@code nccl:src/init.cc}). Immutable.
 */
final class GraphAgreement {
  private final Map<GraphKind, Terms> terms = new EnumMap<>(GraphKind.class);

  /** The agreement about the graphs of one kind. */
  private static final class Terms {
    private int nChannels = Integer.MAX_VALUE;
    private boolean sameChannels = true;
    private float bwIntra = Float.POSITIVE_INFINITY;
    private float bwInter = Float.POSITIVE_INFINITY;
    private PathType typeIntra = PathType.LOC;
    private PathType typeInter = PathType.LOC;
    private int crossNic;

    void add(ChannelGraph graph, PathRules paths) {
      nChannels = Math.min(nChannels, graph.nChannels());
      sameChannels &= graph.sameChannels();
      bwIntra = Math.min(bwIntra, graph.bwIntra());
      bwInter = Math.min(bwInter, graph.bwInter());
      typeIntra = paths.farther(typeIntra, graph.typeIntra());
      typeInter = paths.farther(typeInter, graph.typeInter());
      crossNic = Math.max(crossNic, graph.crossNic());
    }

    ChannelGraph applyTo(ChannelGraph graph) {
      return new ChannelGraph(
          graph.kind(),
          graph.pattern(),
          crossNic,
          bwIntra,
          bwInter,
          graph.latencyInter(),
          typeIntra,
          typeInter,
          sameChannels,
          graph.channels().subList(0, nChannels));
    }
  }

  /** The agreement of nodes with these graphs; equal nodes may be left out. */
  GraphAgreement(Collection<NodeGraphs> graphs, PathRules paths) {
    for (NodeGraphs ofNode : graphs) {
      for (ChannelGraph graph : ofNode.all()) {
        terms.computeIfAbsent(graph.kind(), kind -> new Terms()).add(graph, paths);
      }
    }
    int nChannels = Math.min(nChannels(GraphKind.RING), nChannels(GraphKind.TREE));
    terms(GraphKind.RING).nChannels = nChannels;
    terms(GraphKind.TREE).nChannels = nChannels;
  }

  private Terms terms(GraphKind kind) {
    return Objects.requireNonNull(terms.get(kind));
  }

  int nChannels(GraphKind kind) {
    return terms(kind).nChannels;
  }

  float bwIntra(GraphKind kind) {
    return terms(kind).bwIntra;
  }

  float bwInter(GraphKind kind) {
    return terms(kind).bwInter;
  }

  /**
   * The graphs of a node as its ranks use them from here on: pattern, latency and the order of GPUs
   * are the node's own.
   */
  NodeGraphs applyTo(NodeGraphs graphs) {
    return new NodeGraphs(
        graphs.all().stream().map(graph -> terms(graph.kind()).applyTo(graph)).toList());
  }
}
