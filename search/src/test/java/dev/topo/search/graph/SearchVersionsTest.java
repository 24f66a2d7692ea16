package dev.topo.search.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.PathType;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.graph.Pattern;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.NodeId;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.engine.ChannelEngine;
import dev.topo.search.engine.Solution;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.request.Constraints;
import dev.topo.search.request.SearchMonitor;
import dev.topo.search.request.StepBudget;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rules by which the search of one NCCL version differs from that of another. */
class SearchVersionsTest {
  private final TestMachine machine = new TestMachine();

  private Domain domain(String version, NcclSettings settings, boolean crossesNetwork) {
    return DomainFinder.find(machine.build(), settings, crossesNetwork, NcclProfile.of(version))
        .get(0);
  }

  private NodeGraphs graphs(String version, boolean crossesNetwork, String... assignments) {
    NcclSettings settings = NcclSettings.parse(List.of(assignments));
    return GraphSearch.findAll(domain(version, settings, crossesNetwork), settings);
  }

  private static Set<Integer> portsIn(ChannelGraph graph) {
    return graph.channels().stream()
        .map(channel -> channel.nets().map(Channel.Nets::in).orElseThrow())
        .map(port -> (int) port.localId())
        .collect(Collectors.toSet());
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
        .add(new NetNode(new NodeId(0, 1), "apart", 1, 1, 0, 12.5f, 0, true, false, 64));
    ChannelGraph refused = graphs("2.27.3", true).get(GraphKind.RING);
    assertEquals(PathType.SYS, refused.typeInter());
    assertEquals(0.1f, refused.bwInter());
    ChannelGraph free = graphs("2.26.2", true).get(GraphKind.RING);
    assertEquals(PathType.DIS, free.typeInter());
    assertEquals(Set.of(1), portsIn(free));
  }
}
