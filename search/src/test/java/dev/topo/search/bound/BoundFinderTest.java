package dev.topo.search.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link;
import dev.topo.model.Node.NodeType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BoundFinderTest {
  private static Domain domain(TestMachine machine, boolean crossesNetwork) {
    return DomainFinder.find(
            machine.build(), NcclSettings.DEFAULTS, crossesNetwork, NcclProfile.DEFAULT)
        .get(0);
  }

  private static GraphBound bound(Domain domain, GraphKind kind) {
    ChannelGraph graph = GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()).get(kind);
    return new BoundFinder(domain).find(graph).orElseThrow();
  }

  private static TestMachine switchOf(int sm, int gpus, float bwGBps) {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    Vertex[] all = new Vertex[gpus];
    for (int g = 0; g < gpus; g++) {
      all[g] = machine.gpu(cpu, sm);
    }
    machine.nvSwitch(bwGBps, all);
    return machine;
  }

  @Test
  void ringsBehindAnNvSwitchAreBoundedByTheLinkOfAGpu() {
    Domain domain = domain(switchOf(80, 4, 240), false);
    GraphBound bound = bound(domain, GraphKind.RING);
    assertEquals(240, bound.bandwidthGBps());
    assertEquals(240, bound.usedGBps());
    assertEquals(1, bound.share());
    assertEquals(1, bound.cut().gpus().size());
    assertEquals(2, bound.cut().links().size());
    assertEquals(480, bound.cut().capacityGBps());
  }

  /** The last GPU of a chain has its way out to spare: 4 x 240 GB/s for 3 hops. */
  @Test
  void treesMayUseWhatTheLastGpuLeaves() {
    GraphBound bound = bound(domain(switchOf(80, 4, 240), false), GraphKind.TREE);
    assertEquals(320, bound.bandwidthGBps());
    assertEquals(4, bound.cut().links().size());
  }

  /**
   * Each of up to 8 channels takes 1/8 of the bound from every GPU, and twice that from its head.
   */
  @Test
  void headsOfNvlsChannelsCountTwice() {
    GraphBound bound = bound(domain(switchOf(90, 8, 360), false), GraphKind.NVLS);
    assertEquals(320, bound.bandwidthGBps(), 1e-6);
    assertEquals(320, bound.usedGBps());
  }

  @Test
  void pairsOfGpusAreBoundedByTheLinkBetweenThem() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex b = machine.gpu(cpu, 80);
    Vertex c = machine.gpu(cpu, 80);
    Vertex d = machine.gpu(cpu, 80);
    machine.nvlink(a, b, 80);
    machine.nvlink(c, d, 80);
    machine.nvlink(a, c, 40);
    machine.nvlink(b, d, 40);
    GraphBound bound = bound(domain(machine, false), GraphKind.RING);
    assertEquals(80, bound.bandwidthGBps());
    Set<Integer> side = new HashSet<>(bound.cut().gpus());
    assertTrue(side.equals(Set.of(0, 1)) || side.equals(Set.of(2, 3)), "the halves, not " + side);
  }

  @Test
  void portsBoundGraphsOverSeveralNodes() {
    TestMachine machine = new TestMachine();
    Vertex pci = machine.pciSwitch(machine.intel());
    machine.gpu(pci, 80, true, 24);
    machine.gpu(pci, 80, true, 24);
    machine.net(pci, 12.5f);
    Domain domain = domain(machine, true);
    for (GraphKind kind : List.of(GraphKind.RING, GraphKind.TREE)) {
      GraphBound bound = bound(domain, kind);
      assertEquals(12.5, bound.bandwidthGBps(), kind.label());
      assertEquals(12, bound.usedGBps(), kind.label());
      assertEquals(2, bound.cut().gpus().size(), kind.label());
    }
  }

  @Test
  void aGraphWithoutChannelsHasNoBound() {
    Domain domain = domain(switchOf(80, 4, 240), false);
    ChannelGraph none =
        GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()).get(GraphKind.NVLS);
    assertEquals(0, none.nChannels());
    assertTrue(new BoundFinder(domain).find(none).isEmpty());
  }

  /** The flow against all sets of nodes, on machines at random with rings up to SYS. */
  @Test
  void theBoundOfRingsIsThatOfTheNarrowestOfAllSets() {
    int compared = 0;
    for (long seed = 1; seed <= 300; seed++) {
      List<Domain> domains =
          DomainFinder.find(
              RandomMachine.of(seed), NcclSettings.DEFAULTS, false, NcclProfile.DEFAULT);
      Domain domain = domains.get(0);
      ChannelGraph ring =
          GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()).get(GraphKind.RING);
      if (domain.topology().gpus().size() > 1 && domain.topology().size() <= 14) {
        assertEquals(
            narrowest(domain, ring),
            new BoundFinder(domain).find(ring).orElseThrow().bandwidthGBps(),
            1e-6,
            "seed " + seed);
        compared++;
      }
    }
    assertTrue(compared > 50, "only " + compared + " machines are small enough");
  }

  private static double narrowest(Domain domain, ChannelGraph ring) {
    int[] gpus = domain.topology().indexes(NodeType.GPU);
    Set<Link> links = new HashSet<>();
    for (int a : gpus) {
      for (int b : gpus) {
        if (a != b && domain.paths().type(a, b).isWithin(ring.typeIntra())) {
          links.addAll(domain.paths().path(a, b).links());
        }
      }
    }
    double narrowest = Double.POSITIVE_INFINITY;
    for (int set = 1; set < 1 << domain.topology().size(); set++) {
      int inside = 0;
      for (int gpu : gpus) {
        inside += set >> gpu & 1;
      }
      if (inside == 0 || inside == gpus.length) {
        continue;
      }
      double capacity = 0;
      for (Link link : links) {
        capacity += (set >> link.from() & 1) != (set >> link.to() & 1) ? link.bwGBps() : 0;
      }
      narrowest = Math.min(narrowest, capacity / 2);
    }
    return narrowest;
  }
}
