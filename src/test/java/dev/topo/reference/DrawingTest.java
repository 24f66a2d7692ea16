package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Topology;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.visualizer.drawing.ChannelRoute;
import dev.topo.visualizer.drawing.Drawing;
import dev.topo.visualizer.drawing.Edge;
import dev.topo.visualizer.drawing.JobFlow;
import dev.topo.visualizer.drawing.JobFlow.Shape;
import dev.topo.visualizer.drawing.JobFlowFinder;
import dev.topo.visualizer.drawing.JobLayout;
import dev.topo.visualizer.drawing.MachineLayout;
import dev.topo.visualizer.drawing.RouteFinder;
import dev.topo.visualizer.drawing.SvgPicture;
import dev.topo.visualizer.drawing.SvgWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pictures of machines: no text over another, over a link or over the border of a box, no link
 * behind a box or over another, and every link is there. Looked for in the SVG itself.
 */
class DrawingTest {
  private static final int MACHINES = RandomCases.count(150, 400);
  private static final double LABEL_SIZE = 9;

  private static List<Path> shippedMachines() throws IOException {
    try (Stream<Path> files = Files.list(ReferenceSets.topologies())) {
      return files.filter(file -> file.toString().endsWith(".xml")).sorted().toList();
    }
  }

  private static Topology read(Path file) {
    return new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics());
  }

  @ParameterizedTest
  @MethodSource("shippedMachines")
  void everyMachineOfTheProjectIsDrawnCleanly(Path file) {
    Topology topology = read(file);
    checkMachine(topology, file.getFileName().toString());
    checkRoutes(file, topology, false);
  }

  private static List<Path> machinesOfSeveralNodes() throws IOException {
    return Thorough.orEvery(4, 0, shippedMachines(), "machines, drawn with routes between nodes");
  }

  @ParameterizedTest
  @MethodSource("machinesOfSeveralNodes")
  void routesBetweenNodesAreDrawnCleanly(Path file) {
    checkRoutes(file, read(file), true);
  }

  @Test
  @Tag("slow")
  void machinesAtRandomAreDrawnCleanly() {
    for (long seed = 1; seed <= MACHINES; seed++) {
      checkMachine(RandomMachine.of(seed), "seed " + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"random", "public"})
  @Tag("slow")
  void machinesOfTheReferenceSetsAreDrawnCleanly(String set) {
    for (ReferenceCase machine : ReferenceSets.of(set)) {
      checkMachine(machine.topology(), set + " " + machine.name());
    }
  }

  private static void checkMachine(Topology topology, String name) {
    Drawing drawing = MachineLayout.draw(name, topology, Optional.empty());
    check(drawing, name);
    long drawn = drawing.wires().stream().filter(wire -> !wire.hint().isEmpty()).count();
    assertEquals(Edge.of(topology).size(), drawn, "links of " + name);
    long ports = topology.nets().size();
    long labels = drawing.captions().stream().filter(c -> c.line().size() == LABEL_SIZE).count();
    assertEquals(drawn - ports, labels, "labels of " + name);
  }

  private static void checkRoutes(Path file, Topology topology, boolean crossesNetwork) {
    String name = file.getFileName().toString();
    GraphSource graphs = SharedGraphs.GRAPHS;
    for (Domain domain :
        DomainFinder.find(topology, NcclSettings.DEFAULTS, crossesNetwork, NcclProfile.DEFAULT)) {
      for (ChannelGraph graph : graphs.graphs(domain, NcclSettings.DEFAULTS, new Inputs()).all()) {
        for (int channel = 0; channel < graph.nChannels(); channel++) {
          ChannelRoute route = new RouteFinder(domain).find(graph, channel);
          check(
              MachineLayout.draw(name, domain.topology(), Optional.of(route)),
              name + " " + graph.kind() + " " + channel);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 7, 16, 17, 40, 256})
  void jobsAreDrawnCleanly(int nNodes) {
    for (String file : List.of("dgx-h100.xml", "rtx4090-2.xml", "hgx-h200-4nic.xml")) {
      Machine machine = new Machine(read(ReferenceSets.shipped(file)), NcclSettings.DEFAULTS);
      Connection connection = Connection.of(Job.ofEqual(machine, nNodes), GraphSearch::findAll);
      JobFlowFinder finder = new JobFlowFinder(connection);
      List<JobFlow> flows = new ArrayList<>(finder.all(Shape.RING));
      flows.addAll(finder.all(Shape.TREE));
      for (JobFlow flow : flows) {
        int hops = flow.shape() == Shape.RING ? nNodes : nNodes - 1;
        assertEquals(hops, flow.hops().size(), file + " " + flow.title(true));
      }
      check(JobLayout.draw(file, "", flows), file + " x " + nNodes);
    }
  }

  private static void check(Drawing drawing, String name) {
    assertEquals(List.of(), new SvgPicture(SvgWriter.write(drawing)).faults(), name);
  }
}
