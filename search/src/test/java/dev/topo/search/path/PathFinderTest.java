package dev.topo.search.path;

import static dev.topo.search.fixture.TestMachine.index;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.BusId;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Paths.NodePath;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import dev.topo.search.topology.TopologyReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PathFinderTest {
  private final TestMachine machine = new TestMachine();

  private void assertPath(
      String expected, Vertex from, Vertex to, Topology topology, String... settings) {
    Paths paths =
        PathFinder.find(topology, NcclSettings.parse(List.of(settings)), NcclProfile.DEFAULT);
    NodePath path = paths.path(index(topology, from), index(topology, to));
    StringBuilder way = new StringBuilder();
    path.links().forEach(link -> way.append(' ').append(topology.node(link.to()).label()));
    assertEquals(expected, path.type() + " " + path.bwGBps() + " over" + way);
  }

  @Test
  void gpusOnOneSwitchAreAtPix() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex a = machine.gpu(pci, 80);
    Vertex b = machine.gpu(pci, 80);
    assertPath("PIX 24.0 over PCI 0-1000 GPU 0-3000", a, b, machine.build());
  }

  @Test
  void gpusOnTwoSwitchesOfATreeAreAtPxb() {
    Vertex top = machine.pciSwitch(machine.intel());
    Vertex a = machine.gpu(machine.pciSwitch(top), 80);
    Vertex b = machine.gpu(machine.pciSwitch(top, 12, 0), 80);
    assertPath("PXB 12.0 over PCI 0-2000 PCI 0-1000 PCI 0-4000 GPU 0-5000", a, b, machine.build());
  }

  @Test
  void gpusOnOneCpuAreAtPhb() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(machine.pciSwitch(cpu), 80);
    Vertex b = machine.gpu(cpu, 80);
    assertPath("PHB 24.0 over PCI 0-1000 CPU 0-0 GPU 0-3000", a, b, machine.build());
  }

  @Test
  void gpusOnTwoCpusAreAtSys() {
    Vertex a = machine.gpu(machine.intel(), 80);
    Vertex b = machine.gpu(machine.intel(), 80);
    assertPath("SYS 10.0 over CPU 0-0 CPU 0-1 GPU 0-2000", a, b, machine.build());
  }

  @Test
  void aNodeIsAtItselfWithoutLinks() {
    Vertex gpu = machine.gpu(machine.intel(), 80);
    assertPath("LOC 5000.0 over", gpu, gpu, machine.build());
  }

  @Test
  void nvlinkIsTakenBeforePci() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex a = machine.gpu(pci, 70);
    Vertex b = machine.gpu(pci, 70);
    machine.nvlink(a, b, 20);
    assertPath("NVL 20.0 over GPU 0-3000", a, b, machine.build());
  }

  @Test
  void gpusOnAnNvSwitchAreAtNvl() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 90);
    Vertex b = machine.gpu(cpu, 90);
    machine.nvSwitch(370.8f, a, b);
    assertPath("NVL 370.8 over NVS 0-0 GPU 0-2000", a, b, machine.build());
  }

  @Test
  void nvlinkMayGoThroughOneGpuButNotThroughTwo() {
    Vertex cpu0 = machine.intel();
    Vertex cpu1 = machine.intel();
    Vertex a = machine.gpu(cpu0, 70);
    Vertex b = machine.gpu(cpu0, 70);
    Vertex c = machine.gpu(cpu1, 70);
    Vertex d = machine.gpu(cpu1, 70);
    machine.nvlink(a, b, 20);
    machine.nvlink(b, c, 40);
    machine.nvlink(c, d, 40);
    Topology topology = machine.build();
    assertPath("NVB 20.0 over GPU 0-2000 GPU 0-3000", a, c, topology);
    assertPath("SYS 10.0 over CPU 0-0 CPU 0-1 GPU 0-4000", a, d, topology);
    assertPath("SYS 10.0 over CPU 0-0 CPU 0-1 GPU 0-3000", a, c, topology, "NCCL_NVB_DISABLE=1");
  }

  @Test
  void noP2pLeadsThroughTheCpu() {
    Vertex cpu = machine.intel();
    Vertex pci = machine.pciSwitch(cpu);
    Vertex a = machine.gpu(pci, 70);
    Vertex b = machine.gpu(pci, 70);
    machine.nvlink(a, b, 20);
    Topology topology = machine.build();
    String overCpu = "PHB 24.0 over PCI 0-1000 CPU 0-0 PCI 0-1000 GPU 0-3000";
    assertPath(overCpu, a, b, topology, "NCCL_P2P_DISABLE=1");
    assertPath(overCpu, a, b, topology, "NCCL_P2P_LEVEL=LOC");
    assertPath("NVL 20.0 over GPU 0-3000", a, b, topology, "NCCL_P2P_LEVEL=NVL");
  }

  @Test
  void p2pLevelDrawsTheLineBetweenPathTypes() {
    Vertex top = machine.pciSwitch(machine.intel());
    Vertex a = machine.gpu(machine.pciSwitch(top), 80);
    Vertex b = machine.gpu(machine.pciSwitch(top), 80);
    Topology topology = machine.build();
    String direct = "PXB 24.0 over PCI 0-2000 PCI 0-1000 PCI 0-4000 GPU 0-5000";
    assertPath(direct, a, b, topology, "NCCL_P2P_LEVEL=PXB");
    assertPath(
        "PHB 24.0 over PCI 0-2000 PCI 0-1000 CPU 0-0 PCI 0-1000 PCI 0-4000 GPU 0-5000",
        a,
        b,
        topology,
        "NCCL_P2P_LEVEL=PIX");
  }

  @Test
  void twoGpusOnAmdMayTalkAcrossCpusMoreMayNot() {
    machine.gpu(machine.amd(), 80);
    Vertex cpu = machine.amd();
    machine.gpu(cpu, 80);
    assertEquals(
        PathType.SYS,
        PathFinder.p2pLevel(machine.build(), NcclSettings.DEFAULTS, NcclProfile.DEFAULT));
    assertEquals(
        PathType.PIX,
        PathFinder.p2pLevel(
            machine.build(),
            NcclSettings.parse(List.of("NCCL_P2P_LEVEL=PIX")),
            NcclProfile.DEFAULT));
    TestMachine three = new TestMachine();
    Vertex amd = three.amd();
    three.gpu(amd, 80);
    three.gpu(amd, 80);
    three.gpu(amd, 80);
    assertEquals(
        PathType.PXB,
        PathFinder.p2pLevel(three.build(), NcclSettings.DEFAULTS, NcclProfile.DEFAULT));
  }

  @Test
  void twoGpusOnIntelMayNotTalkAcrossTheCpu() {
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    assertEquals(
        PathType.PXB,
        PathFinder.p2pLevel(machine.build(), NcclSettings.DEFAULTS, NcclProfile.DEFAULT));
  }

  @Test
  void withoutSharedMemoryGpusThatMayNotTalkHaveOnlyTheNetwork() {
    Vertex a = machine.gpu(machine.intel(), 80);
    Vertex b = machine.gpu(machine.intel(), 80);
    Topology topology = machine.build();
    String way = " 10.0 over CPU 0-0 CPU 0-1 GPU 0-2000";
    assertPath("NET" + way, a, b, topology, "NCCL_SHM_DISABLE=1");
    assertPath("SYS" + way, a, b, topology, "NCCL_SHM_DISABLE=1", "NCCL_P2P_LEVEL=SYS");
  }

  @Test
  void twoGpusOnAmdNeedNoSharedMemory() {
    Vertex a = machine.gpu(machine.amd(), 80);
    Vertex b = machine.gpu(machine.amd(), 80);
    assertPath(
        "SYS 16.0 over CPU 0-0 CPU 0-1 GPU 0-2000", a, b, machine.build(), "NCCL_SHM_DISABLE=1");
  }

  @Test
  void gpusMeetOverTheNetworkWhereThatIsFaster() {
    Vertex cpu0 = machine.intel();
    Vertex cpu1 = machine.intel();
    Vertex pci0 = machine.pciSwitch(cpu0);
    Vertex pci1 = machine.pciSwitch(cpu1);
    Vertex a = machine.gpu(pci0, 80);
    Vertex b = machine.gpu(pci1, 80);
    machine.net(pci0, 25);
    machine.net(pci1, 25);
    Topology topology = machine.build();
    String way = " 10.0 over PCI 0-1000 CPU 0-0 CPU 0-1 PCI 0-2000 GPU 0-4000";
    assertPath("NET" + way, a, b, topology);
    assertPath("SYS" + way, a, b, topology, "NCCL_NET_DISABLE_INTRA=1");
  }

  @Test
  void aNetworkThatIsAsFastIsNotFaster() {
    Vertex cpu0 = machine.intel();
    Vertex cpu1 = machine.intel();
    Vertex pci0 = machine.pciSwitch(cpu0);
    Vertex pci1 = machine.pciSwitch(cpu1);
    Vertex a = machine.gpu(pci0, 80);
    Vertex b = machine.gpu(pci1, 80);
    machine.net(pci0, 10);
    machine.net(pci1, 10);
    assertPath(
        "SYS 10.0 over PCI 0-1000 CPU 0-0 CPU 0-1 PCI 0-2000 GPU 0-4000", a, b, machine.build());
  }

  @Test
  void aPortOnTheSwitchOfTheGpuIsAtPix() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex gpu = machine.gpu(pci, 80);
    Vertex net = machine.net(pci, 12.5f);
    Topology topology = machine.build();
    assertPath("PIX 12.5 over PCI 0-1000 NIC 0-3000 NET 0-0", gpu, net, topology);
    assertPath("PIX 12.5 over NIC 0-3000 PCI 0-1000 GPU 0-2000", net, gpu, topology);
  }

  @Test
  void withoutGdrTrafficToAPortGoesThroughTheCpu() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex gpu = machine.gpu(pci, 80);
    Vertex net = machine.net(pci, 12.5f, false);
    Topology topology = machine.build();
    assertPath(
        "PHB 12.5 over PCI 0-1000 CPU 0-0 PCI 0-1000 NIC 0-3000 NET 0-0", gpu, net, topology);
  }

  @Test
  void aGpuWithoutGdrReachesAPortThroughTheCpu() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex gpu = machine.gpu(pci, 80, false, 24);
    Vertex net = machine.net(pci, 12.5f);
    assertPath(
        "PHB 12.5 over NIC 0-3000 PCI 0-1000 CPU 0-0 PCI 0-1000 GPU 0-2000",
        net,
        gpu,
        machine.build());
  }

  @Test
  void gdrLevelDrawsTheLineBetweenPathTypes() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex gpu = machine.gpu(pci, 80);
    Vertex net = machine.net(pci, 12.5f);
    Topology topology = machine.build();
    String direct = "PIX 12.5 over PCI 0-1000 NIC 0-3000 NET 0-0";
    assertPath(direct, gpu, net, topology, "NCCL_NET_GDR_LEVEL=PIX");
    assertPath(
        "PHB 12.5 over PCI 0-1000 CPU 0-0 PCI 0-1000 NIC 0-3000 NET 0-0",
        gpu,
        net,
        topology,
        "NCCL_NET_GDR_LEVEL=LOC");
  }

  @Test
  void aFarPortIsReachedThroughTheGpuNextToIt() {
    Vertex cpu0 = machine.intel();
    Vertex cpu1 = machine.intel();
    Vertex pci = machine.pciSwitch(cpu0);
    Vertex near = machine.gpu(pci, 80);
    Vertex far = machine.gpu(machine.pciSwitch(cpu1), 80);
    Vertex net = machine.net(pci, 25);
    machine.nvlink(near, far, 60);
    Topology topology = machine.build();
    assertPath("PXN 24.0 over GPU 0-2000 PCI 0-1000 NIC 0-5000 NET 0-0", far, net, topology);
    String overCpus = "SYS 10.0 over PCI 0-3000 CPU 0-1 CPU 0-0 PCI 0-1000 NIC 0-5000 NET 0-0";
    assertPath(overCpus, far, net, topology, "NCCL_PXN_DISABLE=1");
    assertPath(
        "SYS 10.0 over NIC 0-5000 PCI 0-1000 CPU 0-0 CPU 0-1 PCI 0-3000 GPU 0-4000",
        net,
        far,
        topology);
  }

  @Test
  void aFarPortIsNotReachedThroughAGpuWithoutNvlink() {
    Vertex cpu0 = machine.intel();
    Vertex cpu1 = machine.intel();
    Vertex pci = machine.pciSwitch(cpu0);
    machine.gpu(pci, 80);
    Vertex far = machine.gpu(cpu1, 80);
    Vertex net = machine.net(pci, 25);
    assertPath(
        "SYS 10.0 over CPU 0-1 CPU 0-0 PCI 0-1000 NIC 0-4000 NET 0-0", far, net, machine.build());
  }

  @Test
  void c2cReachesTheCpuAndTheNicsBelowIt() {
    Vertex cpu = machine.arm();
    Vertex gpu = machine.gpu(cpu, 90);
    Vertex net = machine.net(cpu, 25);
    machine.c2c(gpu, cpu, 450);
    Topology topology = machine.build();
    assertPath("C2C 450.0 over CPU 0-0", gpu, cpu, topology);
    assertPath("P2C 24.0 over CPU 0-0 NIC 0-2000 NET 0-0", gpu, net, topology);
    assertPath("P2C 24.0 over NIC 0-2000 CPU 0-0 GPU 0-1000", net, gpu, topology);
  }

  @Test
  void theGpuInBetweenMayReachThePortOverC2c() {
    Vertex cpu0 = machine.arm();
    Vertex cpu1 = machine.arm();
    Vertex near = machine.gpu(cpu0, 90);
    Vertex far = machine.gpu(cpu1, 90);
    Vertex net = machine.net(cpu0, 25);
    machine.nvlink(near, far, 100);
    machine.c2c(near, cpu0, 450);
    machine.c2c(far, cpu1, 450);
    Topology topology = machine.build();
    String overCpus = "SYS 6.0 over CPU 0-1 CPU 0-0 NIC 0-3000 NET 0-0";
    assertPath("PXN 24.0 over GPU 0-1000 CPU 0-0 NIC 0-3000 NET 0-0", far, net, topology);
    assertPath(overCpus, far, net, topology, "NCCL_PXN_C2C=0");
    assertPath(overCpus, far, net, topology, "NCCL_NET_GDR_C2C=0");
  }

  @Test
  void gpusTakeTurnsWithTheirShareOfThePortsNextToThem() {
    Vertex pci = machine.pciSwitch(machine.intel());
    machine.gpu(pci, 80);
    machine.gpu(pci, 80);
    for (int n = 0; n < 4; n++) {
      machine.net(pci, 12.5f);
    }
    Topology topology = machine.build();
    assertTurns(topology, "", List.of(0, 1, 0, 1, 0), List.of(2, 3, 2, 3, 2));
    assertTurns(topology, "ALL", List.of(0, 1, 2, 3, 0), List.of(2, 3, 0, 1, 2));
    assertTurns(topology, "MAX:1", List.of(0, 0, 0, 0, 0), List.of(2, 2, 2, 2, 2));
  }

  private static void assertTurns(
      Topology topology, String policy, List<Integer> first, List<Integer> second) {
    LocalDevices locals =
        PathFinder.find(
                topology,
                NcclSettings.parse(List.of("NCCL_NETDEVS_POLICY=" + policy)),
                NcclProfile.DEFAULT)
            .localDevices();
    List<Integer> channels = List.of(0, 1, 2, 3, 4);
    assertEquals(first, channels.stream().map(channel -> locals.netFor(0, channel)).toList());
    assertEquals(second, channels.stream().map(channel -> locals.netFor(1, channel)).toList());
  }

  @Test
  void refusesAGpuThatReachesNoCpu() {
    machine.gpu(machine.intel(), 80);
    machine
        .builder()
        .add(
            new GpuNode(
                new NodeId(0, 0xff000), new BusId("ff:00.0"), 1, 1, 80, true, "", true, ""));
    Topology topology = machine.build();
    UnusableTopologyException e =
        assertThrows(
            UnusableTopologyException.class,
            () -> PathFinder.find(topology, NcclSettings.DEFAULTS, NcclProfile.DEFAULT));
    assertEquals("GPU 0-ff000 has no path to a CPU", e.getMessage());
  }

  @Test
  void refusesALinkThatLeadsOneWayOnly() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex b = machine.gpu(cpu, 80);
    machine.builder().connect(a, b, LinkType.NVL, 60);
    Topology topology = machine.build();
    UnusableTopologyException e =
        assertThrows(
            UnusableTopologyException.class,
            () -> PathFinder.find(topology, NcclSettings.DEFAULTS, NcclProfile.DEFAULT));
    assertEquals("GPU 0-1000 has a link to GPU 0-2000 but not back", e.getMessage());
  }

  @Test
  void aPortIsDrivenByTheGpuNextToIt() {
    Vertex cpu = machine.intel();
    Vertex pci0 = machine.pciSwitch(cpu);
    Vertex pci1 = machine.pciSwitch(cpu);
    machine.gpu(pci0, 80);
    machine.gpu(pci1, 80);
    machine.net(pci1, 12.5f);
    machine.net(pci0, 12.5f);
    LocalDevices locals =
        PathFinder.find(machine.build(), NcclSettings.DEFAULTS, NcclProfile.DEFAULT).localDevices();
    assertArrayEquals(new int[] {1}, locals.netsNear(0));
    assertArrayEquals(new int[] {1}, locals.gpusNear(0));
    assertEquals(1, locals.gpuOf(0));
    assertEquals(0, locals.gpuOf(1));
    assertEquals(0, locals.netFor(1, 0));
  }

  @ParameterizedTest
  @MethodSource("dev.topo.model.fixture.ShippedMachines#files")
  void everyPathIsAWayOverLinksAsWideAsItsNarrowest(Path file) {
    Topology topology = new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics());
    Paths paths = PathFinder.find(topology, NcclSettings.DEFAULTS, NcclProfile.DEFAULT);
    for (int from = 0; from < topology.size(); from++) {
      for (NodeType type : List.of(NodeType.GPU, NodeType.NVS, NodeType.CPU, NodeType.NET)) {
        for (int to : topology.indexes(type)) {
          assertWay(topology, paths.path(from, to));
        }
      }
    }
  }

  private static void assertWay(Topology topology, NodePath path) {
    String name = topology.node(path.from()).label() + " to " + topology.node(path.to()).label();
    if (path.type() == PathType.DIS) {
      assertEquals(List.of(), path.links(), name);
      return;
    }
    int node = path.from();
    float narrowest = 5000;
    for (Link link : path.links()) {
      assertEquals(node, link.from(), name);
      narrowest = Math.min(narrowest, link.bwGBps());
      node = link.to();
    }
    assertEquals(path.to(), node, name);
    assertEquals(narrowest, path.bwGBps(), name);
    assertEquals(path.from() == path.to(), path.hops() == 0, name);
  }
}
