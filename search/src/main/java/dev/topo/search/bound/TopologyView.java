package dev.topo.search.bound;

import dev.topo.model.Link;
import java.util.Collection;
import java.util.function.IntUnaryOperator;
import org.jgrapht.Graph;
import org.jgrapht.graph.AsUnmodifiableGraph;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

/** Links of a topology as a graph with capacities. */
final class TopologyView {
  private TopologyView() {}

  /**
   * An undirected graph of some links. The weight of an edge is the bandwidth in GB/s of all links
   * between its ends, in both directions. Unmodifiable.
   *
   * @param vertexOf the vertex of a node; nodes with one vertex are merged, and links between them
   *     are left out
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
