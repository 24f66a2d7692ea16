package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Topology;
import dev.topo.model.fixture.Growth;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.ConnectionVerifier;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologyReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Connections of jobs as large as the largest clusters, in the memory that tests have: one of equal
 * machines is searched, and what is allocated grows with the ranks. How long they take is measured
 * by ConnectBenchmark and stated in docs/performance.md.
 */
class ConnectScaleTest {
  private static Machine dgx;

  @BeforeAll
  static void readMachine() {
    ReferenceCase own =
        ReferenceSets.own().stream()
            .filter(test -> test.name().equals("dgx-h100"))
            .findFirst()
            .orElseThrow();
    dgx = new Machine(own.topology(), NcclSettings.DEFAULTS);
  }

  @Test
  void searchesOneOfThousandEqualMachines() {
    askEverything(dgx, 1024);
  }

  @Test
  void theWorkGrowsWithTheMachines() {
    GraphSource known = knownGraphs();
    Growth.assertLinear(
        "bytes allocated for a connection and its links",
        500,
        machines ->
            Growth.bytesAllocated(
                machines, n -> sumOfLinks(Connection.of(Job.ofEqual(dgx, n), known))));
  }

  /** Graphs that are searched before they are needed, as the search does not depend on the job. */
  private static GraphSource knownGraphs() {
    List<NodeGraphs> graphs = new ArrayList<>();
    Connection.of(
        Job.ofEqual(dgx, 2),
        (domain, settings, inputs) -> {
          graphs.add(GraphSearch.findAll(domain, settings, inputs));
          return graphs.get(0);
        });
    return (domain, settings, inputs) -> graphs.get(0);
  }

  private static long sumOfLinks(Connection connection) {
    long sum = 0;
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      for (int rank = 0; rank < connection.nRanks(); rank++) {
        sum += connection.rings().prev(channel, rank);
        sum += connection.rings().next(channel, rank);
        sum += connection.trees().links(channel, rank).up();
      }
    }
    return sum;
  }

  @Test
  void searchesOneOfManyEqualRacks() {
    XmlElement tray =
        new XmlReader().read(ReferenceSets.shipped("gb200-tray.xml"), new Inputs()).root();
    XmlElement rack = NvlinkDomain.fuse(Collections.nCopies(18, tray));
    XmlDocument document = new XmlDocument(List.of(), rack, List.of());
    Topology topology = new TopologyReader().map(document, GpuSelection.ALL, new Diagnostics());
    askEverything(new Machine(topology, NcclSettings.DEFAULTS), 250);
  }

  @Test
  @Tag("slow")
  void searchesOneOfTheEqualMachinesOfHundredThousandGpus() {
    askEverything(dgx, 12_500);
  }

  @Test
  @Tag("slow")
  void connectionOfHundredThousandGpusIsRight() {
    Connection connection = Connection.of(Job.ofEqual(dgx, 12_500));
    assertEquals(List.of(), ConnectionVerifier.verify(connection));
  }

  /**
   * Connects, which may search one of the equal machines only, and asks for the neighbours of every
   * rank in every channel.
   */
  private static void askEverything(Machine machine, int machines) {
    AtomicInteger searches = new AtomicInteger();
    Connection connection =
        Connection.of(
            Job.ofEqual(machine, machines),
            (domain, settings, inputs) -> {
              searches.incrementAndGet();
              return GraphSearch.findAll(domain, settings, new Inputs());
            });
    long sumOfNeighbours = 0;
    int roots = 0;
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      for (int rank = 0; rank < connection.nRanks(); rank++) {
        sumOfNeighbours += connection.rings().prev(channel, rank);
        sumOfNeighbours += connection.rings().next(channel, rank);
        roots += connection.trees().links(channel, rank).up() == Connection.NONE ? 1 : 0;
      }
    }
    System.out.println(
        "connect scale %d ranks, %d channels: %d search"
            .formatted(connection.nRanks(), connection.nChannels(), searches.get()));
    assertEquals(1, searches.get(), "searches");
    long ranks = connection.nRanks();
    assertEquals(connection.nChannels() * ranks * (ranks - 1), sumOfNeighbours);
    assertEquals(connection.nChannels(), roots);
  }
}
