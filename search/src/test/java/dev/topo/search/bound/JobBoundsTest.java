package dev.topo.search.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.fixture.Growth;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.bound.LinkRates.PhysicalLinks;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.connect.Connection;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobBoundsTest {
  private static final double LOOSE = 1e-6;
  private static final double UNLIMITED = 1e6;

  private static Connection connect(Topology topology, int nodes) {
    return Connection.of(Job.ofEqual(new Machine(topology, NcclSettings.DEFAULTS), nodes));
  }

  private static OperationBound bound(Connection connection, Operation operation) {
    return new JobBounds(connection, LinkScope.PATHS).bound(operation).orElseThrow();
  }

  private static Topology switched(int sm, int gpus, int links, float perLink, int ports) {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    Vertex[] all = new Vertex[gpus];
    for (int g = 0; g < gpus; g++) {
      all[g] = machine.gpu(machine.pciSwitch(cpu, 48, 0), sm, true, 48);
    }
    machine.nvSwitch(links * perLink, all);
    for (int port = 0; port < ports; port++) {
      machine.net(cpu, 25);
    }
    return machine.build();
  }

  @Test
  void withoutReductionInSwitchesAllReduceIsBoundedByWhatAllGpusReceive() {
    Connection connection = connect(switched(80, 8, 12, 20, 0), 1);
    OperationBound bound = bound(connection, Collective.ALL_REDUCE);
    assertEquals(300, bound.busbwGBps(), LOOSE);
    assertFalse(bound.reduced());
    assertEquals(8, bound.cut().sides().size());
    assertEquals(300, bound(connection, Collective.ALL_GATHER).busbwGBps(), LOOSE);
    assertEquals(300, bound(connection, PeerOperation.ALLTOALL).busbwGBps(), LOOSE);
    assertEquals(1e9 / 300e3, bound(connection, PeerOperation.SENDRECV).timeUs(1e9), LOOSE);
  }

  /** Every byte leaves a GPU once, and every byte of the result enters it once. */
  @Test
  void switchesThatReduceHalveTheTimeOfAllReduce() {
    Connection connection = connect(switched(90, 8, 18, 20.6f, 0), 1);
    OperationBound bound = bound(connection, Collective.ALL_REDUCE);
    assertEquals(450, bound.algbwGBps(), LOOSE);
    assertTrue(bound.reduced());
    assertEquals(450, bound(connection, Collective.REDUCE_SCATTER).busbwGBps(), LOOSE);
  }

  @Test
  void portsBoundAJobOfSeveralNodes() {
    Topology topology = switched(80, 4, 12, 20, 2);
    OperationBound two = bound(connect(topology, 2), Collective.ALL_REDUCE);
    assertEquals(50, two.algbwGBps(), LOOSE);
    assertEquals(List.of(4), two.cut().sides().stream().map(List::size).toList());
    Connection many = connect(topology, 1024);
    OperationBound bound = bound(many, Collective.ALL_REDUCE);
    assertEquals(50 * 1024 / (2 * 1023.0), bound.algbwGBps(), LOOSE);
    // All but the 4 parts of a node enter it.
    assertEquals(50 * 4096 / 4092.0, bound(many, Collective.ALL_GATHER).algbwGBps(), LOOSE);
    assertEquals(50 * 4096 / (4 * 4092.0), bound(many, PeerOperation.ALLTOALL).algbwGBps(), LOOSE);
  }

  /** Equal nodes are one: their number costs no cut, and little more than a look at each. */
  @Test
  void equalNodesCostNoMoreCuts() {
    Topology topology = switched(80, 4, 12, 20, 2);
    for (Operation operation : List.of(Collective.ALL_REDUCE, PeerOperation.ALLTOALL)) {
      Growth.assertConstant(
          "minimum cuts for " + operation,
          64,
          nodes -> {
            JobBounds bounds = new JobBounds(connect(topology, nodes), LinkScope.PATHS);
            assertTrue(bounds.bound(operation).isPresent());
            return bounds.nMinCuts();
          });
      Growth.assertLinear(
          "bytes allocated for " + operation,
          512,
          nodes -> {
            Connection connection = connect(topology, nodes);
            return Growth.bytesAllocated(nodes, n -> bound(connection, operation));
          });
    }
  }

  @Test
  void oneRankHasNoBound() {
    JobBounds bounds = new JobBounds(connect(switched(80, 1, 12, 20, 0), 1), LinkScope.PATHS);
    assertEquals(Optional.empty(), bounds.bound(Collective.ALL_REDUCE));
  }

  @Test
  void linksBesideThoseOfPathsCountIfAllDo() {
    Connection connection = connect(switched(80, 4, 12, 20, 0), 1);
    double all =
        new JobBounds(connection, LinkScope.ALL)
            .bound(Collective.ALL_GATHER)
            .orElseThrow()
            .busbwGBps();
    assertEquals(300 + 63.015, all, 1e-3);
  }

  /** A ring of NVLinks is full with one ring in each direction; NCCL finds both. */
  @Test
  void channelsThatFillAllLinksReachTheBound() {
    Connection connection = connect(switched(80, 4, 12, 20, 0), 1);
    ChannelGraph rings = connection.searchedGraphs(0).get(GraphKind.RING);
    double algbw =
        new GraphRate(connection.domain(0), connection.nNodes())
            .algbwGBps(rings, Collective.ALL_REDUCE, 4)
            .orElseThrow();
    assertEquals(bound(connection, Collective.ALL_REDUCE).algbwGBps(), algbw, LOOSE);
  }

  /** All cuts of small machines, counted one by one without flows. */
  private static final class Enumeration {
    final int vertices;
    final List<Integer> gpus = new ArrayList<>();
    final int outside;
    final int ranksOutside;
    final double[] into;
    final double[] outOf;

    Enumeration(Domain domain, int nodes) {
      Topology topology = domain.topology();
      for (int gpu : topology.indexes(NodeType.GPU)) {
        gpus.add(gpu);
      }
      ranksOutside = (nodes - 1) * gpus.size();
      vertices = topology.size() + (nodes > 1 ? 1 : 0);
      outside = nodes > 1 ? topology.size() : -1;
      into = new double[1 << vertices];
      outOf = new double[1 << vertices];
      List<Link> links = new ArrayList<>();
      List<Double> rates = new ArrayList<>();
      PhysicalLinks.of(domain, LinkScope.PATHS, false)
          .gbps()
          .forEach(
              (link, gbps) -> {
                links.add(link);
                rates.add(gbps);
              });
      if (nodes > 1) {
        for (int port : topology.indexes(NodeType.NET)) {
          links.add(new Link(port, outside, LinkType.NET, 0));
          rates.add(UNLIMITED);
          links.add(new Link(outside, port, LinkType.NET, 0));
          rates.add(UNLIMITED);
        }
      }
      for (int side = 0; side < into.length; side++) {
        for (int i = 0; i < links.size(); i++) {
          boolean from = (side >> links.get(i).from() & 1) == 1;
          boolean to = (side >> links.get(i).to() & 1) == 1;
          into[side] += !from && to ? rates.get(i) : 0;
          outOf[side] += from && !to ? rates.get(i) : 0;
        }
      }
    }

    int ranks(int side) {
      int inside = (int) gpus.stream().filter(gpu -> (side >> gpu & 1) == 1).count();
      return inside + (outside >= 0 && (side >> outside & 1) == 1 ? ranksOutside : 0);
    }

    double parts(double[] rates) {
      int all = gpus.size() + ranksOutside;
      double least = Double.POSITIVE_INFINITY;
      for (int side = 0; side < rates.length; side++) {
        int ranks = ranks(side);
        if (ranks > 0 && ranks < all) {
          least = Math.min(least, rates[side] * all / (all - ranks));
        }
      }
      return least;
    }

    double separating() {
      int all = gpus.size() + ranksOutside;
      double least = Double.POSITIVE_INFINITY;
      for (int side = 0; side < into.length; side++) {
        if (ranks(side) > 0 && ranks(side) < all) {
          least = Math.min(least, into[side]);
        }
      }
      return least;
    }

    /** The least rate into a side with exactly these GPUs, by number. */
    double around(int members) {
      double least = Double.POSITIVE_INFINITY;
      for (int side = 0; side < into.length; side++) {
        int inside = 0;
        for (int g = 0; g < gpus.size(); g++) {
          inside |= (side >> gpus.get(g) & 1) << g;
        }
        if (inside == members && (outside < 0 || (side >> outside & 1) == 0)) {
          least = Math.min(least, into[side]);
        }
      }
      return least;
    }

    double partition(int nodes) {
      double[] around = new double[1 << gpus.size()];
      for (int members = 1; members < around.length; members++) {
        around[members] = nodes == 1 && members == around.length - 1 ? 0 : around(members);
      }
      return partition(around, around.length - 1, 0, 0, nodes);
    }

    private double partition(double[] around, int left, int parts, double rate, int nodes) {
      if (left == 0) {
        int all = nodes * parts;
        return all < 2 ? Double.POSITIVE_INFINITY : nodes * rate / (2 * (all - 1));
      }
      double least = Double.POSITIVE_INFINITY;
      int first = Integer.lowestOneBit(left);
      for (int part = left; part > 0; part = (part - 1) & left) {
        if ((part & first) != 0) {
          least =
              Math.min(
                  least, partition(around, left & ~part, parts + 1, rate + around[part], nodes));
        }
      }
      return least;
    }
  }

  @Test
  void boundsAreTheLeastOfAllCuts() {
    int compared = 0;
    for (long seed = 1; compared < RandomCases.count(12, 100); seed++) {
      Topology topology = RandomMachine.of(seed);
      if (topology.size() > 12) {
        continue;
      }
      for (int nodes = 1; nodes <= 2; nodes++) {
        if (compare(topology, nodes, "seed " + seed + ", nodes " + nodes)) {
          compared++;
        }
      }
    }
  }

  private static boolean compare(Topology topology, int nodes, String what) {
    Connection connection;
    try {
      connection = connect(topology, nodes);
    } catch (UnusableTopologyException e) {
      return false;
    }
    if (connection.nNodes() != nodes || connection.nRanks() < 2 || !connection.hasPorts()) {
      if (nodes > 1 || connection.nNodes() != 1) {
        return false;
      }
    }
    Enumeration all = new Enumeration(connection.domain(0), nodes);
    JobBounds bounds = new JobBounds(connection, LinkScope.PATHS);
    check(all.parts(all.into), bounds, Collective.ALL_GATHER, what);
    check(all.parts(all.outOf), bounds, Collective.REDUCE_SCATTER, what);
    check(Math.min(all.separating(), all.partition(nodes)), bounds, Collective.ALL_REDUCE, what);
    return true;
  }

  private static void check(double expected, JobBounds bounds, Operation operation, String what) {
    double found = bounds.bound(operation).map(OperationBound::algbwGBps).orElse(UNLIMITED);
    double most = Math.min(expected, UNLIMITED);
    assertEquals(most, found, most * LOOSE, what + ", " + operation);
  }
}
