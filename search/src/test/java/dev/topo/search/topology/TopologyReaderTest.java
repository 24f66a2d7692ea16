package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.CpuModel;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostic;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TopologyReaderTest {
  private static final String ARM = "<cpu numaid=\"0\" arch=\"arm64\">";
  private static final String END = "</cpu></system>";

  private final Diagnostics diagnostics = new Diagnostics();

  private Topology read(GpuSelection selection, String... parts) {
    String text = "<system version=\"1\">\n" + String.join("\n", parts);
    return new TopologyReader()
        .map(
            new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "a.xml"),
            selection,
            diagnostics);
  }

  private Topology read(String... parts) {
    return read(GpuSelection.ALL, parts);
  }

  private String refusal(String... parts) {
    return String.valueOf(
        assertThrows(TopologyFormatException.class, () -> read(parts)).getMessage());
  }

  private static String pci(int bus, String pciClass, String content) {
    return String.format(
        "<pci busid=\"0000:%02x:00.0\" class=\"%s\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">%s</pci>",
        bus, pciClass, content);
  }

  private static String gpu(int bus, String attributes, String... links) {
    return pci(bus, "0x030200", "<gpu " + attributes + ">" + String.join("", links) + "</gpu>");
  }

  private static String nic(int bus, String... nets) {
    return pci(bus, "0x020700", "<nic>" + String.join("", nets) + "</nic>");
  }

  private List<String> codes() {
    return diagnostics.list().stream().map(Diagnostic::code).toList();
  }

  private static List<String> labels(Topology topology) {
    return topology.nodes().stream().map(Node::label).toList();
  }

  @Test
  void readsDevicesWithTheirFacts() {
    Topology topology =
        read(
            "<cpu numaid=\"1\" host_hash=\"0x7\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\""
                + " modelid=\"143\">",
            gpu(0x1b, "dev=\"3\" sm=\"90\" rank=\"0\" gdr=\"1\""),
            nic(
                0x1c,
                "<net name=\"mlx5_0\" dev=\"2\" speed=\"400000\" port=\"1\" latency=\"2.5\" guid=\"0xab\""
                    + " maxconn=\"7\" gdr=\"1\" coll=\"1\"/>"),
            END);
    GpuNode gpu = topology.gpus().get(0);
    assertEquals(
        new GpuNode(new NodeId(0, 0x1b000), gpu.busId(), 3, 0, 90, true, "", true, ""), gpu);
    assertEquals("0000:1b:00.0", gpu.busId().text());
    assertEquals(
        new NetNode(
            new NodeId(0, 2),
            "mlx5_0",
            2,
            0xab,
            1,
            50,
            2.5f,
            true,
            true,
            7,
            OptionalInt.empty(),
            OptionalInt.empty(),
            0),
        topology.nets().get(0));
    assertEquals(
        new CpuNode(
            new NodeId(0, 1), 1, CpuArch.X86, CpuVendor.INTEL, CpuModel.INTEL_SAPPHIRE_RAPIDS),
        topology.firstCpu());
    assertEquals(List.of(), codes());
  }

  @Test
  void readsRailsAndPlanesFrom2307On() {
    String[] file = {
      ARM, gpu(1, "sm=\"90\""), nic(3, "<net rail=\"3\" plane=\"1\"/>", "<net rail=\"-1\"/>"), END
    };
    Topology older = read(file);
    assertEquals(OptionalInt.empty(), older.nets().get(0).rail());
    assertEquals(List.of("unknown-attribute", "unknown-attribute", "unknown-attribute"), codes());
    XmlDocument document =
        new XmlReader()
            .read(
                ("<system version=\"1\">" + String.join("", file)).getBytes(StandardCharsets.UTF_8),
                "t.xml");
    Diagnostics none = new Diagnostics();
    Topology newer =
        new TopologyReader(UnknownElements.REJECTED, NcclProfile.of("2.30.7"))
            .map(document, GpuSelection.ALL, none);
    assertEquals(OptionalInt.of(3), newer.nets().get(0).rail());
    assertEquals(OptionalInt.of(1), newer.nets().get(0).plane());
    assertEquals(OptionalInt.empty(), newer.nets().get(1).rail());
    assertEquals(List.of(), none.list());
  }

  @Test
  void fillsInWhatNcclWouldFillInAtRunTime() {
    Topology topology =
        read(
            ARM,
            gpu(1, "sm=\"90\""),
            nic(3, "<net/>", "<net speed=\"100000\"/>"),
            gpu(2, "sm=\"90\" gdr=\"0\""),
            END);
    assertEquals(List.of(0, 1), topology.gpus().stream().map(GpuNode::dev).toList());
    assertEquals(List.of(0, 1), topology.gpus().stream().map(GpuNode::rank).toList());
    assertEquals(List.of(true, false), topology.gpus().stream().map(GpuNode::gdr).toList());
    assertEquals(
        List.of(
            new NetNode(
                new NodeId(0, 0),
                "",
                0,
                0,
                0,
                1.25f,
                0,
                false,
                false,
                64,
                OptionalInt.empty(),
                OptionalInt.empty(),
                0),
            new NetNode(
                new NodeId(0, 1),
                "",
                1,
                1,
                0,
                12.5f,
                0,
                false,
                false,
                64,
                OptionalInt.empty(),
                OptionalInt.empty(),
                0)),
        topology.nets());
  }

  @Test
  void ranksFollowStatedRanksElseDeviceNumbers() {
    Topology byRank =
        read(
            ARM,
            gpu(1, "sm=\"90\" dev=\"0\" rank=\"9\""),
            gpu(2, "sm=\"90\" dev=\"1\" rank=\"4\""),
            END);
    assertEquals(List.of(1, 0), byRank.gpus().stream().map(GpuNode::dev).toList());
    Topology byDev =
        read(ARM, gpu(1, "sm=\"90\" dev=\"5\""), gpu(2, "sm=\"90\" dev=\"1\" rank=\"7\""), END);
    assertEquals(List.of(1, 5), byDev.gpus().stream().map(GpuNode::dev).toList());
    assertEquals(List.of(0, 1), byDev.gpus().stream().map(GpuNode::rank).toList());
    Topology devFromRank = read(ARM, gpu(1, "sm=\"90\" rank=\"2\""), END);
    assertEquals(2, devFromRank.gpus().get(0).dev());
  }

  @Test
  void refusesEqualRanks() {
    assertEquals(
        "a.xml:4:93: <gpu>: attribute rank=\"1\" is also that of the gpu in line 3, expected a rank of its own",
        refusal(ARM, gpu(1, "sm=\"90\" rank=\"1\""), gpu(2, "sm=\"90\" rank=\"1\""), END)
            .replaceFirst("^a.xml:4:\\d+", "a.xml:4:93"));
  }

  /** Those of several hosts may be equal, as in a dump of all of them. */
  @Test
  void refusesEqualDeviceNumbersOfOneHost() {
    assertEquals(
        "a.xml:4:93: <gpu>: attribute dev=\"0\" is also that of the gpu in line 3, expected a device number of its own",
        refusal(ARM, gpu(1, "sm=\"90\" dev=\"0\""), gpu(2, "sm=\"90\" dev=\"0\""), END)
            .replaceFirst("^a.xml:4:\\d+", "a.xml:4:93"));
    String host = "<cpu numaid=\"0\" arch=\"arm64\" host_hash=\"0x%d\">%s</cpu>";
    assertEquals(
        2,
        read(
                String.format(host, 1, gpu(1, "sm=\"90\" dev=\"0\"")),
                String.format(host, 2, gpu(1, "sm=\"90\" dev=\"0\"")),
                "</system>")
            .gpus()
            .size());
  }

  @Test
  void aSelectionLeavesTheOtherGpusOutAndRenumbersRanks() {
    Topology topology =
        read(
            GpuSelection.of(Set.of(1, 3)),
            ARM,
            pci(0x10, "0x060400", gpu(1, "sm=\"90\" dev=\"0\"") + gpu(2, "sm=\"90\" dev=\"1\"")),
            pci(0x20, "0x060400", gpu(3, "sm=\"90\" dev=\"2\"")),
            pci(0x30, "0x060400", gpu(4, "sm=\"90\" dev=\"3\"")),
            END);
    assertEquals(List.of(1, 3), topology.gpus().stream().map(GpuNode::dev).toList());
    assertEquals(List.of(0, 1), topology.gpus().stream().map(GpuNode::rank).toList());
    assertEquals(
        List.of("GPU 0-2000", "GPU 0-4000", "PCI 0-10000", "PCI 0-30000", "CPU 0-0"),
        labels(topology));
  }

  @Test
  void refusesASelectionOfGpusThatAreNotThere() {
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class,
            () -> read(GpuSelection.of(Set.of(0, 7)), ARM, gpu(1, "sm=\"90\" dev=\"0\""), END));
    assertEquals("a.xml:1:1: <system>: no gpu has dev=\"7\", expected one of [0]", e.getMessage());
  }

  @Test
  void branchesWithoutDevicesOfTheJobAreDropped() {
    Topology topology =
        read(
            ARM,
            pci(0x10, "0x060400", pci(0x11, "0x060400", "")),
            pci(0x20, "0x060400", nic(0x21, "<net speed=\"1000\"/>")),
            nic(0x30),
            gpu(1, "sm=\"90\""),
            "</cpu><cpu numaid=\"1\" arch=\"arm64\"/></system>");
    assertEquals(
        List.of("GPU 0-1000", "PCI 0-20000", "CPU 0-0", "NIC 0-21000", "NET 0-0"),
        labels(topology));
  }

  @Test
  void devicesBelowAnEndpointAreIgnoredWithAWarning() {
    Topology topology =
        read(ARM, gpu(1, "sm=\"90\""), pci(0x10, "0x030200", nic(0x21, "<net/>")), END);
    assertEquals(List.of("GPU 0-1000", "CPU 0-0"), labels(topology));
    assertEquals(List.of("devices-below-endpoint"), codes());
  }

  private static String cpu(int numaId, String attributes, String content) {
    return String.format(
        "<cpu numaid=\"%d\" arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"25\" modelid=\"17\" %s>%s</cpu>",
        numaId, attributes, content);
  }

  /** NCCL writes its own host into every CPU. */
  @Test
  void aCpuWithoutHostIsOnThatOfTheOthers() {
    String hash = "host_hash=\"0x40c83cfe216cc077\"";
    for (List<String> hosts : List.of(List.of(hash, ""), List.of("", hash), List.of("", ""))) {
      Topology topology =
          read(
              cpu(0, hosts.get(0), gpu(1, "sm=\"80\"")),
              cpu(1, hosts.get(1), gpu(2, "sm=\"80\"")),
              "</system>");
      assertEquals(List.of("GPU 0-1000", "GPU 0-2000", "CPU 0-0", "CPU 0-1"), labels(topology));
    }
    assertEquals(List.of(), codes());
    Topology two =
        read(
            cpu(0, hash, gpu(1, "sm=\"80\"")),
            cpu(0, "host_hash=\"0x2\"", gpu(1, "sm=\"80\"")),
            "</system>");
    assertEquals(List.of("GPU 0-1000", "GPU 1-1000", "CPU 0-0", "CPU 1-0"), labels(two));
    assertEquals(List.of("many-hosts"), codes());
  }

  /** The first CPU, which rules the bandwidth between CPUs, may be one that is kept. */
  @Test
  void whatIsToBeKeptStaysWithoutDevices() {
    Topology topology =
        read(
            cpu(0, "keep=\"1\"", pci(0x10, "0x060400", "")),
            cpu(1, "keep=\"0\"", pci(0x11, "0x060400", "")),
            cpu(2, "", gpu(1, "sm=\"80\"")),
            "</system>");
    assertEquals(List.of("GPU 0-1000", "PCI 0-10000", "CPU 0-0", "CPU 0-2"), labels(topology));
    assertEquals(List.of(), codes());
  }

  private static String broadcom(int bus, String ids, String content) {
    return String.format(
        "<pci busid=\"0000:%02x:00.0\" class=\"0x060400\" vendor=\"0x1000\" %s subsystem_vendor=\"0x1000\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">%s</pci>",
        bus, ids, content);
  }

  private static String pcilink(int bus) {
    return String.format("<pcilink target=\"0000:%02x:00.0\"/>", bus);
  }

  /** NCCL treats switches that a pcilink joins as it treats such switches. */
  @Test
  void linkedBroadcomSwitchesOfOneLevelAreJoined() {
    String ids = "device=\"0xc010\" subsystem_device=\"0xa096\"";
    Topology topology =
        read(
            ARM,
            broadcom(0x10, ids, gpu(1, "sm=\"80\"") + pcilink(0x20)),
            broadcom(0x20, ids, gpu(2, "sm=\"80\"") + pcilink(0x10)),
            END);
    assertEquals(List.of("GPU 0-1000", "GPU 0-2000", "PCI 0-10000", "CPU 0-0"), labels(topology));
    int cpu = topology.indexes(NodeType.CPU)[0];
    assertEquals(2, topology.links(2).stream().filter(link -> link.to() == cpu).count());
    assertTrue(
        refusal(
                ARM,
                broadcom(
                    0x10,
                    ids,
                    broadcom(0x20, ids, gpu(1, "sm=\"80\"") + pcilink(0x10)) + pcilink(0x20)),
                END)
            .contains("PCI 0-20000 is linked twice to PCI 0-10000"));
  }

  @Test
  void switchesThatAreJoinedToACircleAreRefused() {
    String outer = "device=\"0xc030\" subsystem_device=\"0x0072\"";
    String inner = "device=\"0xc030\" subsystem_device=\"0x1003\"";
    assertTrue(
        refusal(
                ARM,
                broadcom(0x08, outer, broadcom(0x0a, inner, gpu(1, "sm=\"90\"")) + pcilink(0x42)),
                broadcom(0x3d, outer, broadcom(0x42, inner, gpu(2, "sm=\"90\"") + pcilink(0x08))),
                END)
            .contains("PCI links form a circle"));
  }

  @Test
  void moreElementsThanNcclReadsAreSaid() {
    String[] parts = new String[130];
    parts[0] = ARM;
    for (int bus = 1; bus < 129; bus++) {
      parts[bus] = gpu(bus, "sm=\"80\"");
    }
    parts[129] = END;
    assertEquals(128, read(parts).gpus().size());
    assertEquals(List.of("too-many-elements"), codes());
  }

  @Test
  void twoPortsWithOneNumberAreKeptWithAWarning() {
    Topology topology =
        read(ARM, gpu(1, "sm=\"90\""), nic(2, "<net dev=\"0\"/>", "<net dev=\"0\"/>"), END);
    assertEquals(2, topology.nets().size());
    assertEquals(List.of("equal-net-dev"), codes());
    assertEquals(4, diagnostics.list().get(0).location().line());
  }

  @Test
  void twoCardsOfOneBusIdAreOneCard() {
    Topology topology =
        read(ARM, gpu(1, "sm=\"90\""), nic(2, "<net dev=\"0\"/>"), nic(2, "<net dev=\"1\"/>"), END);
    assertEquals(1, topology.nodes(NodeType.NIC).size());
    assertEquals(2, topology.nets().size());
  }

  @ParameterizedTest
  @CsvSource({
    "0000:02:00.0, GPU 0-2000, a GPU",
    "0000:aa:00.0, NVS 0-0, an NVSwitch",
    "0, NVS 0-0, an NVSwitch"
  })
  void anNvlinkWithoutClassIsTakenForWhatItsTargetIs(String target, String label, String assumed) {
    String link = "<nvlink target=\"" + target + "\" count=\"2\"/>";
    String back = "<nvlink target=\"0000:01:00.0\" count=\"2\" tclass=\"0x030200\"/>";
    Topology topology =
        read(
            ARM,
            gpu(1, "sm=\"90\"", link),
            label.startsWith("GPU") ? gpu(2, "sm=\"90\"", back) : gpu(2, "sm=\"90\""),
            END);
    Link first = topology.links(0).get(0);
    assertEquals(LinkType.NVL, first.type());
    assertEquals(label, topology.node(first.to()).label());
    assertEquals(List.of("missing-tclass"), codes());
    assertTrue(diagnostics.list().get(0).message().endsWith("taken for " + assumed));
  }

  @Test
  void nvlinksCarryTheirCountTimesTheSpeedOfTheGpu() {
    Topology topology =
        read(
            ARM,
            gpu(
                1,
                "sm=\"70\"",
                "<nvlink target=\"0000:02:00.0\" count=\"2\" tclass=\"0x030200\"/>",
                "<nvlink target=\"0000:bb:00.0\" count=\"3\" tclass=\"0x068000\"/>"),
            gpu(
                2,
                "sm=\"60\"",
                "<nvlink target=\"0000:01:00.0\" count=\"2\" tclass=\"0x030200\"/>"),
            END);
    int nvs = topology.indexes(NodeType.NVS)[0];
    int cpu = topology.indexes(NodeType.CPU)[0];
    assertEquals(
        List.of(
            new Link(0, nvs, LinkType.NVL, 60),
            new Link(0, 1, LinkType.NVL, 40),
            new Link(0, cpu, LinkType.PCI, 24)),
        topology.links(0));
    assertEquals(new Link(1, 0, LinkType.NVL, 36), topology.links(1).get(0));
  }

  @Test
  void anNvlinkToACpuBridgeLeadsToTheCpuOfTheGpu() {
    Topology topology =
        read(
            "<cpu numaid=\"0\" arch=\"ppc64\">",
            gpu(1, "sm=\"70\"", "<nvlink target=\"04:00.0\" count=\"3\" tclass=\"0x068001\"/>"),
            END);
    assertTrue(topology.links(0).contains(new Link(0, 1, LinkType.NVL, 60)));
    assertTrue(topology.links(1).contains(new Link(1, 0, LinkType.NVL, 60)));
  }

  @Test
  void nvlinksToGpusOutsideTheJobAreLeftOut() {
    Topology topology =
        read(
            GpuSelection.of(Set.of(0)),
            ARM,
            gpu(
                1,
                "sm=\"70\" dev=\"0\"",
                "<nvlink target=\"0000:02:00.0\" count=\"2\" tclass=\"0x030200\"/>"),
            gpu(2, "sm=\"70\" dev=\"1\""),
            END);
    assertEquals(1, topology.links(0).size());
  }

  @Test
  void refusesLinksThatOnlyOneEndLists() {
    String message =
        refusal(
            ARM,
            gpu(
                1,
                "sm=\"70\"",
                "<nvlink target=\"0000:02:00.0\" count=\"2\" tclass=\"0x030200\"/>"),
            gpu(2, "sm=\"70\""),
            END);
    assertTrue(
        message.contains("<nvlink>: GPU 0-1000 lists a link to GPU 0-2000 but not the other way"),
        message);
  }

  @Test
  void c2cLeadsToTheCpuOfTheGpu() {
    Topology topology = read(ARM, gpu(1, "sm=\"90\"", "<c2c bw=\"45000\" count=\"10\"/>"), END);
    assertTrue(topology.links(0).contains(new Link(0, 1, LinkType.C2C, 450)));
    assertTrue(topology.links(1).contains(new Link(1, 0, LinkType.C2C, 450)));
  }

  @Test
  void pciLinksJoinSwitches() {
    Topology topology =
        read(
            ARM,
            pci(0x10, "0x060400", gpu(1, "sm=\"80\"") + "<pcilink target=\"0000:20:00.0\"/>"),
            pci(0x20, "0x060400", gpu(2, "sm=\"80\"") + "<pcilink target=\"0000:10:00.0\"/>"),
            END);
    int[] switches = topology.indexes(NodeType.PCI);
    assertEquals(
        new Link(switches[0], switches[1], LinkType.LOC, 5000), topology.links(switches[0]).get(0));
  }

  @Test
  void hostsCountInTheOrderOfTheirFirstCpus() {
    Topology topology =
        read(
            "<cpu numaid=\"0\" host_hash=\"0xbeef\" arch=\"arm64\">"
                + gpu(1, "sm=\"90\"")
                + "</cpu>",
            "<cpu numaid=\"0\" host_hash=\"0xa\" arch=\"arm64\">" + gpu(1, "sm=\"90\"") + "</cpu>",
            "<cpu numaid=\"1\" host_hash=\"0xbeef\" arch=\"arm64\">" + gpu(2, "sm=\"90\"") + END);
    assertEquals(
        List.of("GPU 0-1000", "GPU 1-1000", "GPU 0-2000", "CPU 0-0", "CPU 1-0", "CPU 0-1"),
        labels(topology));
    int[] cpus = topology.indexes(NodeType.CPU);
    assertTrue(topology.links(cpus[0]).contains(new Link(cpus[0], cpus[2], LinkType.SYS, 6)));
    assertFalse(topology.links(cpus[0]).stream().anyMatch(link -> link.to() == cpus[1]));
  }

  @Test
  void aHashThatPeopleMadeUnreadableIsReadAsFarAsItGoes() {
    read("<cpu numaid=\"0\" host_hash=\"0xabXXXX\" arch=\"arm64\">", gpu(1, "sm=\"90\""), END);
    assertEquals(List.of("bad-hex"), List.copyOf(Set.copyOf(codes())));
  }

  @Test
  void portsWithoutPciDeviceHangOffOneVirtualCard() {
    Topology topology =
        read(
            ARM,
            gpu(1, "sm=\"90\""),
            "<nic><net dev=\"0\" speed=\"25000\"/></nic>",
            "<nic><net dev=\"1\" speed=\"25000\"/></nic>",
            END);
    assertEquals(
        List.of("GPU 0-1000", "CPU 0-0", "NIC 0-0", "NET 0-0", "NET 0-1"), labels(topology));
    assertEquals(new Link(1, 2, LinkType.PCI, 5000), topology.links(1).get(0));
    assertEquals(new Link(2, 3, LinkType.NET, 3.125f), topology.links(2).get(0));
  }

  @Test
  void linkSpeedsThatNcclDoesNotKnowAreWarnedOf() {
    String device =
        "<pci busid=\"01:00.0\" class=\"0x03\" link_speed=\"128.0 GT/s\" link_width=\"\"><gpu sm=\"90\"/></pci>";
    Topology topology = read(ARM, device, END);
    assertEquals(12, topology.links(0).get(0).bwGBps());
    assertEquals(List.of("unknown-link-speed"), codes());
  }

  @Test
  void attributesThatMeanNothingAreNoted() {
    read(ARM, gpu(1, "sm=\"90\" colour=\"green\""), END);
    assertEquals(List.of("unknown-attribute"), codes());
    assertEquals(Severity.NOTE, diagnostics.list().get(0).severity());
  }

  @ParameterizedTest
  @MethodSource("dev.topo.model.fixture.ShippedMachines#files")
  void shippedMachinesAreReadWithoutAnyFinding(Path file) {
    assertFalse(new TopologyReader().read(file, GpuSelection.ALL, diagnostics).gpus().isEmpty());
    assertEquals(List.of(), diagnostics.list());
  }
}
