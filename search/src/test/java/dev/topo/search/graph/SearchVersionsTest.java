package dev.topo.search.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.settings.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rules by which the search of one NCCL version differs from that of another. */
class SearchVersionsTest {
  private final TestMachine machine = new TestMachine();

  private NodeGraphs graphs(String version, boolean crossesNetwork, String... assignments) {
    NcclSettings settings = NcclSettings.parse(List.of(assignments));
    Domain domain =
        DomainFinder.find(machine.build(), settings, crossesNetwork, NcclProfile.of(version))
            .get(0);
    return GraphSearch.findAll(domain, settings);
  }

  private static Set<Integer> portsIn(ChannelGraph graph) {
    return graph.channels().stream()
        .map(channel -> channel.nets().map(Channel.Nets::in).orElseThrow())
        .map(port -> (int) port.localId())
        .collect(Collectors.toSet());
  }

  @Test
  void nvlsTookThreeGpus() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 90);
    Vertex b = machine.gpu(cpu, 90);
    machine.nvSwitch(370.8f, a, b);
    assertEquals(2, graphs("2.28.7", false).get(GraphKind.NVLS).nChannels());
    assertEquals(0, graphs("2.28.3", false).get(GraphKind.NVLS).nChannels());
  }

  @Test
  void maxOfThePolicyLimitedPreferredPortsOnly() {
    Vertex pci = machine.pciSwitch(machine.intel());
    machine.gpu(pci, 80);
    machine.net(pci, 12.5f);
    machine.net(pci, 12.5f);
    String policy = "NCCL_NETDEVS_POLICY=MAX:1";
    assertEquals(Set.of(0), portsIn(graphs("2.28.7", true, policy).get(GraphKind.RING)));
    assertEquals(Set.of(0, 1), portsIn(graphs("2.28.3", true, policy).get(GraphKind.RING)));
  }
}
