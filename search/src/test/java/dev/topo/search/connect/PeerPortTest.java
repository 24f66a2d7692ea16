package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.PathFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerPortTest {
  private static final int FIRST = 0;
  private static final int SECOND = 1;

  /** GPU 0 reaches the port over C2C, GPU 1 through GPU 0. */
  private static Topology throughTheFirst() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.arm();
    Vertex near = machine.gpu(cpu, 90);
    Vertex far = machine.gpu(cpu, 90);
    machine.net(cpu, 12.5f);
    machine.nvlink(near, far, 100);
    machine.c2c(near, cpu, 450);
    return machine.build();
  }

  private static void assertRelay(int expected, String version, String... settings) {
    NcclSettings user = NcclSettings.parse(List.of(settings));
    Domain domain =
        new Domain(PathFinder.find(throughTheFirst(), user, NcclProfile.of(version)), true);
    assertEquals(
        expected,
        PeerPort.of(domain, SECOND, FIRST, 0, domain.profile().complete(user)).relay(),
        version);
  }

  @Test
  void aGpuOnC2cRelaysSendsWithNcclPxnC2c() {
    assertRelay(FIRST, "2.28.9");
    assertRelay(SECOND, "2.28.9", "NCCL_PXN_C2C=0");
    assertRelay(FIRST, "2.27.7", "NCCL_PXN_C2C=1");
    assertRelay(SECOND, "2.27.7");
  }

  @Test
  void upTo2275NoneDoes() {
    assertRelay(SECOND, "2.27.5", "NCCL_PXN_C2C=1");
    assertRelay(SECOND, "2.26.2", "NCCL_PXN_C2C=1");
  }
}
