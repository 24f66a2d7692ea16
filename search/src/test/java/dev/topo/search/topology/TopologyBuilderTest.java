package dev.topo.search.topology;

import static dev.topo.search.fixture.TestMachine.index;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.CpuModel;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.NicNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Node.NvsNode;
import dev.topo.model.Topology;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyBuilderTest {
  private static final String GEN4_SWITCH = "1000c0101000a0b1";
  private static final String GEN5_OUTER = "1000c03010000c33";
  private static final String GEN5_INNER = "1000c03010001c33";

  private final TestMachine machine = new TestMachine();

  private static List<String> targets(Topology topology, Vertex from) {
    return topology.links(index(topology, from)).stream()
        .map(link -> topology.node(link.to()).label())
        .toList();
  }

  @Test
  void linksStandInDescendingOrderOfBandwidth() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex b = machine.gpu(cpu, 80);
    Vertex c = machine.gpu(cpu, 80);
    machine.nvlink(a, b, 20);
    machine.nvlink(a, c, 40);
    Topology topology = machine.builder().build();
    assertEquals(List.of("GPU 0-3000", "CPU 0-0", "GPU 0-2000"), targets(topology, a));
  }

  @Test
  void equalLinksKeepTheOrderInWhichTheyWereAdded() {
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    assertEquals(
        List.of("GPU 0-1000", "GPU 0-2000", "GPU 0-3000"), targets(machine.builder().build(), cpu));
  }

  @Test
  void parallelLinksAreOneWithTheSumAndMoveAhead() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex b = machine.gpu(cpu, 80);
    machine.nvlink(a, b, 20);
    machine.nvlink(a, b, 20);
    Topology topology = machine.builder().build();
    List<Link> links = topology.links(index(topology, a));
    assertEquals(
        List.of(
            new Link(index(topology, a), index(topology, b), LinkType.NVL, 40),
            new Link(index(topology, a), index(topology, cpu), LinkType.PCI, 24)),
        links);
  }

  @Test
  void linksOfDifferentTypesStayApartAndTheFirstCountsAsTheOneUpwards() {
    Vertex cpu = machine.arm();
    Vertex gpu = machine.gpu(cpu, 90);
    machine.c2c(gpu, cpu, 300);
    Topology topology = machine.build();
    assertEquals(
        List.of(LinkType.PCI, LinkType.C2C),
        topology.links(index(topology, gpu)).stream().map(Link::type).toList());
  }

  @Test
  void connectAddsOneDirectionOnly() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex b = machine.gpu(cpu, 80);
    machine.builder().connect(a, b, LinkType.NVL, 30);
    Topology topology = machine.builder().build();
    assertEquals(2, topology.links(index(topology, a)).size());
    assertEquals(1, topology.links(index(topology, b)).size());
  }

  @Test
  void nodesAreGroupedByTypeAndKeepTheirOrder() {
    Vertex cpu0 = machine.intel();
    machine.net(cpu0, 50);
    machine.gpu(cpu0, 80);
    Vertex pci = machine.pciSwitch(cpu0);
    Vertex cpu1 = machine.intel();
    machine.gpu(pci, 80);
    machine.nvSwitch(100);
    Topology topology = machine.build();
    assertEquals(
        List.of(
            "GPU 0-2000",
            "GPU 0-4000",
            "PCI 0-3000",
            "NVS 0-0",
            "CPU 0-0",
            "CPU 0-1",
            "NIC 0-1000",
            "NET 0-0"),
        topology.nodes().stream().map(node -> node.label()).toList());
    assertSame(cpu1.node(), topology.cpus().get(1));
    assertTrue(topology.hasNvSwitch());
  }

  @Test
  void cpusOfOneHostAreConnectedAtTheSpeedOfTheOneTheLinkLeaves() {
    machine.intel();
    machine.amd();
    machine
        .builder()
        .add(
            new CpuNode(new NodeId(1, 0), 0, CpuArch.X86, CpuVendor.INTEL, CpuModel.INTEL_SKYLAKE));
    Topology topology = machine.build();
    int[] cpus = topology.indexes(NodeType.CPU);
    assertEquals(List.of(new Link(cpus[0], cpus[1], LinkType.SYS, 10)), topology.links(cpus[0]));
    assertEquals(List.of(new Link(cpus[1], cpus[0], LinkType.SYS, 16)), topology.links(cpus[1]));
    assertEquals(List.of(), topology.links(cpus[2]));
  }

  @Test
  void theLinkTowardsTheCpuStandsLast() {
    Vertex cpu = machine.intel();
    Vertex outer = machine.pciSwitch(cpu, 96, 0);
    Vertex inner = machine.pciSwitch(outer, 48, 0);
    Vertex gpu = machine.gpu(inner, 80);
    Vertex peer = machine.gpu(inner, 80);
    machine.nvlink(gpu, peer, 12);
    Topology topology = machine.build();
    assertEquals(List.of("PCI 0-2000", "CPU 0-0"), targets(topology, outer));
    assertEquals(List.of("GPU 0-3000", "GPU 0-4000", "PCI 0-1000"), targets(topology, inner));
    assertEquals(List.of("GPU 0-4000", "PCI 0-2000"), targets(topology, gpu));
  }

  @ParameterizedTest
  @CsvSource({GEN4_SWITCH + "," + GEN4_SWITCH, GEN5_OUTER + "," + GEN5_INNER})
  void broadcomSwitchesOfTwoLevelsBecomeOne(String outerDevice, String innerDevice) {
    Vertex cpu = machine.intel();
    Vertex outer = machine.pciSwitch(cpu, 24, Long.parseUnsignedLong(outerDevice, 16));
    Vertex inner = machine.pciSwitch(outer, 24, Long.parseUnsignedLong(innerDevice, 16));
    Vertex gpu = machine.gpu(inner, 80);
    Vertex net = machine.net(inner, 25);
    Vertex direct = machine.gpu(outer, 80);
    Topology topology = machine.build();
    assertEquals(List.of(outer.node()), topology.nodes(NodeType.PCI));
    assertEquals(
        List.of("GPU 0-5000", "GPU 0-3000", "NIC 0-4000", "CPU 0-0"), targets(topology, outer));
    for (Vertex below : List.of(gpu, direct)) {
      assertEquals(List.of("PCI 0-1000"), targets(topology, below));
    }
    assertEquals(1, topology.links(index(topology, net)).size());
  }

  @ParameterizedTest
  @CsvSource({
    "0," + GEN4_SWITCH,
    GEN4_SWITCH + ",0",
    GEN4_SWITCH + "," + GEN5_INNER,
    GEN5_OUTER + "," + GEN4_SWITCH,
    GEN5_OUTER + "," + GEN5_OUTER,
  })
  void otherSwitchesOfTwoLevelsStay(String outerDevice, String innerDevice) {
    Vertex cpu = machine.intel();
    Vertex outer = machine.pciSwitch(cpu, 24, Long.parseUnsignedLong(outerDevice, 16));
    Vertex inner = machine.pciSwitch(outer, 24, Long.parseUnsignedLong(innerDevice, 16));
    machine.gpu(inner, 80);
    Topology topology = machine.build();
    assertEquals(List.of(outer.node(), inner.node()), topology.nodes(NodeType.PCI));
  }

  @Test
  void theCpuOfADeviceIsFoundUpThePciTree() {
    machine.intel();
    Vertex cpu = machine.intel();
    Vertex gpu = machine.gpu(machine.pciSwitch(machine.pciSwitch(cpu)), 80);
    assertSame(cpu, machine.builder().localCpu(gpu));
    assertNull(machine.builder().localCpu(machine.nvSwitch(100)));
  }

  @Test
  void refusesMoreNodesOfATypeThanNcclHasRoomFor() {
    TopologyBuilder builder = new TopologyBuilder(NcclProfile.DEFAULT);
    for (int i = 0; i < 576; i++) {
      builder.add(new NicNode(new NodeId(0, i), true));
    }
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class, () -> builder.add(new NicNode(new NodeId(0, 576), true)));
    assertEquals("more than 576 nodes of type NIC, NCCL's limit", e.getMessage());
    builder.add(new NvsNode(new NodeId(0, 0)));
    assertEquals(577, builder.build().size());
  }

  @Test
  void startingFromATopologyKeepsNodesAndLinksAsTheyAre() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(machine.pciSwitch(cpu), 80);
    Vertex b = machine.gpu(cpu, 80);
    machine.net(cpu, 50);
    machine.nvlink(a, b, 12);
    Topology topology = machine.build();
    Topology copy = TopologyBuilder.from(topology, node -> true, NcclProfile.DEFAULT).build();
    assertEquals(topology.nodes(), copy.nodes());
    for (int node = 0; node < topology.size(); node++) {
      assertEquals(topology.links(node), copy.links(node));
    }
  }

  @Test
  void startingFromATopologyDropsNodesWithTheirLinks() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex b = machine.gpu(cpu, 80);
    machine.nvlink(a, b, 12);
    Topology copy =
        TopologyBuilder.from(machine.build(), node -> node != a.node(), NcclProfile.DEFAULT)
            .build();
    assertEquals(List.of(b.node()), copy.gpus());
    assertEquals(List.of("CPU 0-0"), targets(copy, b));
    assertEquals(List.of("GPU 0-2000"), targets(copy, cpu));
  }

  @Test
  void findsNodesByTypeAndId() {
    Vertex cpu = machine.intel();
    assertSame(cpu, machine.builder().find(NodeType.CPU, new NodeId(0, 0)));
    assertNull(machine.builder().find(NodeType.GPU, new NodeId(0, 0)));
    assertFalse(machine.builder().vertices(NodeType.CPU).isEmpty());
  }
}
