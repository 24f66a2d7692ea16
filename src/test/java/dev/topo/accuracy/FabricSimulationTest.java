package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.nic.SwitchMap;
import dev.topo.model.nic.SwitchMapReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.network.Fabric;
import dev.topo.simulator.network.FabricTraffic;
import dev.topo.simulator.network.PortLoad;
import dev.topo.simulator.network.PortTraffic;
import dev.topo.simulator.network.UplinkLoad;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The closed forms for ports and uplinks against a simulation, flow by flow, of small jobs: at
 * every time all flows share links fairly, until the last has sent its bytes.
 */
class FabricSimulationTest {
  private static final int NODES = 6;
  private static final double PORT_GBPS = 50;
  private static final List<String> IN_ORDER = List.of("n0", "n1", "n2", "n3", "n4", "n5");
  private static final List<String> ALTERNATING = List.of("n0", "n3", "n1", "n4", "n2", "n5");
  private static final Connection JOB =
      Connection.of(
          Job.ofEqual(
              new Machine(
                  new TopologyReader()
                      .read(
                          Path.of(System.getProperty("topo.root"), "topologies", "dgx-h100.xml"),
                          GpuSelection.ALL,
                          new Diagnostics()),
                  NcclSettings.DEFAULTS),
              NODES));

  /** Three nodes at each of two leaves. */
  private static SwitchMap leaves(String uplink) {
    return SwitchMapReader.parse(
        "map",
        List.of(
            "SwitchName=a Nodes=n[0-2] UplinkGbps=" + uplink,
            "SwitchName=b Nodes=n[3-5] UplinkGbps=" + uplink,
            "SwitchName=core Switches=a,b"));
  }

  private static FabricTraffic traffic(String uplink, List<String> hosts, boolean adaptive) {
    return new FabricTraffic(
        JOB, new Fabric(leaves(uplink), hosts, adaptive), NcclSettings.DEFAULTS, 1);
  }

  /** Flows of a byte each over links that are numbered as they come. */
  private static final class Simulation {
    private final Map<String, Integer> links = new LinkedHashMap<>();
    private final List<Double> capacity = new ArrayList<>();
    private final List<int[]> flows = new ArrayList<>();
    private final List<Double> bytes = new ArrayList<>();
    private final SwitchMap switches;
    private final List<String> hosts;
    private final Random random;

    Simulation(SwitchMap switches, List<String> hosts, Random random) {
      this.switches = switches;
      this.hosts = hosts;
      this.random = random;
    }

    private int link(String name, double gbytes) {
      return links.computeIfAbsent(
          name,
          key -> {
            capacity.add(gbytes);
            return capacity.size() - 1;
          });
    }

    private int uplink(String leaf, String way) {
      SwitchMap.Uplink uplink = switches.uplink(leaf).orElseThrow();
      return link(leaf + way + random.nextInt(uplink.links()), uplink.gbps() / 8 / uplink.links());
    }

    void flow(int from, NodeId out, int to, NodeId in, double size) {
      List<Integer> path = new ArrayList<>();
      path.add(link(from + " out " + out, PORT_GBPS));
      String a = switches.leaf(hosts.get(from), "").orElseThrow();
      String b = switches.leaf(hosts.get(to), "").orElseThrow();
      if (!a.equals(b)) {
        path.add(uplink(a, " up "));
        path.add(uplink(b, " down "));
      }
      path.add(link(to + " in " + in, PORT_GBPS));
      flows.add(path.stream().mapToInt(Integer::intValue).toArray());
      bytes.add(size);
    }

    /** Picoseconds until the last flow has ended. */
    double ps() {
      FairShare shares =
          new FairShare(capacity.stream().mapToDouble(Double::doubleValue).toArray());
      List<int[]> left = new ArrayList<>(flows);
      double[] rest = bytes.stream().mapToDouble(Double::doubleValue).toArray();
      double time = 0;
      while (!left.isEmpty()) {
        double[] limits = new double[left.size()];
        Arrays.fill(limits, Double.POSITIVE_INFINITY);
        double[] rates = shares.rates(left, limits);
        double step = Double.POSITIVE_INFINITY;
        for (int f = 0; f < rates.length; f++) {
          step = Math.min(step, rest[f] / rates[f]);
        }
        time += step;
        List<int[]> next = new ArrayList<>();
        double[] nextRest = new double[rates.length];
        for (int f = 0; f < rates.length; f++) {
          double after = rest[f] - step * rates[f];
          if (after > 1e-9) {
            nextRest[next.size()] = after;
            next.add(left.get(f));
          }
        }
        left = next;
        rest = nextRest;
      }
      return 1000 * time;
    }
  }

  private static Simulation rings(SwitchMap switches, List<String> hosts, Random random) {
    Simulation simulation = new Simulation(switches, hosts, random);
    for (int channel = 0; channel < JOB.nChannels(); channel++) {
      for (int rank = 0; rank < JOB.nRanks(); rank++) {
        int next = JOB.rings().next(channel, rank);
        int node = JOB.nodeOf(rank);
        int other = JOB.nodeOf(next);
        if (node != other) {
          Channel.Nets out = JOB.rings().nets(channel, node).orElseThrow();
          Channel.Nets in = JOB.rings().nets(channel, other).orElseThrow();
          simulation.flow(node, out.out(), other, in.in(), 1);
        }
      }
    }
    return simulation;
  }

  private static PortTraffic ports() {
    return new PortTraffic(JOB, NcclSettings.DEFAULTS);
  }

  private static double slower(PortLoad port, UplinkLoad uplink) {
    return Math.max(port.linePsPerByte(), uplink.psPerByte(0));
  }

  @ParameterizedTest
  @CsvSource({"9600,false", "3200,false", "800,false", "9600,true", "3200,true", "800,true"})
  void ringsShareUplinks(String gbps, boolean alternating) {
    List<String> hosts = alternating ? ALTERNATING : IN_ORDER;
    double closed =
        slower(
            ports().rings(JOB.nChannels()).busiest(),
            traffic(gbps, hosts, false).ofRings(JOB.nChannels()));
    assertEquals(rings(leaves(gbps), hosts, new Random(1)).ps(), closed, 1e-6 * closed);
  }

  @Test
  void theOrderOfHostsMatters() {
    UplinkLoad inOrder = traffic("3200", IN_ORDER, false).ofRings(JOB.nChannels());
    UplinkLoad alternating = traffic("3200", ALTERNATING, false).ofRings(JOB.nChannels());
    assertEquals(3 * inOrder.psPerByte(0), alternating.psPerByte(0), 1e-9);
    assertEquals("a", inOrder.name());
  }

  @ParameterizedTest
  @CsvSource({"9600,false", "3200,false", "1600,true"})
  void treesShareUplinks(String gbps, boolean alternating) {
    List<String> hosts = alternating ? ALTERNATING : IN_ORDER;
    Simulation simulation = new Simulation(leaves(gbps), hosts, new Random(1));
    for (int channel = 0; channel < JOB.nChannels(); channel++) {
      for (int rank = 0; rank < JOB.nRanks(); rank++) {
        int up = JOB.trees().links(channel, rank).up();
        if (up != Connection.NONE && JOB.nodeOf(up) != JOB.nodeOf(rank)) {
          NodeId own = JOB.trees().net(channel, rank).orElseThrow();
          NodeId above = JOB.trees().net(channel, up).orElseThrow();
          simulation.flow(JOB.nodeOf(rank), own, JOB.nodeOf(up), above, 1);
          simulation.flow(JOB.nodeOf(up), above, JOB.nodeOf(rank), own, 1);
        }
      }
    }
    double closed =
        slower(
            ports().trees(JOB.nChannels()).busiest(),
            traffic(gbps, hosts, false).ofTrees(JOB.nChannels()));
    assertEquals(simulation.ps(), closed, 1e-6 * closed);
  }

  /**
   * By PAT each rank's part goes along a binomial tree whose edges to far ranks come first: an edge
   * to a rank goes over the lowest bit of its distance from the root.
   */
  @Test
  void patSendsLittleOfItFar() {
    Connection one =
        Connection.of(
            Job.ofEqual(
                new Machine(
                    new TopologyReader()
                        .read(
                            Path.of(System.getProperty("topo.root"), "topologies", "gh200.xml"),
                            GpuSelection.ALL,
                            new Diagnostics()),
                    NcclSettings.DEFAULTS),
                NODES));
    double over = 0;
    for (int root = 0; root < NODES; root++) {
      for (int distance = 1; distance < NODES; distance++) {
        int to = (root + distance) % NODES;
        int from = (to - Integer.lowestOneBit(distance) + NODES) % NODES;
        over += from < 3 && to >= 3 ? 1 : 0;
      }
    }
    FabricTraffic traffic =
        new FabricTraffic(
            one, new Fabric(leaves("400"), IN_ORDER, false), NcclSettings.DEFAULTS, 1);
    // Parts of a channel for each byte that a rank sends, of which there are five.
    assertEquals(over / (NODES - 1) * 20, traffic.ofPat(1).psPerByte(0), 1e-6);
  }

  /** Every rank to every rank of other nodes; the receiver uses its own port. */
  @ParameterizedTest
  @CsvSource({"9600,1", "3200,1", "3200,5"})
  void sendsShareUplinks(String gbps, int skew) {
    Simulation simulation = new Simulation(leaves(gbps), IN_ORDER, new Random(1));
    FabricTraffic.Traffic sizes = (from, to) -> to == 0 ? skew : 1;
    for (int from = 0; from < JOB.nRanks(); from++) {
      for (int to = 0; to < JOB.nRanks(); to++) {
        if (JOB.nodeOf(from) != JOB.nodeOf(to)) {
          simulation.flow(
              JOB.nodeOf(from),
              JOB.peerPort(from, to, 0).port().id(),
              JOB.nodeOf(to),
              JOB.peerPort(to, to, 0).port().id(),
              sizes.bytes(from, to));
        }
      }
    }
    FabricTraffic traffic = traffic(gbps, IN_ORDER, false);
    double closed = slower(ports().skewed(skew).busiest(), traffic.ofSkewed(skew));
    assertEquals(simulation.ps(), closed, 0.001 * closed);
    assertEquals(
        closed, slower(ports().matrix(sizes).busiest(), traffic.ofMatrix(sizes)), 1e-9 * closed);
  }

  /** Rings whose flows stay on one of eight links: the mean of many hashes, and 90 of 100. */
  @Test
  void theExpectedTimeIsThatOfManyHashes() {
    UplinkLoad load = traffic("8x400", ALTERNATING, false).ofRings(JOB.nChannels());
    double[] simulated =
        IntStream.range(0, 200)
            .mapToDouble(seed -> rings(leaves("8x400"), ALTERNATING, new Random(seed)).ps())
            .sorted()
            .toArray();
    double mean = Arrays.stream(simulated).average().orElseThrow();
    assertEquals(mean, load.psPerByte(0), 0.03 * mean);
    assertEquals(simulated[10], load.at(0.05).psPerByte(0), 0.05 * mean);
    assertEquals(simulated[189], load.at(0.95).psPerByte(0), 0.05 * mean);
    double even = traffic("8x400", ALTERNATING, true).ofRings(JOB.nChannels()).psPerByte(0);
    assertTrue(even < 0.75 * mean, "no two flows meet with adaptive routing");
  }
}
