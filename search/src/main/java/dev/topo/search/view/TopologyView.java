package dev.topo.search.view;

import dev.topo.model.Link;
import dev.topo.model.Topology;
import org.jgrapht.Graph;
import org.jgrapht.graph.AsUnmodifiableGraph;
import org.jgrapht.graph.DirectedWeightedPseudograph;

/** Views of a topology as a graph. */
public final class TopologyView {
  private TopologyView() {}

  /**
   * A directed graph whose vertices are the indexes of the nodes, whose edges are the links and
   * whose weights are bandwidths in GB/s. It cannot be changed.
   */
  public static Graph<Integer, Link> of(Topology topology) {
    Graph<Integer, Link> graph = new DirectedWeightedPseudograph<>(Link.class);
    for (int node = 0; node < topology.size(); node++) {
      graph.addVertex(node);
    }
    for (int node = 0; node < topology.size(); node++) {
      for (Link link : topology.links(node)) {
        graph.addEdge(link.from(), link.to(), link);
        graph.setEdgeWeight(link, link.bwGBps());
      }
    }
    return new AsUnmodifiableGraph<>(graph);
  }
}
