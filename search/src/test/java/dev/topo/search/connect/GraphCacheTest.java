package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog;
import dev.topo.model.job.SettingCatalog.NcclSetting;
import dev.topo.model.job.SettingException;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GraphCacheTest {
  private static final List<String> VALUES = List.of("0", "1", "2", "16", "SYS", "Tree", "LL", "x");

  @TempDir private Path folder;

  private final GraphCache cache = new GraphCache(GraphSearch::findAll);

  private static Domain domain(String machine, NcclSettings settings) {
    Topology topology =
        new TopologyReader()
            .read(ShippedMachines.file(machine), GpuSelection.ALL, new Diagnostics());
    return DomainFinder.find(topology, settings, true, NcclProfile.DEFAULT).get(0);
  }

  private NodeGraphs graphs(String machine, String... settings) {
    NcclSettings all = NcclSettings.parse(List.of(settings));
    return cache.graphs(domain(machine, all), all, new Inputs());
  }

  @Test
  void equalDomainsAreSearchedOnce() {
    NodeGraphs first = graphs("dgx-a100");
    assertSame(first, graphs("dgx-a100"));
    assertSame(first, graphs("dgx-a100", "NCCL_ALGO=Ring"));
    assertEquals(1, cache.searches());
  }

  @Test
  void otherDomainsAreSearched() {
    NodeGraphs first = graphs("dgx-a100");
    assertNotSame(first, graphs("dgx-a100", "NCCL_CROSS_NIC=1"));
    assertNotSame(first, graphs("dgx-a100", "NCCL_P2P_LEVEL=LOC"));
    assertNotSame(first, graphs("dgx-h100"));
    assertEquals(4, cache.searches());
  }

  @Test
  void aGraphFileIsReadEachTime() throws Exception {
    Path file = folder.resolve("graph.xml");
    Files.writeString(file, "<graphs version=\"1\"></graphs>");
    graphs("l40s-4", "NCCL_GRAPH_FILE=" + file);
    assertEquals(0, cache.searches());
  }

  /** The key has the settings that a search follows; no other changes a graph. */
  @ParameterizedTest
  @ValueSource(strings = {"l40s-4", "v100-4-mesh"})
  void otherSettingsChangeNoGraph(String machine) {
    NodeGraphs plain = graphs(machine);
    Set<String> changing = new TreeSet<>();
    int tried = 0;
    for (NcclSetting setting : SettingCatalog.all()) {
      for (String value :
          GraphCache.OF_SEARCH.contains(setting.scope()) ? List.<String>of() : VALUES) {
        try {
          NcclSettings settings = NcclSettings.parse(List.of(setting.name() + "=" + value));
          if (!GraphSearch.findAll(domain(machine, settings), settings, new Inputs())
              .equals(plain)) {
            changing.add(setting.name() + "=" + value);
          }
          tried++;
        } catch (SettingException e) {
          // A value with which NCCL does not work.
        }
      }
    }
    assertEquals(Set.of(), changing);
    assertTrue(tried > 100, tried + " settings and values");
  }
}
