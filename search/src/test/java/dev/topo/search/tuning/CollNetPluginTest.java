package dev.topo.search.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.tuning.Communicator.CollNetPlugin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link CollNetPlugin}: AllGather and ReduceScatter that the plugin does not have. */
class CollNetPluginTest {
  private static final Path SHARP =
      Path.of(System.getProperty("topo.root"), "topologies", "hgx-h100-sharp.xml");

  private static float bandwidth(Collective collective, Algorithm algorithm, String... settings)
      throws IOException {
    assertTrue(ShippedMachines.files().contains(SHARP));
    Topology topology = new TopologyReader().read(SHARP, GpuSelection.ALL, new Diagnostics());
    NcclSettings all =
        NcclSettings.parse(List.of("NCCL_COLLNET_ENABLE=1"))
            .with(NcclSettings.parse(List.of(settings)));
    return Communicator.of(Job.ofEqual(new Machine(topology, all), 2))
        .tuner()
        .model()
        .bandwidthGBps(collective, algorithm, Protocol.SIMPLE);
  }

  @ParameterizedTest
  @CsvSource({
    "ALL_GATHER, all_reduce, false",
    "REDUCE_SCATTER, all_reduce, false",
    "ALL_GATHER, 'all_reduce,all_gather', true",
    "REDUCE_SCATTER, 'all_reduce,all_gather', false",
    "ALL_REDUCE, all_reduce, true"
  })
  void whatThePluginLacksTakesNoAlgorithmThroughIt(
      Collective collective, String plugin, boolean runs) throws IOException {
    for (Algorithm algorithm : List.of(Algorithm.COLLNET_DIRECT, Algorithm.NVLS)) {
      float usual = bandwidth(collective, algorithm);
      assertTrue(usual > 0, algorithm.label());
      assertEquals(
          runs ? usual : 0,
          bandwidth(collective, algorithm, "TOPO_COLLNET_PLUGIN=" + plugin),
          algorithm.label());
    }
  }

  @Test
  void byDefaultItHasAll() {
    assertEquals(3, CollNetPlugin.operations(NcclSettings.DEFAULTS).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "all_gather", "all_reduce,broadcast", "AllReduce"})
  void otherStatementsAreErrors(String plugin) {
    NcclSettings settings = NcclSettings.parse(List.of("TOPO_COLLNET_PLUGIN=" + plugin));
    SettingException e =
        assertThrows(SettingException.class, () -> CollNetPlugin.operations(settings));
    assertTrue(e.getMessage().contains("TOPO_COLLNET_PLUGIN=" + plugin), e.getMessage());
  }
}
