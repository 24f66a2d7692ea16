package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node;
import dev.topo.model.Node.BusId;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NvsNode;
import dev.topo.model.Topology;
import dev.topo.search.topology.TopologyBuilder.TopologyCheck;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TopologyCheckTest {
  private static final Node NVS = new NvsNode(new NodeId(0, 0));

  private static GpuNode gpu(String busId, int rank) {
    BusId id = new BusId(busId);
    return new GpuNode(new NodeId(0, id.number()), id, rank, rank, 80, true, "", true, "");
  }

  private static NetNode port() {
    return new NetNode(
        new NodeId(0, 0),
        "",
        0,
        0,
        0,
        1,
        0,
        false,
        false,
        64,
        OptionalInt.empty(),
        OptionalInt.empty(),
        0);
  }

  private static void assertBroken(String message, List<Node> nodes, List<List<Link>> links) {
    Topology topology = new Topology(nodes, links);
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> TopologyCheck.verify(topology));
    assertEquals(message, e.getMessage());
  }

  @Test
  void acceptsLinksOfDifferentTypesAndPortsOfOneNumber() {
    Topology topology =
        new Topology(
            List.of(gpu("10", 0), NVS, port(), port()),
            List.of(
                List.of(new Link(0, 1, LinkType.NVL, 20), new Link(0, 1, LinkType.PCI, 12)),
                List.of(new Link(1, 0, LinkType.NVL, 0)),
                List.of(),
                List.of()));
    assertDoesNotThrow(() -> TopologyCheck.verify(topology));
  }

  @Test
  void findsTwoNodesWithOneId() {
    assertBroken(
        "two nodes are GPU 0-10",
        List.of(gpu("10", 0), gpu("0010", 1)),
        List.of(List.of(), List.of()));
  }

  @Test
  void findsLinkListedAtAnotherNode() {
    assertBroken(
        "a link of GPU 0-10 to NVS 0-0 is listed at another node",
        List.of(gpu("10", 0), NVS),
        List.of(List.of(new Link(1, 1, LinkType.NVL, 20)), List.of()));
  }

  @Test
  void findsBandwidthThatIsNegativeOrNoNumber() {
    for (float bw : new float[] {-1, Float.NaN}) {
      assertBroken(
          "the link GPU 0-10 to NVS 0-0 has a bandwidth of " + bw + " GB/s",
          List.of(gpu("10", 0), NVS),
          List.of(List.of(new Link(0, 1, LinkType.NVL, bw)), List.of()));
    }
  }

  @Test
  void findsTwoLinksOfOneTypeBetweenTwoNodes() {
    assertBroken(
        "two NVL links go from GPU 0-10 to NVS 0-0",
        List.of(gpu("10", 0), NVS),
        List.of(
            List.of(new Link(0, 1, LinkType.NVL, 20), new Link(0, 1, LinkType.NVL, 10)),
            List.of()));
  }

  @Test
  void findsTwoGpusWithOneRank() {
    assertBroken(
        "two GPUs have rank 3", List.of(gpu("10", 3), gpu("20", 3)), List.of(List.of(), List.of()));
  }
}
