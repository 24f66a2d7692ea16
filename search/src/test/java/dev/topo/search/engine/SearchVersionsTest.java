package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.engine.GraphSearch.GraphRequest;
import dev.topo.search.engine.SearchMonitor.StepBudget;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.SearchRules;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules by which the search of one NCCL version differs from that of another. */
class SearchVersionsTest {
  private final TestMachine machine = new TestMachine();

  private Domain domain(String version, NcclSettings settings, boolean crossesNetwork) {
    return DomainFinder.find(machine.build(), settings, crossesNetwork, NcclProfile.of(version))
        .get(0);
  }

  private NodeGraphs graphs(String version, boolean crossesNetwork, String... assignments) {
    NcclSettings settings = NcclSettings.parse(List.of(assignments));
    return GraphSearch.findAll(domain(version, settings, crossesNetwork), settings, new Inputs());
  }

  private static Set<Integer> portsIn(ChannelGraph graph) {
    return graph.channels().stream()
        .map(channel -> channel.nets().map(Channel.Nets::in).orElseThrow())
        .map(port -> (int) port.localId())
        .collect(Collectors.toSet());
  }

  @Test
  void until2243EachGpuIsAHeadOfNvls() {
    Vertex cpu = machine.arm();
    Vertex[] gpus = Stream.generate(() -> machine.gpu(cpu, 90)).limit(33).toArray(Vertex[]::new);
    machine.nvSwitch(370.8f, gpus);
    assertEquals(32, graphs("2.25.1", false).get(GraphKind.NVLS).nChannels());
    assertEquals(33, graphs("2.24.3", false).get(GraphKind.NVLS).nChannels());
  }

  @Test
  void nvlsTookThreeGpus() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 90);
    Vertex b = machine.gpu(cpu, 90);
    machine.nvSwitch(370.8f, a, b);
    assertEquals(2, graphs("2.28.7", false).get(GraphKind.NVLS).nChannels());
    assertEquals(0, graphs("2.28.3", false).get(GraphKind.NVLS).nChannels());
  }

  @Test
  void maxOfThePolicyLimitedPreferredPortsOnly() {
    Vertex pci = machine.pciSwitch(machine.intel());
    machine.gpu(pci, 80);
    machine.net(pci, 12.5f);
    machine.net(pci, 12.5f);
    String policy = "NCCL_NETDEVS_POLICY=MAX:1";
    assertEquals(Set.of(0), portsIn(graphs("2.28.7", true, policy).get(GraphKind.RING)));
    assertEquals(Set.of(0, 1), portsIn(graphs("2.28.3", true, policy).get(GraphKind.RING)));
  }

  /** Two islands of NVLink, each on a CPU of its own. */
  private void islands() {
    for (int island = 0; island < 2; island++) {
      Vertex cpu = machine.intel();
      machine.nvlink(machine.gpu(cpu, 80), machine.gpu(cpu, 80), 40);
    }
  }

  @Test
  void twoIslandsOfNvlinkHadOneRing() {
    islands();
    assertEquals(2, graphs("2.26.2", false).get(GraphKind.RING).nChannels());
    assertEquals(1, graphs("2.25.1", false).get(GraphKind.RING).nChannels());
  }

  @Test
  void blackwellWasSearchedAsHopper() {
    SearchRules rules = NcclProfile.of("2.24.3").search();
    for (boolean crossesNetwork : new boolean[] {false, true}) {
      assertArrayEquals(rules.speeds(90, crossesNetwork), rules.speeds(100, crossesNetwork));
    }
    assertEquals(16, GraphRequest.ring(NcclProfile.of("2.24.3")).maxChannels());
    assertEquals(32, GraphRequest.ring(NcclProfile.of("2.25.1")).maxChannels());
  }

  /**
   * For HGX B300 with ports of 722 to 767 Gbit/s native code has NVLS at 86 GB/s by 2.30.7, at 90.2
   * by 2.31.2.
   */
  @ParameterizedTest
  @CsvSource({"2.30.7, 86", "2.31.2, 90.2", "2.32.3, 90.2"})
  void portsBelow768GbitHaveASpeedOfTheirOwn(String version, float gbps) {
    assertEquals(gbps, NcclProfile.of(version).search().speeds(100, true)[1]);
  }

  /** GPUs on an NVSwitch, the first of which has two ports and each other one. */
  private void switchWithFourPorts() {
    Vertex cpu = machine.intel();
    Vertex[] gpus = new Vertex[3];
    for (int g = 0; g < gpus.length; g++) {
      Vertex pci = machine.pciSwitch(cpu);
      gpus[g] = machine.gpu(pci, 90);
      machine.net(pci, 12.5f);
      if (g == 0) {
        machine.net(pci, 12.5f);
      }
    }
    machine.nvSwitch(370.8f, gpus);
  }

  @Test
  void everyPortOfAGpuHadAHead() {
    switchWithFourPorts();
    assertEquals(List.of(0, 1, 2), firstGpus(graphs("2.23.4", true).get(GraphKind.NVLS)));
    assertEquals(List.of(0, 0, 1), firstGpus(graphs("2.21.5", true).get(GraphKind.NVLS)));
  }

  private static List<Integer> firstGpus(ChannelGraph graph) {
    return graph.channels().stream().map(channel -> channel.ranks().get(0)).toList();
  }

  /**
   * Two GPUs, each with a port of its own. A channel that goes back to its port takes NVLink twice,
   * which has room for two channels of 9 GB/s; with other ports two of 10 fit.
   */
  private void railPair() {
    Vertex cpu = machine.arm();
    Vertex[] gpus = new Vertex[2];
    for (int g = 0; g < gpus.length; g++) {
      Vertex pci = machine.pciSwitch(cpu);
      gpus[g] = machine.gpu(pci, 80);
      machine.net(pci, 10.5f);
    }
    machine.nvlink(gpus[0], gpus[1], 18.9f);
  }

  private static List<String> rails(ChannelGraph graph) {
    return graph.channels().stream()
        .map(channel -> channel.nets().orElseThrow())
        .map(nets -> nets.in().localId() + ">" + nets.out().localId())
        .toList();
  }

  @Test
  void changingPortsHadToGainFifteenPercent() {
    railPair();
    assertEquals("0 at 9.0", crossNic(graphs("2.19.3", true)));
    assertEquals("1 at 10.0", crossNic(graphs("2.20.5", true)));
    assertEquals("2 at 10.0", crossNic(graphs("2.23.4", true)));
  }

  private static String crossNic(NodeGraphs graphs) {
    ChannelGraph ring = graphs.get(GraphKind.RING);
    return ring.crossNic() + " at " + ring.bwIntra();
  }

  @Test
  void treesAlternatedUpTo221() {
    railPair();
    for (String version : List.of("2.19.3", "2.23.4")) {
      assertEquals(List.of("0>0", "1>1"), railsOfTree(version));
    }
    for (String version : List.of("2.20.5", "2.21.5")) {
      assertEquals(List.of("0>1", "1>0"), railsOfTree(version));
    }
  }

  private List<String> railsOfTree(String version) {
    return rails(graphs(version, true, "NCCL_CROSS_NIC=1").get(GraphKind.TREE));
  }

  /** With room for more channels than the tree has, its first speed shows what limits it. */
  @Test
  void aSingleGpuWasNotLimited() {
    Vertex pci = machine.pciSwitch(machine.intel());
    machine.gpu(pci, 80);
    machine.net(pci, 50);
    assertEquals(6, firstSpeedOfTree("2.21.5"));
    assertEquals(24, firstSpeedOfTree("2.20.5"));
  }

  private float firstSpeedOfTree(String version) {
    List<Float> speeds = new ArrayList<>();
    SearchMonitor monitor =
        new SearchMonitor() {
          @Override
          public void attemptStarted(GraphKind kind, Constraints constraints) {
            speeds.add(constraints.bwIntra());
          }
        };
    Domain domain =
        DomainFinder.find(machine.build(), NcclSettings.DEFAULTS, true, NcclProfile.of(version))
            .get(0);
    new GraphSearch(domain, NcclSettings.DEFAULTS, Optional.empty(), monitor)
        .find(GraphRequest.likeRing(GraphKind.TREE, 4));
    return speeds.get(0);
  }

  /** The GPUs of channels that may differ, each of 3 GB/s. */
  private List<List<Integer>> differentRings(String version, int channels) {
    Domain domain = domain(version, NcclSettings.DEFAULTS, true);
    ChannelEngine engine = new ChannelEngine(domain, NcclSettings.DEFAULTS);
    Constraints constraints =
        new Constraints(Pattern.RING, 0, 3, 3, PathType.NVL, PathType.PHB, false, 1, channels);
    Solution best = engine.emptySolution(constraints);
    engine.search(GraphKind.RING, constraints, best, new StepBudget(1000), SearchMonitor.NONE);
    return best.toGraph(GraphKind.RING).channels().stream().map(Channel::ranks).toList();
  }

  /** Three GPUs on NVLinks; 0 and 1 have one for a single channel. */
  private void mesh(float bwOfFirstPair) {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex a = machine.gpu(pci, 80);
    Vertex b = machine.gpu(pci, 80);
    Vertex c = machine.gpu(pci, 80);
    machine.net(pci, 4);
    machine.net(pci, 4);
    machine.nvlink(a, b, bwOfFirstPair);
    machine.nvlink(b, c, 20);
    machine.nvlink(a, c, 20);
  }

  @Test
  void channelsBeginAtTheDriverOfThePort() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex pci = machine.pciSwitch(cpu);
    Vertex b = machine.gpu(pci, 80);
    Vertex c = machine.gpu(pci, 80);
    machine.net(pci, 12.5f);
    machine.net(pci, 12.5f);
    machine.nvSwitch(120, a, b, c);
    // Port 0 is driven by GPU 2, though GPU 1 is as near.
    assertEquals(2, differentRings("2.27.5", 1).get(0).get(0));
    assertEquals(1, differentRings("2.27.3", 1).get(0).get(0));
  }

  @Test
  void channelsBeganWhereTheHopsToThePortWereFewest() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex ofPort = machine.pciSwitch(cpu);
    machine.net(ofPort, 12.5f);
    Vertex b = machine.gpu(machine.pciSwitch(machine.pciSwitch(ofPort)), 80);
    machine.nvSwitch(120, a, b);
    assertEquals(List.of(1, 0), differentRings("2.27.3", 1).get(0));
    assertEquals(List.of(0, 1), differentRings("2.26.2", 1).get(0));
  }

  @Test
  void channelsBeganAtAnotherGpuEach() {
    mesh(5);
    // The second channel cannot repeat the first.
    assertEquals(0, differentRings("2.27.3", 2).get(1).get(0));
    assertEquals(1, differentRings("2.26.2", 2).get(1).get(0));
  }

  @Test
  void channelsThatMayDifferRepeatedTheOneBeforeWherePossible() {
    mesh(20);
    assertEquals(1, differentRings("2.27.5", 2).get(1).get(0));
    assertEquals(List.of(0, 1, 2), differentRings("2.27.3", 2).get(1));
  }

  @Test
  void channelsWentOnWithoutPath() {
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    machine.net(cpu, 0.05f);
    machine
        .builder()
        .add(
            new NetNode(
                new NodeId(0, 1),
                "apart",
                1,
                1,
                0,
                12.5f,
                0,
                true,
                false,
                64,
                OptionalInt.empty(),
                OptionalInt.empty(),
                0));
    ChannelGraph refused = graphs("2.27.3", true).get(GraphKind.RING);
    assertEquals(PathType.SYS, refused.typeInter());
    assertEquals(0.1f, refused.bwInter());
    ChannelGraph free = graphs("2.26.2", true).get(GraphKind.RING);
    assertEquals(PathType.DIS, free.typeInter());
    assertEquals(Set.of(1), portsIn(free));
  }

  @Test
  void treesMayReturnOverTheFarthestPathBeforeHopper() {
    Vertex near = machine.pciSwitch(machine.intel());
    Vertex a = machine.gpu(near, 80);
    machine.net(near, 12.5f);
    Vertex b = machine.gpu(machine.pciSwitch(machine.intel()), 80);
    machine.nvlink(a, b, 40);
    // GPU 1 sends by PXN, but receives from the other CPU.
    assertEquals(0.1f, graphs("2.28.9", true).get(GraphKind.TREE).bwInter());
    ChannelGraph tree = graphs("2.29.3", true).get(GraphKind.TREE);
    assertEquals(PathType.SYS, tree.typeInter());
    assertTrue(tree.bwInter() > 1);
  }

  @Test
  void theFallbackHasThePortsOfItsGpus() {
    for (int i = 0; i < 2; i++) {
      Vertex cpu = machine.intel();
      machine.gpu(cpu, 80, true, 0.05f);
      machine.net(cpu, 12.5f);
    }
    Channel before = graphs("2.28.9", true).get(GraphKind.RING).channels().get(0);
    NodeId port0 = new NodeId(0, 0);
    assertEquals(Optional.of(new Channel.Nets(port0, port0)), before.nets());
    Channel after = graphs("2.29.3", true).get(GraphKind.RING).channels().get(0);
    assertEquals(Optional.of(new Channel.Nets(port0, new NodeId(0, 1))), after.nets());
  }

  @Test
  void theFallbackNeedsAPort() {
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    assertEquals(1, graphs("2.28.9", true).get(GraphKind.RING).nChannels());
    assertThrows(UnusableTopologyException.class, () -> graphs("2.29.3", true));
  }

  @Test
  void jobsOnOneNodeHadNoPorts() {
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    machine.net(cpu, 12.5f);
    assertEquals(1, domain("2.28.7", NcclSettings.DEFAULTS, false).topology().nets().size());
    assertEquals(0, domain("2.28.3", NcclSettings.DEFAULTS, false).topology().nets().size());
    assertEquals(1, domain("2.28.3", NcclSettings.DEFAULTS, true).topology().nets().size());
  }

  @Test
  void nodesWithoutPortsWereSearchedAsOneNode() {
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    ChannelGraph fallback = graphs("2.28.7", true).get(GraphKind.RING);
    assertEquals(0.1f, fallback.bwIntra());
    ChannelGraph found = graphs("2.28.3", true).get(GraphKind.RING);
    assertEquals(graphs("2.28.3", false).get(GraphKind.RING), found);
    assertTrue(found.bwIntra() > 1);
  }

  /** The ports of a ring through two GPUs with a port each. */
  private Channel.Nets portsOfPair(
      OptionalInt rail, OptionalInt plane, OptionalInt otherPlane, String setting) {
    Vertex near = machine.pciSwitch(machine.intel());
    Vertex a = machine.gpu(near, 90);
    machine.netOn(near, 12.5f, rail, plane);
    Vertex far = machine.pciSwitch(machine.intel());
    Vertex b = machine.gpu(far, 90);
    machine.netOn(far, 12.5f, rail, otherPlane);
    machine.nvlink(a, b, 80);
    ChannelGraph ring = graphs("2.30.7", true, setting).get(GraphKind.RING);
    return ring.channels().get(0).nets().orElseThrow();
  }

  @Test
  void channelsStayOnTheStatedRail() {
    OptionalInt none = OptionalInt.empty();
    Channel.Nets byChip = portsOfPair(none, none, none, "NCCL_CROSS_NIC=0");
    assertEquals(byChip.in(), byChip.out());
  }

  @Test
  void portsOfOneRailCountAsOne() {
    OptionalInt none = OptionalInt.empty();
    Channel.Nets byRail = portsOfPair(OptionalInt.of(0), none, none, "NCCL_CROSS_NIC=0");
    assertNotEquals(byRail.in(), byRail.out());
  }

  @Test
  void channelsStayOnTheirPlane() {
    OptionalInt none = OptionalInt.empty();
    Channel.Nets onOnePlane =
        portsOfPair(none, OptionalInt.of(0), OptionalInt.of(1), "NCCL_CROSS_NIC=1");
    assertEquals(onOnePlane.in(), onOnePlane.out());
  }

  @Test
  void channelsChangePortsOnOnePlane() {
    OptionalInt none = OptionalInt.empty();
    Channel.Nets ends = portsOfPair(none, OptionalInt.of(1), OptionalInt.of(1), "NCCL_CROSS_NIC=1");
    assertNotEquals(ends.in(), ends.out());
  }
}
