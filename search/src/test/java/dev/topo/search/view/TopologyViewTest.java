package dev.topo.search.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.job.GpuSelection;
import dev.topo.search.topology.TopologyReader;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jgrapht.Graph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopologyViewTest {
  private static Topology read(Path file) {
    return new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics());
  }

  @ParameterizedTest
  @MethodSource("dev.topo.model.fixture.ShippedMachines#files")
  void viewEqualsTheTopology(Path file) {
    Topology topology = read(file);
    Graph<Integer, Link> view = TopologyView.of(topology);
    assertEquals(
        IntStream.range(0, topology.size()).boxed().collect(Collectors.toSet()), view.vertexSet());
    Set<Link> links = new HashSet<>();
    for (int node = 0; node < topology.size(); node++) {
      links.addAll(topology.links(node));
      assertEquals(new HashSet<>(topology.links(node)), view.outgoingEdgesOf(node));
    }
    assertEquals(links, view.edgeSet());
    for (Link link : links) {
      assertEquals(link.from(), view.getEdgeSource(link));
      assertEquals(link.to(), view.getEdgeTarget(link));
      assertEquals(link.bwGBps(), view.getEdgeWeight(link));
    }
  }

  @Test
  void viewIsDirectedWeightedAndCannotBeChanged() {
    Topology topology =
        read(Path.of(System.getProperty("topo.root")).resolve("topologies/dgx-1v.xml"));
    Graph<Integer, Link> view = TopologyView.of(topology);
    assertTrue(view.getType().isDirected());
    assertTrue(view.getType().isWeighted());
    Link link = List.copyOf(view.edgeSet()).get(0);
    assertSame(topology.links(link.from()).get(0), link);
    assertThrows(UnsupportedOperationException.class, () -> view.addVertex(1_000));
    assertThrows(UnsupportedOperationException.class, () -> view.removeEdge(link));
    assertThrows(UnsupportedOperationException.class, () -> view.setEdgeWeight(link, 1));
  }
}
