package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.PathType;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.NetDevsPolicy;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
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
    return new PortChoice(new SearchSpace(domain), NetDevsPolicy.AUTO, false)
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
}
