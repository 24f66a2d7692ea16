package dev.topo.search.channel;

import dev.topo.model.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the nodes of a job agree on about their graphs, so that all ranks tune alike: of everything
 * the worst that a node has, and as many trees as rings ({@code initTransportsRank}, {@code
 * nccl:src/init.cc}). Immutable.
 */
public final class GraphAgreement {
  private final Map<GraphKind, Terms> terms = new EnumMap<>(GraphKind.class);

  /** What is agreed on about the graphs of one kind. */
  private record Terms(
      int nChannels,
      boolean sameChannels,
      float bwIntra,
      float bwInter,
      PathType typeIntra,
      PathType typeInter,
      int crossNic) {
    static Terms of(ChannelGraph graph) {
      return new Terms(
          graph.nChannels(),
          graph.sameChannels(),
          graph.bwIntra(),
          graph.bwInter(),
          graph.typeIntra(),
          graph.typeInter(),
          graph.crossNic());
    }

    Terms with(Terms other) {
      return new Terms(
          Math.min(nChannels, other.nChannels),
          sameChannels && other.sameChannels,
          Math.min(bwIntra, other.bwIntra),
          Math.min(bwInter, other.bwInter),
          PathType.farther(typeIntra, other.typeIntra),
          PathType.farther(typeInter, other.typeInter),
          Math.max(crossNic, other.crossNic));
    }

    Terms withChannels(int newNChannels) {
      return new Terms(
          newNChannels, sameChannels, bwIntra, bwInter, typeIntra, typeInter, crossNic);
    }

    ChannelGraph applyTo(ChannelGraph own) {
      return new ChannelGraph(
          own.kind(),
          own.pattern(),
          crossNic,
          bwIntra,
          bwInter,
          own.latencyInter(),
          typeIntra,
          typeInter,
          sameChannels,
          own.channels().subList(0, nChannels));
    }
  }

  /** The agreement of nodes with these graphs; equal nodes may be left out. */
  public GraphAgreement(Collection<NodeGraphs> graphs) {
    for (NodeGraphs ofNode : graphs) {
      for (ChannelGraph graph : ofNode.all()) {
        terms.merge(graph.kind(), Terms.of(graph), Terms::with);
      }
    }
    int nChannels = Math.min(nChannels(GraphKind.RING), nChannels(GraphKind.TREE));
    for (GraphKind kind : List.of(GraphKind.RING, GraphKind.TREE)) {
      terms.put(kind, terms(kind).withChannels(nChannels));
    }
  }

  private Terms terms(GraphKind kind) {
    return Objects.requireNonNull(terms.get(kind));
  }

  public int nChannels(GraphKind kind) {
    return terms(kind).nChannels;
  }

  public float bwIntra(GraphKind kind) {
    return terms(kind).bwIntra;
  }

  public float bwInter(GraphKind kind) {
    return terms(kind).bwInter;
  }

  /**
   * The graphs of a node as its ranks use them from here on: pattern, latency and the order of GPUs
   * are the node's own.
   */
  public NodeGraphs applyTo(NodeGraphs own) {
    List<ChannelGraph> agreed = new ArrayList<>();
    for (ChannelGraph graph : own.all()) {
      agreed.add(terms(graph.kind()).applyTo(graph));
    }
    return new NodeGraphs(agreed);
  }
}
