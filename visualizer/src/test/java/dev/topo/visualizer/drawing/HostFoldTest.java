package dev.topo.visualizer.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.path.Domain;
import dev.topo.visualizer.report.PathHosts;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which hosts of an NVLink domain are drawn. */
class HostFoldTest {
  private static List<String> titles(HostFold fold) {
    return fold.groups().stream().map(HostGroup::title).toList();
  }

  @Test
  void equalTraysAreOneGroup() {
    HostFold fold = HostFold.of(NvlinkDomains.of(4, gpu -> true, false).topology());
    assertTrue(fold.isDomain());
    assertEquals(List.of("4 equal hosts: 0-3"), titles(fold));
    assertEquals("shown: host 2", fold.groups().get(0).shown(2));
  }

  @Test
  void aTrayWithAGpuLessIsDrawnByItself() {
    Topology topology =
        NvlinkDomains.of(4, gpu -> gpu.host() != 2 || gpu.dev() != 3, false).topology();
    assertEquals(List.of("3 equal hosts: 0-1,3", "host 2"), titles(HostFold.of(topology)));
    assertEquals(List.of("host 0", "host 1", "host 2", "host 3"), titles(HostFold.none(topology)));
  }

  @Test
  void traysThatMissDifferentGpusDiffer() {
    Topology topology = NvlinkDomains.of(2, gpu -> gpu.dev() != gpu.host(), false).topology();
    assertEquals(List.of("host 0", "host 1"), titles(HostFold.of(topology)));
  }

  /**
   * A ring over the network enters and leaves one tray by its ports; the others have none of it.
   */
  @Test
  void traysThatAChannelUsesDifferentlyAreDrawnBoth() {
    Domain domain = NvlinkDomains.of(3, gpu -> true, true);
    ChannelRoute route =
        new RouteFinder(domain).find(NvlinkDomains.graph(domain, GraphKind.RING), 0);
    assertEquals(
        List.of("host 0", "2 hosts that the channel uses alike: 1-2"),
        titles(HostFold.of(domain.topology(), Optional.of(route))));
  }

  @Test
  void aCounterpartIsTheSameDeviceOfAnotherTray() {
    Topology topology = NvlinkDomains.of(3, gpu -> true, false).topology();
    HostFold fold = HostFold.of(topology);
    for (int gpu : topology.indexes(NodeType.GPU)) {
      GpuNode other = (GpuNode) topology.node(fold.counterpart(gpu, 2));
      assertEquals(2, other.id().systemId());
      assertEquals(((GpuNode) topology.node(gpu)).dev(), other.dev());
      assertEquals(fold.hostOf(gpu) == 0, fold.isDrawn(gpu));
    }
    int nvs = topology.indexes(NodeType.NVS)[0];
    assertEquals(nvs, fold.counterpart(nvs, 2));
    assertTrue(fold.isDrawn(nvs));
  }

  @Test
  void pathsOfEqualTraysAreShownForOneAndToASecond() {
    Domain domain = NvlinkDomains.of(3, gpu -> true, true);
    PathHosts hosts = PathHosts.of(domain);
    int[] gpus = domain.topology().indexes(NodeType.GPU);
    assertEquals(4, Arrays.stream(gpus).filter(hosts::hasRowOf).count());
    assertEquals(8, Arrays.stream(gpus).filter(hosts::hasColumnOf).count());
    assertEquals(
        Optional.of(
            "3 equal hosts: 0-2; shown are the paths of host 0, and host 1 for the others."),
        hosts.note());
  }

  @Test
  void aMachineOfOneHostIsNoDomain() {
    HostFold fold = HostFold.of(NvlinkDomains.of(1, gpu -> true, false).topology());
    assertFalse(fold.isDomain());
    assertEquals(1, fold.groups().size());
  }
}
