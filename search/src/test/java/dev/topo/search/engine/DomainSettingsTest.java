package dev.topo.search.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Node.NodeId;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.TopologyReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Settings of NVLink domains, in a domain of two hosts with one GPU each. Expected channels are
 * derived by hand from {@code nccl:src/graph/search.cc} of 2.28.9.
 */
class DomainSettingsTest {
  private static final String FIRST = port("02", 0, "0x10", 1);

  /** A port that is a PCI device. */
  private static String port(String bus, int dev, String guid, int number) {
    return pci(bus, "0x020700", "<nic>" + net(dev, guid, number) + "</nic>");
  }

  private static String net(int dev, String guid, int number) {
    return "<net name=\"n%s\" dev=\"%s\" speed=\"400000\" port=\"%s\" guid=\"%s\" gdr=\"1\"/>"
        .formatted(dev, dev, number, guid);
  }

  private static String pci(String bus, String type, String content) {
    return "<pci busid=\"0000:%s:00.0\" class=\"%s\" link_speed=\"64.0 GT/s PCIe\" link_width=\"16\">%s</pci>"
        .formatted(bus, type, content);
  }

  private static XmlElement host(String... ports) {
    String gpu =
        "<gpu dev=\"0\" sm=\"90\" rank=\"0\" gdr=\"1\">"
            + "<nvlink target=\"ffffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/></gpu>";
    String text =
        "<system version=\"1\"><cpu numaid=\"0\" affinity=\"1\" arch=\"arm64\">"
            + pci("00", "0x060400", pci("01", "0x030200", gpu) + String.join("", ports))
            + "</cpu></system>";
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "host").root();
  }

  private static ChannelGraph rings(List<XmlElement> hosts, String... assignments) {
    NcclSettings settings = NcclSettings.parse(List.of(assignments));
    XmlElement fused = NvlinkDomain.fuse(hosts);
    Topology topology =
        new TopologyReader()
            .map(new XmlDocument(List.of(), fused, List.of()), GpuSelection.ALL, new Diagnostics());
    Domain domain = DomainFinder.find(topology, settings, true, NcclProfile.DEFAULT).get(0);
    return GraphSearch.findAll(domain, settings, new Inputs()).get(GraphKind.RING);
  }

  private static List<String> nets(ChannelGraph graph) {
    return graph.channels().stream()
        .map(channel -> channel.nets().orElseThrow())
        .map(nets -> label(nets.in()) + " " + label(nets.out()))
        .toList();
  }

  private static String label(NodeId id) {
    return id.systemId() + "-" + id.localId();
  }

  /**
   * The second GPU does not reach the port of the first host, at which the ring began. By default
   * NCCL is left with its slowest graph.
   */
  @Test
  void aRingEndsOnTheRailOfItsHost() {
    List<XmlElement> equal = List.of(host(FIRST), host(FIRST));
    assertEquals(0.1f, rings(equal, "NCCL_CROSS_NIC=0").bwInter());
    ChannelGraph rings = rings(equal, "NCCL_CROSS_NIC=0", "NCCL_MNNVL_RAIL_PER_HOST=1");
    assertEquals(List.of("0-0 1-0", "1-0 0-0"), sorted(nets(rings)));
    assertEquals(0.1f, rings(equal, "NCCL_CROSS_NIC=0", "NCCL_MNNVL_RAIL_PER_HOST=0").bwInter());
  }

  /** A rail is a PCI bus id with a port number; without a PCI device the guid takes its place. */
  @ParameterizedTest
  @CsvSource({"02, 1, true", "03, 1, false", "02, 2, false"})
  void aRailOfSeveralHostsIsAPortOfABusId(String bus, int number, boolean same) {
    List<XmlElement> hosts = List.of(host(FIRST), host(port(bus, 0, "0x10", number)));
    float bw = rings(hosts, "NCCL_CROSS_NIC=0", "NCCL_MNNVL_RAIL_PER_HOST=1").bwInter();
    assertEquals(same, bw > 1, "bw " + bw);
  }

  /** On its own host a port is known by its guid: the second port is another rail. */
  @Test
  void theRailsOfOneHostStayApart() {
    XmlElement twoPorts = host(FIRST, port("03", 1, "0x20", 1));
    List<String> nets =
        nets(rings(List.of(twoPorts, twoPorts), "NCCL_CROSS_NIC=0", "NCCL_MNNVL_RAIL_PER_HOST=1"));
    assertEquals(List.of("0-0 1-0", "0-1 1-1", "1-0 0-0", "1-1 0-1"), sorted(nets));
  }

  private static List<String> sorted(List<String> nets) {
    return nets.stream().distinct().sorted().toList();
  }

  /** Channels begin at the first port of each GPU, or at both ports of the first GPU. */
  @Test
  void channelsBeginAtTheFirstPortOfEachGpu() {
    XmlElement twoPorts = host(FIRST, port("03", 1, "0x20", 1));
    List<XmlElement> hosts = List.of(twoPorts, twoPorts);
    assertEquals(List.of("0-0", "1-0"), first(rings(hosts, "NCCL_CROSS_NIC=1"), 2));
    assertEquals(
        List.of("0-0", "0-1"),
        first(rings(hosts, "NCCL_CROSS_NIC=1", "NCCL_MNNVL_SCATTER_NETS_ENABLE=0"), 2));
  }

  private static List<String> first(ChannelGraph graph, int count) {
    Stream<Channel> channels = graph.channels().stream().limit(count);
    return channels.map(channel -> label(channel.nets().orElseThrow().in())).toList();
  }
}
