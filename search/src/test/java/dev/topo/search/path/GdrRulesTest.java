package dev.topo.search.path;

import static dev.topo.search.fixture.TestMachine.index;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.NicAccessFinder.GdrRules;
import dev.topo.search.path.NicAccessFinder.GdrRules.GdrDecision;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import org.junit.jupiter.api.Test;

class GdrRulesTest {
  private final TestMachine machine = new TestMachine();

  private GdrDecision check(Vertex gpu, Vertex net, boolean read, String... settings) {
    Topology topology = machine.build();
    PathTable table = new PathTable(new LinkTable(topology), topology.size(), 5000);
    BreadthFirst search = new BreadthFirst(topology, table, true, NcclProfile.DEFAULT.paths());
    for (NodeType type : List.of(NodeType.GPU, NodeType.NET)) {
      for (int target : topology.indexes(type)) {
        search.run(target, target);
      }
    }
    return new GdrRules(
            topology,
            table,
            NcclProfile.DEFAULT.complete(NcclSettings.parse(List.of(settings))),
            NcclProfile.DEFAULT.paths())
        .check(index(topology, gpu), index(topology, net), read);
  }

  @Test
  void bothDevicesHaveToSupportIt() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex gpu = machine.gpu(pci, 80);
    Vertex old = machine.gpu(pci, 80, false, 24);
    Vertex net = machine.net(pci, 25);
    Vertex plain = machine.net(pci, 25, false);
    assertEquals(GdrDecision.ALLOWED, check(gpu, net, false));
    assertEquals(GdrDecision.GPU_WITHOUT_GDR, check(old, net, false));
    assertEquals(GdrDecision.NIC_WITHOUT_GDR, check(gpu, plain, false));
    assertTrue(GdrDecision.ALLOWED.allowed());
    assertFalse(GdrDecision.TOO_FAR.allowed());
  }

  @Test
  void thePathHasToBeNear() {
    Vertex cpu = machine.intel();
    Vertex gpu = machine.gpu(cpu, 80);
    Vertex net = machine.net(cpu, 25);
    assertEquals(GdrDecision.TOO_FAR, check(gpu, net, false));
    assertEquals(GdrDecision.ALLOWED, check(gpu, net, false, "NCCL_NET_GDR_LEVEL=PHB"));
  }

  @Test
  void oldGpusWithoutNvlinkAreNotReadFrom() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex gpu = machine.gpu(pci, 70);
    Vertex peer = machine.gpu(pci, 70);
    Vertex net = machine.net(pci, 25);
    assertEquals(GdrDecision.ALLOWED, check(gpu, net, false));
    assertEquals(GdrDecision.READ_OFF, check(gpu, net, true));
    assertEquals(GdrDecision.ALLOWED, check(gpu, net, true, "NCCL_NET_GDR_READ=1"));
    machine.nvlink(gpu, peer, 20);
    assertEquals(GdrDecision.ALLOWED, check(gpu, net, true));
    assertEquals(GdrDecision.READ_OFF, check(gpu, net, true, "NCCL_NET_GDR_READ=0"));
  }

  @Test
  void anOldGpuOnItsOwnIsReadFrom() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex gpu = machine.gpu(pci, 70);
    assertEquals(GdrDecision.ALLOWED, check(gpu, machine.net(pci, 25), true));
  }

  @Test
  void newerGpusAreReadFrom() {
    Vertex pci = machine.pciSwitch(machine.intel());
    Vertex gpu = machine.gpu(pci, 80);
    machine.gpu(pci, 80);
    assertEquals(GdrDecision.ALLOWED, check(gpu, machine.net(pci, 25), true));
  }
}
