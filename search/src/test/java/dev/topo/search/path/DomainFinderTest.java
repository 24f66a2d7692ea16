package dev.topo.search.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import org.junit.jupiter.api.Test;

class DomainFinderTest {
  private final TestMachine machine = new TestMachine();

  private List<Domain> find(boolean crossesNetwork, String... settings) {
    return DomainFinder.find(
        machine.build(),
        NcclSettings.parse(List.of(settings)),
        crossesNetwork,
        NcclProfile.DEFAULT);
  }

  private static List<List<Integer>> ranks(List<Domain> domains) {
    return domains.stream()
        .map(domain -> domain.topology().gpus().stream().map(GpuNode::rank).toList())
        .toList();
  }

  @Test
  void gpusThatReachEachOtherAreOneDomain() {
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    List<Domain> domains = find(false);
    assertEquals(List.of(List.of(0, 1)), ranks(domains));
    assertFalse(domains.get(0).crossesNetwork());
    assertTrue(find(true).get(0).crossesNetwork());
  }

  @Test
  void gpusThatOnlyTheNetworkJoinsAreSeveralDomains() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 80);
    Vertex b = machine.gpu(cpu, 80);
    Vertex c = machine.gpu(cpu, 80);
    Vertex d = machine.gpu(cpu, 80);
    machine.net(cpu, 25);
    machine.nvlink(a, c, 60);
    machine.nvlink(b, d, 60);
    List<Domain> domains = find(false, "NCCL_SHM_DISABLE=1");
    assertEquals(List.of(List.of(0, 2), List.of(1, 3)), ranks(domains));
    for (Domain domain : domains) {
      assertTrue(domain.crossesNetwork());
      assertEquals(1, domain.topology().nets().size());
      assertEquals(2, domain.paths().topology().gpus().size());
    }
  }

  @Test
  void everyGpuIsADomainWithoutAnyWayToTheOthers() {
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    assertEquals(
        List.of(List.of(0), List.of(1), List.of(2)),
        ranks(find(false, "NCCL_SHM_DISABLE=1", "NCCL_P2P_DISABLE=1")));
  }

  @Test
  void theWholeMachineIsThereInASingleDomain() {
    Vertex cpu = machine.intel();
    machine.gpu(machine.pciSwitch(cpu), 80);
    machine.net(cpu, 25);
    assertEquals(machine.build().nodes(), find(false).get(0).topology().nodes());
  }
}
