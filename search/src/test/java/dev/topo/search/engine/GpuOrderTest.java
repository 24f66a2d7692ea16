package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.GpuOrder.NetPreference;
import dev.topo.search.engine.PathRoute.BandwidthLedger;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuOrderTest {
  private static List<Integer> afterGpu1(String version, Pattern pattern, long... used) {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    Vertex[] gpus = new Vertex[5];
    for (int g = 0; g < gpus.length; g++) {
      gpus[g] = machine.gpu(cpu, 90);
    }
    machine.nvSwitch(370.8f, gpus);
    Domain domain =
        DomainFinder.find(machine.build(), NcclSettings.DEFAULTS, false, NcclProfile.of(version))
            .get(0);
    SearchSpace space = new SearchSpace(domain, NcclSettings.DEFAULTS);
    GpuOrder order =
        new GpuOrder(space, new BandwidthLedger(domain.paths().linkTable(), space.rules));
    int[] next = new int[gpus.length];
    int count = order.next(1, NetPreference.NONE, 0, pattern, used, 1, next);
    List<Integer> found = new ArrayList<>();
    Arrays.stream(next, 0, count).forEach(found::add);
    return found;
  }

  @Test
  void onAnNvSwitchTheNeighboursAreTried() {
    assertEquals(List.of(0, 2), afterGpu1("2.21.5", Pattern.RING, 0, 1, 0, 0, 0));
    assertEquals(List.of(2, 0), afterGpu1("2.21.5", Pattern.BALANCED_TREE, 0, 1, 0, 0, 0));
    assertEquals(List.of(2), afterGpu1("2.21.5", Pattern.TREE, 0, 1, 0, 0, 0));
    assertEquals(List.of(0), afterGpu1("2.21.5", Pattern.RING, 0, 1, 1, 0, 0));
  }

  @Test
  void upTo220TheOthersAreTriedAfterThem() {
    assertEquals(List.of(0, 2, 3, 4), afterGpu1("2.20.5", Pattern.RING, 0, 1, 0, 0, 0));
    assertEquals(List.of(2, 0, 3, 4), afterGpu1("2.20.5", Pattern.BALANCED_TREE, 0, 1, 0, 0, 0));
    assertEquals(List.of(2, 3, 4, 0), afterGpu1("2.20.5", Pattern.TREE, 0, 1, 0, 0, 0));
    assertEquals(List.of(0, 3, 4), afterGpu1("2.20.5", Pattern.RING, 0, 1, 1, 0, 0));
  }
}
