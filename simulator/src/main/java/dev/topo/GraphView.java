package dev.topo;

import dev.topo.model.Link;
import dev.topo.model.Node;
import dev.topo.model.Topology;
import org.jgrapht.Graph;
import org.jgrapht.graph.AsUnmodifiableGraph;
import org.jgrapht.graph.DirectedWeightedMultigraph;

/** Converts a topology to a graph of JGraphT. */
final class GraphView {
  private GraphView() {}

  /** An unmodifiable graph of all nodes and directed links, weighted by bandwidth in GB/s. */
  static Graph<Node, Link> of(Topology topology) {
    Graph<Node, Link> graph = new DirectedWeightedMultigraph<>(Link.class);
    topology.nodes().forEach(graph::addVertex);
    for (int node = 0; node < topology.size(); node++) {
      for (Link link : topology.links(node)) {
        graph.addEdge(topology.node(link.from()), topology.node(link.to()), link);
        graph.setEdgeWeight(link, link.bwGBps());
      }
    }
    return new AsUnmodifiableGraph<>(graph);
  }
}
