package dev.topo.visualizer.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.path.Domain;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order in which channels visit the hosts of an NVLink domain. */
class VisitOrderTest {
  private static ChannelGraph of(ChannelGraph graph, Integer... ranks) {
    return new ChannelGraph(
        graph.kind(),
        graph.pattern(),
        graph.crossNic(),
        graph.bwIntra(),
        graph.bwInter(),
        graph.latencyInter(),
        graph.typeIntra(),
        graph.typeInter(),
        graph.sameChannels(),
        List.of(new Channel(List.of(ranks), Optional.empty())));
  }

  @Test
  void aRingInsideTheDomainIsClosed() {
    Domain domain = NvlinkDomains.of(4, gpu -> true, false);
    List<VisitOrder> orders =
        VisitOrder.all(domain.topology(), NvlinkDomains.graph(domain, GraphKind.RING));
    assertEquals(1, orders.size());
    assertEquals("ring, channels 0-15", orders.get(0).title());
    assertEquals("hosts 0 to 3, each 0 1 2 3 → host 0", orders.get(0).text());
  }

  @Test
  void aRingOverTheNetworkBeginsAndEndsAtAPort() {
    Domain domain = NvlinkDomains.of(4, gpu -> true, true);
    ChannelGraph ring = NvlinkDomains.graph(domain, GraphKind.RING);
    assertEquals(
        "mlx5_1 of host 0 → host 0: 1 2 3 → hosts 1 to 3, each 0 1 2 3 → host 0: 0 → mlx5_1 of host 0",
        VisitOrder.of(domain.topology(), ring, 1).text());
  }

  @Test
  void ofAStarOnlyTheHeadsHaveAnOrder() {
    Domain domain = NvlinkDomains.of(2, gpu -> true, false);
    ChannelGraph nvls = NvlinkDomains.graph(domain, GraphKind.NVLS);
    List<VisitOrder> orders = VisitOrder.all(domain.topology(), nvls);
    assertEquals(1, orders.size());
    assertEquals("nvls, heads of channels 0-" + (nvls.nChannels() - 1), orders.get(0).title());
    assertEquals("host 0: 1", VisitOrder.of(domain.topology(), nvls, 1).text());
  }

  /** Hosts that are not neighbours, or visited with other GPUs, are named one by one. */
  @Test
  void onlyARunOfHostsIsOneEntry() {
    Domain domain = NvlinkDomains.of(4, gpu -> gpu.dev() < 2, false);
    Topology topology = domain.topology();
    ChannelGraph ring = NvlinkDomains.graph(domain, GraphKind.RING);
    assertEquals(
        "host 0: 0 1 → host 2: 0 1 → host 1: 0 1 → host 3: 0 1 → host 0",
        VisitOrder.of(topology, of(ring, 0, 1, 4, 5, 2, 3, 6, 7), 0).text());
    assertEquals(
        "host 3: 0 1 → host 2: 1 0 → host 1: 0 1 → host 0: 0 1 → host 3",
        VisitOrder.of(topology, of(ring, 6, 7, 5, 4, 2, 3, 0, 1), 0).text());
  }
}
