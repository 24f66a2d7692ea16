package dev.topo.search.path;

import static dev.topo.search.fixture.TestMachine.index;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain.SystemBandwidth;
import dev.topo.search.path.NicAccessFinder.GdrRules.GdrDecision;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The path rules in which NCCL versions differ. */
class PathRulesTest {
  private final TestMachine machine = new TestMachine();

  private static Paths paths(String version, Topology topology, String... settings) {
    return PathFinder.find(
        topology, NcclSettings.parse(List.of(settings)), NcclProfile.of(version));
  }

  /** Compares type, bandwidth in GB/s and hops of a path. */
  private static void assertPath(
      String version,
      String expected,
      Vertex from,
      Vertex to,
      Topology topology,
      String... settings) {
    Paths paths = paths(version, topology, settings);
    int start = index(topology, from);
    int end = index(topology, to);
    assertEquals(
        expected,
        "%s %s %s"
            .formatted(paths.type(start, end), paths.bwGBps(start, end), paths.hops(start, end)),
        version);
  }

  @Test
  void onlyTheNearestPortsAreReachedOverC2c() {
    Vertex cpu = machine.arm();
    Vertex gpu = machine.gpu(cpu, 90);
    Vertex slow = machine.net(cpu, 12.5f);
    Vertex fast = machine.net(cpu, 20);
    machine.c2c(gpu, cpu, 450);
    Topology topology = machine.build();
    assertPath("2.27.3", "P2C 12.5 3", gpu, slow, topology);
    assertPath("2.28.9", "P2C 12.5 3", gpu, slow, topology);
    assertPath("2.29.3", "PHB 12.5 3", gpu, slow, topology);
    assertPath("2.29.3", "P2C 20.0 3", gpu, fast, topology);
  }

  /** As on GB300: over PCI there, and back over C2C, as both have equally many links. */
  @Test
  void aPortBesideTheGpuStaysAtPhbIn2273() {
    Vertex cpu = machine.arm();
    Vertex upper = machine.pciSwitch(cpu);
    Vertex gpu = machine.gpu(machine.pciSwitch(upper), 103);
    Vertex net = machine.net(machine.pciSwitch(upper), 100);
    machine.c2c(gpu, cpu, 223);
    Topology topology = machine.build();
    for (String version : List.of("2.27.3", "2.27.5")) {
      assertPath(version, "PXB 24.0 5", gpu, net, topology);
    }
    assertPath("2.27.3", "PHB 24.0 5", net, gpu, topology);
    assertPath("2.27.5", "P2C 24.0 5", net, gpu, topology);
  }

  @Test
  void aDetourOverC2cIsAtP2c() {
    Vertex cpu = machine.arm();
    Vertex pci = machine.pciSwitch(cpu);
    Vertex gpu = machine.gpu(pci, 90);
    Vertex net = machine.net(pci, 12.5f, false);
    machine.c2c(gpu, cpu, 450);
    Topology topology = machine.build();
    assertPath("2.27.3", "PHB 12.5 4", gpu, net, topology);
    assertPath("2.27.5", "P2C 12.5 4", gpu, net, topology);
  }

  @Test
  void withoutP2cThePortBelowTheCpuIsAtPhb() {
    Vertex cpu = machine.arm();
    Vertex gpu = machine.gpu(cpu, 90);
    Vertex net = machine.net(cpu, 12.5f);
    machine.c2c(gpu, cpu, 450);
    Topology topology = machine.build();
    assertPath("2.26.2", "PHB 12.5 3", gpu, net, topology);
    assertPath("2.27.3", "P2C 12.5 3", gpu, net, topology);
  }

  @Test
  void pxnReplacesPathsThatARelayCouldNotHave() {
    Vertex cpu = machine.arm();
    Vertex near = machine.gpu(cpu, 90);
    Vertex far = machine.gpu(cpu, 90);
    Vertex net = machine.net(cpu, 12.5f);
    machine.nvlink(near, far, 100);
    machine.c2c(near, cpu, 450);
    Topology topology = machine.build();
    assertPath("2.28.9", "PXN 12.5 4", far, net, topology);
    assertPath("2.27.5", "PHB 12.5 3", far, net, topology);
    assertPath("2.27.5", "PXN 12.5 4", far, net, topology, "NCCL_PXN_C2C=1");
    assertPath("2.26.2", "PHB 12.5 3", far, net, topology, "NCCL_PXN_C2C=1");
  }

  @Test
  void pxnLeavesPathsOverC2cToTheGpuSince2277() {
    Vertex cpu = machine.arm();
    Vertex pci = machine.pciSwitch(cpu);
    Vertex near = machine.gpu(pci, 90);
    Vertex far = machine.gpu(cpu, 90);
    Vertex net = machine.net(pci, 12.5f);
    machine.nvlink(near, far, 100);
    machine.c2c(far, cpu, 450);
    Topology topology = machine.build();
    assertPath("2.27.7", "P2C 12.5 4", far, net, topology);
    assertPath("2.27.5", "PXN 12.5 4", far, net, topology);
    assertPath("2.27.5", "P2C 12.5 4", far, net, topology, "NCCL_PXN_C2C=1");
  }

  @Test
  void gdrOverC2cCountsAsNearOrAsP2c() {
    Vertex cpu = machine.arm();
    machine.net(cpu, 12.5f);
    machine.c2c(machine.gpu(cpu, 90), cpu, 450);
    Topology topology = machine.build();
    String level = "NCCL_NET_GDR_LEVEL=PIX";
    assertEquals(GdrDecision.ALLOWED, gdr("2.28.9", topology, level));
    assertEquals(GdrDecision.TOO_FAR, gdr("2.29.3", topology, level));
    assertEquals(GdrDecision.ALLOWED, gdr("2.29.3", topology));
    assertEquals(GdrDecision.TOO_FAR, gdr("2.29.3", topology, "NCCL_NET_GDR_C2C=0"));
  }

  private static GdrDecision gdr(String version, Topology topology, String... settings) {
    NcclSettings user = NcclSettings.parse(List.of(settings));
    NcclProfile profile = NcclProfile.of(version);
    Domain domain = new Domain(PathFinder.find(topology, user, profile), true);
    return new NicAccessFinder(domain, user).find(0, 0).gdr();
  }

  @Test
  void theNearestTypeIsTakenBeforeFewerHops() {
    Vertex cpu0 = machine.intel();
    Vertex cpu1 = machine.intel();
    Vertex gpu = machine.gpu(machine.pciSwitch(machine.pciSwitch(cpu1)), 90);
    Vertex net = machine.net(cpu1, 25);
    machine.c2c(gpu, cpu0, 450);
    Topology topology = machine.build();
    assertPath("2.29.7", "SYS 10.0 4", net, gpu, topology);
    assertPath("2.30.3", "SYS 10.0 5", net, gpu, topology);
    assertPath("2.30.7", "PHB 24.0 6", net, gpu, topology);
  }

  @Test
  void theCpuOfAGpuIsTheOneWithTheMostBandwidth() {
    Vertex cpu0 = machine.intel();
    Vertex gpu = machine.gpu(machine.pciSwitch(machine.intel()), 90);
    machine.c2c(gpu, cpu0, 5);
    Topology topology = machine.build();
    assertEquals(0, paths("2.30.3", topology).localCpu(0));
    assertEquals(1, paths("2.30.7", topology).localCpu(0));
  }

  @Test
  void aRelayNeedsGdr() {
    Vertex cpu0 = machine.intel();
    Vertex pci = machine.pciSwitch(cpu0);
    Vertex near = machine.gpu(pci, 80);
    Vertex far = machine.gpu(machine.intel(), 80);
    Vertex net = machine.net(pci, 25);
    machine.nvlink(near, far, 60);
    Topology topology = machine.build();
    String noReads = "NCCL_NET_GDR_READ=0";
    assertPath("2.29.7", "PXN 24.0 4", far, net, topology, noReads);
    assertPath("2.30.3", "SYS 10.0 6", far, net, topology, noReads);
    assertPath("2.30.3", "PXN 24.0 7", far, net, topology);
  }

  @Test
  void gpusThatSharePortsBeginWithThatOfTheirNumberAmongThem() {
    Vertex cpu0 = machine.intel();
    machine.gpu(cpu0, 80);
    Vertex cpu1 = machine.intel();
    machine.gpu(cpu1, 80);
    machine.gpu(cpu1, 80);
    for (int net = 0; net < 3; net++) {
      machine.net(cpu1, 25);
    }
    Topology topology = machine.build();
    assertEquals(2, paths("2.30.3", topology).localDevices().netFor(2, 0));
    assertEquals(0, paths("2.30.7", topology).localDevices().netFor(2, 0));
  }

  /**
   * Of two GPUs on each switch the third begins with the port of its device number, 2 of 4 with its
   * bits in reverse, or with that of 2 modulo 2.
   */
  @ParameterizedTest
  @CsvSource({
    "2.30.3, 100, 15b31023, 0, 5",
    "2.30.7, 90, 15b31021, 0, 4",
    "2.31.2, 90, 15b31023, 0, 5",
    "2.31.2, 100, 15b31021, 0, 5",
    "2.31.2, 100, 15b31023, 0, 4",
    "2.31.2, 103, 15b32100, 0, 4",
    "2.32.3, 100, 15b31023, 0, 4",
    "2.31.2, 90, 15b31021, 1, 4",
    "2.30.3, 90, 15b31021, 1, 5"
  })
  void theFirstPortIsAmongSharersForBlackwellWithConnectX8(
      String version, int sm, String model, int scatter, int expected) {
    Vertex cpu = machine.intel();
    for (int part = 0; part < 2; part++) {
      Vertex pci = machine.pciSwitch(cpu);
      for (int port = 0; port < 4; port++) {
        machine.netOfModel(pci, 50, Integer.parseInt(model, 16));
      }
      machine.gpu(pci, sm);
      machine.gpu(pci, sm);
    }
    Topology topology = machine.build();
    NcclProfile profile = NcclProfile.of(version);
    NcclSettings settings =
        profile.complete(NcclSettings.parse(List.of("NCCL_TOPO_SCATTER_START_NET=" + scatter)));
    assertEquals(
        expected, PathFinder.find(topology, settings, profile).localDevices().netFor(2, 0));
  }

  @Test
  void aGpuIsOneLinkFromItsDevice() {
    Vertex cpu0 = machine.intel();
    Vertex cpu1 = machine.intel();
    Vertex pci = machine.pciSwitch(cpu0);
    Vertex near = machine.gpu(pci, 80);
    Vertex far = machine.gpu(cpu1, 80);
    Vertex net = machine.net(pci, 25);
    machine.nvlink(near, far, 60);
    Topology topology = machine.build();
    assertPath("2.29.7", "NVL 60.0 1", near, far, topology);
    assertPath("2.30.3", "NVL 60.0 3", near, far, topology);
    assertPath("2.30.3", "LOC 5000.0 0", near, near, topology);
    assertPath("2.30.3", "PHB 24.0 3", near, cpu0, topology);
    assertPath("2.29.7", "PXN 24.0 4", far, net, topology);
    assertPath("2.30.3", "PXN 24.0 7", far, net, topology);
    assertPath("2.30.3", "SYS 10.0 1", cpu0, cpu1, topology);
  }

  @Test
  void theDevicesOfOtherDomainsCount() {
    Vertex near = machine.pciSwitch(machine.intel());
    machine.gpu(near, 80);
    machine.net(near, 50);
    Vertex far = machine.pciSwitch(machine.intel(), 48, 0);
    machine.gpu(far, 80, true, 48);
    machine.net(far, 50);
    Topology topology = machine.build();
    assertEquals(new SystemBandwidth(24, 24), bandwidth("2.29.7", topology));
    assertEquals(new SystemBandwidth(24, 48), bandwidth("2.30.3", topology));
  }

  /** The bounds of the first domain. */
  private static SystemBandwidth bandwidth(String version, Topology topology) {
    return SystemBandwidth.of(
        DomainFinder.find(topology, NcclSettings.DEFAULTS, false, NcclProfile.of(version)).get(0));
  }
}
