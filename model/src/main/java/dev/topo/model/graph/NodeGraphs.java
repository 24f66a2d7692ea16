package dev.topo.model.graph;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All graphs of one node. Immutable. */
public final class NodeGraphs {
  private final Map<GraphKind, ChannelGraph> graphs;

  /** Graphs of different kinds; a kind that is missing counts as not searched for. */
  public NodeGraphs(List<ChannelGraph> graphs) {
    this.graphs = new EnumMap<>(GraphKind.class);
    for (ChannelGraph graph : graphs) {
      if (this.graphs.put(graph.kind(), graph) != null) {
        throw new IllegalArgumentException("two graphs of kind " + graph.kind());
      }
    }
  }

  public ChannelGraph get(GraphKind kind) {
    ChannelGraph graph = graphs.get(kind);
    return graph == null ? ChannelGraph.none(kind) : graph;
  }

  /** The graph of one kind, with channels or without; empty if it is missing. */
  public Optional<ChannelGraph> find(GraphKind kind) {
    return Optional.ofNullable(graphs.get(kind));
  }

  /** One graph of each kind, in NCCL's order. */
  public List<ChannelGraph> all() {
    return Arrays.stream(GraphKind.values()).map(this::get).toList();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeGraphs graphsOfNode && all().equals(graphsOfNode.all());
  }

  @Override
  public int hashCode() {
    return all().hashCode();
  }

  @Override
  public String toString() {
    return all().toString();
  }
}
