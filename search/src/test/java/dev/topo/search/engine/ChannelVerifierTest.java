package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeId;
import dev.topo.model.fixture.GraphBuilder;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@link GraphLoad} and {@link ChannelVerifier}: right graphs pass, planted errors are found. */
class ChannelVerifierTest {
  private static final Optional<Channel.Nets> NO_NETS = Optional.empty();

  /** Three GPUs in a triangle of NVLinks with 40 GB/s. */
  private static Domain triangle() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex b = machine.gpu(cpu, 80);
    Vertex c = machine.gpu(cpu, 80);
    machine.nvlink(a, b, 40);
    machine.nvlink(b, c, 40);
    machine.nvlink(a, c, 40);
    return domain(machine, false);
  }

  private static Domain domain(TestMachine machine, boolean crossesNetwork) {
    return DomainFinder.find(
            machine.build(), NcclSettings.DEFAULTS, crossesNetwork, NcclProfile.DEFAULT)
        .get(0);
  }

  private static ChannelGraph graph(
      GraphKind kind, Pattern pattern, float bwIntra, float bwInter, Channel... channels) {
    return GraphBuilder.of(kind, List.of(channels))
        .like(pattern)
        .bwGBps(bwIntra, bwInter)
        .paths(PathType.SYS, PathType.SYS)
        .differing()
        .build();
  }

  private static ChannelGraph rings(float bw, Channel... channels) {
    return graph(GraphKind.RING, Pattern.RING, bw, bw, channels);
  }

  private static Channel channel(Optional<Channel.Nets> nets, Integer... ranks) {
    return new Channel(Arrays.asList(ranks), nets);
  }

  private static Channel channel(Integer... ranks) {
    return channel(NO_NETS, ranks);
  }

  /** Load by the labels of the two ends. */
  private static Map<String, Double> load(Domain domain, ChannelGraph graph) {
    return new GraphLoad(domain, graph)
        .fullestFirst().stream()
            .collect(
                Collectors.toMap(
                    loaded ->
                        domain.topology().node(loaded.link().from()).label()
                            + " > "
                            + domain.topology().node(loaded.link().to()).label(),
                    GraphLoad.LoadedLink::usedGBps));
  }

  @Test
  void rightRingsPass() {
    ChannelGraph graph = rings(40, channel(0, 1, 2), channel(0, 2, 1));
    assertEquals(List.of(), ChannelVerifier.verify(triangle(), graph));
    assertEquals(6, load(triangle(), graph).size());
  }

  @Test
  void findsGpuThatIsMissing() {
    assertEquals(
        List.of("channel 0 has ranks [0, 1], expected each of [0, 1, 2] once"),
        ChannelVerifier.verify(triangle(), rings(10, channel(0, 1))));
  }

  @Test
  void findsGpuThatIsThereTwice() {
    assertEquals(
        List.of("channel 1 has ranks [0, 1, 2, 1], expected each of [0, 1, 2] once"),
        ChannelVerifier.verify(triangle(), rings(1, channel(0, 1, 2), channel(0, 1, 2, 1))));
    assertEquals(1, ChannelVerifier.verify(triangle(), rings(1, channel(0, 1, 1))).size());
  }

  @Test
  void findsGpuThatIsNotInTheDomain() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ChannelVerifier.verify(triangle(), rings(1, channel(0, 1, 3))));
  }

  @Test
  void findsLinkThatCarriesTooMuch() {
    Domain domain = triangle();
    List<String> wrong =
        ChannelVerifier.verify(domain, rings(24, channel(0, 1, 2), channel(1, 2, 0)));
    assertEquals(3, wrong.size(), wrong.toString());
    assertEquals(new Link(0, 1, LinkType.NVL, 40) + " carries 48.0 GB/s", wrong.get(0));
  }

  @Test
  void roundingIsNoError() {
    assertEquals(List.of(), ChannelVerifier.verify(triangle(), rings(40.05f, channel(0, 1, 2))));
    assertEquals(3, ChannelVerifier.verify(triangle(), rings(40.2f, channel(0, 1, 2))).size());
  }

  @Test
  void findsPortsOnOneNodeAndNoPortsOnSeveral() {
    Optional<Channel.Nets> nets = Optional.of(new Channel.Nets(new NodeId(0, 0), new NodeId(0, 0)));
    assertEquals(
        List.of("channel 0 has ports"),
        ChannelVerifier.verify(triangle(), rings(10, channel(nets, 0, 1, 2))));
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.net(cpu, 25);
    assertEquals(
        List.of("channel 0 has no ports"),
        ChannelVerifier.verify(domain(machine, true), rings(10, channel(0))));
  }

  @Test
  void findsNvlsHeadThatIsThereTwice() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    machine.nvSwitch(300, machine.gpu(cpu, 90), machine.gpu(cpu, 90));
    Domain domain = domain(machine, false);
    assertEquals(
        List.of("channel 1 has the head 0 of another channel"),
        ChannelVerifier.verify(
            domain, graph(GraphKind.NVLS, Pattern.NVLS, 10, 10, channel(0, 1), channel(0, 1))));
    assertEquals(
        List.of(),
        ChannelVerifier.verify(
            domain, graph(GraphKind.NVLS, Pattern.NVLS, 100, 100, channel(0, 1), channel(1, 0))));
  }

  @Test
  void aChainDoesNotReturnToItsFirstGpu() {
    assertEquals(
        Map.of("GPU 0-1000 > GPU 0-2000", 10.0, "GPU 0-2000 > GPU 0-3000", 10.0),
        load(triangle(), graph(GraphKind.TREE, Pattern.BALANCED_TREE, 10, 10, channel(0, 1, 2))));
  }

  @Test
  void theHeadOfMulticastCountsTwice() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    machine.nvSwitch(300, machine.gpu(cpu, 90), machine.gpu(cpu, 90));
    assertEquals(
        Map.of(
            "GPU 0-1000 > NVS 0-0", 20.0,
            "NVS 0-0 > GPU 0-1000", 20.0,
            "GPU 0-2000 > NVS 0-0", 10.0,
            "NVS 0-0 > GPU 0-2000", 10.0),
        load(domain(machine, false), graph(GraphKind.NVLS, Pattern.NVLS, 10, 10, channel(0, 1))));
  }

  @Test
  void theHeadOfCollNetSharesItsBandwidthAmongTheOthers() {
    assertEquals(
        Map.of(
            "GPU 0-1000 > GPU 0-2000", 5.0,
            "GPU 0-2000 > GPU 0-1000", 5.0,
            "GPU 0-1000 > GPU 0-3000", 5.0,
            "GPU 0-3000 > GPU 0-1000", 5.0),
        load(
            triangle(),
            graph(GraphKind.COLLNET_DIRECT, Pattern.COLLNET_DIRECT, 10, 10, channel(0, 1, 2))));
  }

  @Test
  void treesGoBackToTheNetworkAsTheirPatternSays() {
    TestMachine machine = new TestMachine();
    Vertex pci = machine.pciSwitch(machine.intel());
    machine.gpu(pci, 80);
    machine.gpu(pci, 80);
    machine.net(pci, 25);
    Domain domain = domain(machine, true);
    Optional<Channel.Nets> nets = Optional.of(new Channel.Nets(new NodeId(0, 0), new NodeId(0, 0)));
    Channel channel = channel(nets, 0, 1);
    Map<String, Double> balanced =
        load(domain, graph(GraphKind.TREE, Pattern.BALANCED_TREE, 10, 8, channel));
    assertEquals(8, balanced.get("NET 0-0 > NIC 0-4000"));
    assertEquals(8, balanced.get("NIC 0-4000 > NET 0-0"));
    assertEquals(10 + 4, balanced.get("GPU 0-2000 > PCI 0-1000"));
    assertEquals(10, balanced.get("PCI 0-1000 > GPU 0-3000"));
    assertEquals(4, balanced.get("GPU 0-3000 > PCI 0-1000"));
    Map<String, Double> split =
        load(domain, graph(GraphKind.TREE, Pattern.SPLIT_TREE, 10, 8, channel));
    assertEquals(10, split.get("GPU 0-2000 > PCI 0-1000"));
    assertEquals(8, split.get("GPU 0-3000 > PCI 0-1000"));
    Map<String, Double> simple = load(domain, graph(GraphKind.TREE, Pattern.TREE, 10, 8, channel));
    assertEquals(18, simple.get("GPU 0-2000 > PCI 0-1000"));
    assertEquals(8, simple.get("PCI 0-1000 > GPU 0-2000"));
    Map<String, Double> ring = load(domain, rings(8, channel));
    assertEquals(8, ring.get("GPU 0-3000 > PCI 0-1000"));
    assertEquals(8, ring.get("GPU 0-2000 > PCI 0-1000"));
  }

  @Test
  void intelHostBridgesCostAFifthMoreOnPci() {
    TestMachine intel = new TestMachine();
    Vertex cpu = intel.intel();
    intel.gpu(cpu, 80);
    intel.gpu(cpu, 80);
    ChannelGraph ring = rings(10, channel(0, 1));
    assertEquals(12.0f, load(domain(intel, false), ring).get("GPU 0-1000 > CPU 0-0").floatValue());
    TestMachine arm = new TestMachine();
    Vertex armCpu = arm.arm();
    arm.gpu(armCpu, 80);
    arm.gpu(armCpu, 80);
    assertEquals(10, load(domain(arm, false), ring).get("GPU 0-1000 > CPU 0-0"));
  }

  @Test
  void theFullestLinkComesFirst() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.arm();
    machine.gpu(cpu, 80, true, 12);
    machine.gpu(cpu, 80, true, 24);
    Domain domain = domain(machine, false);
    GraphLoad load = new GraphLoad(domain, rings(6, channel(0, 1)));
    GraphLoad.LoadedLink fullest = load.fullest().orElseThrow();
    assertEquals(12, fullest.link().bwGBps());
    assertEquals(0.5, fullest.share());
    assertTrue(new GraphLoad(domain, rings(6)).fullest().isEmpty());
  }
}
