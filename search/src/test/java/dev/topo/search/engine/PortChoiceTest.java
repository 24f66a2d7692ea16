package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.CpuModel;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.NcclSettings.NetDevsPolicy;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortChoiceTest {
  private static int[] portsOfFortyNearTwoGpus(String version) {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    for (int port = 0; port < 40; port++) {
      machine.net(cpu, 12.5f);
    }
    Domain domain =
        DomainFinder.find(machine.build(), NcclSettings.DEFAULTS, true, NcclProfile.of(version))
            .get(0);
    return new PortChoice(new SearchSpace(domain, NcclSettings.DEFAULTS), NetDevsPolicy.AUTO, false)
        .forAnyGpu(PathType.SYS);
  }

  @Test
  void asManyPortsAsChannelsAreTried() {
    assertEquals(
        IntStream.range(0, 32).boxed().toList(),
        IntStream.of(portsOfFortyNearTwoGpus("2.21.5")).sorted().boxed().toList());
    assertEquals(40, portsOfFortyNearTwoGpus("2.25.1").length);
  }

  @Test
  void upTo220AllPortsAreTried() {
    assertEquals(40, portsOfFortyNearTwoGpus("2.20.5").length);
  }

  /** GPUs of two hosts, each with two ports. */
  private static List<Integer> portsOfHosts(String version, boolean scatterNets) {
    TestMachine machine = new TestMachine();
    Vertex[] gpus = new Vertex[2];
    for (int host = 0; host < gpus.length; host++) {
      Vertex cpu =
          machine
              .builder()
              .add(
                  new CpuNode(new NodeId(host, 0), 0, CpuArch.ARM, CpuVendor.NONE, CpuModel.OTHER));
      Vertex pci = machine.pciSwitch(cpu);
      gpus[host] = machine.gpu(pci, 100);
      machine.net(pci, 12.5f);
      machine.net(pci, 12.5f);
    }
    machine.nvSwitch(370.8f, gpus);
    Domain domain =
        DomainFinder.find(machine.build(), NcclSettings.DEFAULTS, true, NcclProfile.of(version))
            .get(0);
    return IntStream.of(
            new PortChoice(
                    new SearchSpace(domain, NcclSettings.DEFAULTS), NetDevsPolicy.AUTO, scatterNets)
                .forAnyGpu(PathType.SYS))
        .boxed()
        .toList();
  }

  @Test
  void gpusOfSeveralHostsTakeTurnsFrom2275() {
    assertEquals(List.of(0, 3, 1, 2), portsOfHosts("2.27.5", true));
    assertEquals(List.of(0, 1, 3, 2), portsOfHosts("2.27.5", false));
    assertEquals(List.of(0, 1, 3, 2), portsOfHosts("2.27.3", true));
  }
}
