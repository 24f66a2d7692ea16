package dev.topo.search.path;

import static dev.topo.search.fixture.TestMachine.index;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Topology;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The path rules in which NCCL versions differ. */
class PathRulesTest {
  private final TestMachine machine = new TestMachine();

  /** Compares type, bandwidth in GB/s and hops of a path. */
  private static void assertPath(
      String version,
      String expected,
      Vertex from,
      Vertex to,
      Topology topology,
      String... settings) {
    Paths paths =
        PathFinder.find(topology, NcclSettings.parse(List.of(settings)), NcclProfile.of(version));
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
}
