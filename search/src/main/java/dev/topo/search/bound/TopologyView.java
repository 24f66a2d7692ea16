package dev.topo.search.bound;

import dev.topo.model.Link;
import java.util.Collection;
import java.util.function.IntUnaryOperator;
import org.jgrapht.Graph;
import org.jgrapht.graph.AsUnmodifiableGraph;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

/** Converts links of a topology into a graph with capacities. */
final class TopologyView {
  private TopologyView() {}

  /**
   * Returns an undirected graph of the given links. The weight of an edge is the total bandwidth in
   * GB/s of all links between its ends, in both directions. The graph is unmodifiable.
   *
   * @param vertexOf maps a node to its vertex; nodes with the same vertex are merged, and links
   *     between them are omitted
   */
  static Graph<Integer, DefaultWeightedEdge> of(Collection<Link> links, IntUnaryOperator vertexOf) {
    Graph<Integer, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    for (Link link : links) {
      int from = vertexOf.applyAsInt(link.from());
      int to = vertexOf.applyAsInt(link.to());
      graph.addVertex(from);
      graph.addVertex(to);
      if (from == to) {
        continue;
      }
      DefaultWeightedEdge edge = graph.getEdge(from, to);
      if (edge == null) {
        graph.setEdgeWeight(graph.addEdge(from, to), link.bwGBps());
      } else {
        graph.setEdgeWeight(edge, graph.getEdgeWeight(edge) + link.bwGBps());
      }
    }
    return new AsUnmodifiableGraph<>(graph);
  }
}
