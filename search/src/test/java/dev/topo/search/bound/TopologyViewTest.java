package dev.topo.search.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.search.topology.TopologyReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopologyViewTest {
  private static List<Link> links(Topology topology) {
    List<Link> links = new ArrayList<>();
    for (int node = 0; node < topology.size(); node++) {
      links.addAll(topology.links(node));
    }
    return links;
  }

  /** Every pair of nodes has the bandwidth of its links, whatever their type and direction. */
  @ParameterizedTest
  @MethodSource("dev.topo.model.fixture.ShippedMachines#files")
  void viewEqualsTheTopology(Path file) {
    List<Link> links = links(new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics()));
    Graph<Integer, DefaultWeightedEdge> view = TopologyView.of(links, node -> node);
    for (Integer a : view.vertexSet()) {
      for (Integer b : view.vertexSet()) {
        double bandwidth =
            links.stream()
                .filter(
                    link ->
                        (link.from() == a && link.to() == b)
                            || (link.from() == b && link.to() == a))
                .filter(link -> link.from() != link.to())
                .mapToDouble(Link::bwGBps)
                .sum();
        assertEquals(bandwidth > 0, view.containsEdge(a, b));
        if (bandwidth > 0) {
          assertEquals(bandwidth, view.getEdgeWeight(view.getEdge(a, b)), 1e-6);
        }
      }
    }
    links.forEach(link -> assertTrue(view.vertexSet().containsAll(Set.of(link.from()))));
  }

  @Test
  void mergesNodesAndCannotBeChanged() {
    List<Link> links =
        List.of(
            new Link(0, 1, LinkType.NVL, 10),
            new Link(1, 0, LinkType.NVL, 20),
            new Link(0, 2, LinkType.PCI, 5),
            new Link(1, 2, LinkType.PCI, 7));
    Graph<Integer, DefaultWeightedEdge> apart = TopologyView.of(links, node -> node);
    assertEquals(30, apart.getEdgeWeight(apart.getEdge(0, 1)));
    assertFalse(apart.getType().isDirected());
    Graph<Integer, DefaultWeightedEdge> merged = TopologyView.of(links, node -> Math.max(node, 1));
    assertEquals(Set.of(1, 2), merged.vertexSet());
    assertEquals(12, merged.getEdgeWeight(merged.getEdge(1, 2)));
    assertThrows(UnsupportedOperationException.class, () -> merged.addVertex(1_000));
    assertThrows(UnsupportedOperationException.class, () -> merged.removeEdge(1, 2));
    assertThrows(
        UnsupportedOperationException.class, () -> merged.setEdgeWeight(merged.getEdge(1, 2), 1));
  }
}
