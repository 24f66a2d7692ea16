package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.CpuModel;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of reading a file in which NCCL versions differ. */
class TopologyRulesTest {
  private static final String C2C =
      "<gpu dev=\"0\" sm=\"90\"><c2c bw=\"100000\" count=\"1\"/></gpu>";

  private static Topology read(String version, String... cpus) {
    String text = "<system version=\"1\">" + String.join("\n", cpus) + "</system>";
    return new TopologyReader(UnknownElements.REJECTED, NcclProfile.of(version))
        .map(
            new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "a.xml"),
            GpuSelection.ALL,
            new Diagnostics());
  }

  private static String refusal(String version, String... cpus) {
    return String.valueOf(
        assertThrows(TopologyFormatException.class, () -> read(version, cpus)).getMessage());
  }

  private static String arm(int numaId, String... content) {
    return "<cpu numaid=\"%d\" arch=\"arm64\">%s</cpu>".formatted(numaId, String.join("", content));
  }

  private static String pci(String place, String pciClass, String more, String... content) {
    return "<pci busid=\"0000:%s\" class=\"%s\" %s link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">%s</pci>"
        .formatted(place, pciClass, more, String.join("", content));
  }

  private static String bridge(int bus, String... content) {
    return pci("%02x:00.0".formatted(bus), "0x060400", "", content);
  }

  private static String gpu(int bus) {
    return gpu(bus, "<gpu dev=\"%d\" sm=\"80\"/>".formatted(bus));
  }

  private static String gpu(int bus, String gpu) {
    return pci("%02x:00.0".formatted(bus), "0x030200", "", gpu);
  }

  private static String nic(String place, int dev) {
    return pci(place, "0x020700", "", net(dev));
  }

  private static int count(Topology topology, NodeType type) {
    return topology.indexes(type).length;
  }

  @Test
  void theFunctionsOfACardWereOne() {
    String cpu = arm(0, gpu(1), nic("02:00.0", 0), nic("02:00.1", 1));
    assertEquals(1, count(read("2.23.4", cpu), NodeType.NIC));
    assertEquals(2, count(read("2.24.3", cpu), NodeType.NIC));
  }

  @Test
  void linksBetweenSwitchesWereIgnored() {
    String cpu =
        arm(
            0,
            bridge(1, gpu(2), "<pcilink target=\"0000:03:00.0\"/>"),
            bridge(3, gpu(4), "<pcilink target=\"0000:01:00.0\"/>"));
    assertEquals(0, localLinks(read("2.21.5", cpu)));
    assertEquals(2, localLinks(read("2.23.4", cpu)));
  }

  private static long localLinks(Topology topology) {
    return IntStream.range(0, topology.size())
        .mapToObj(topology::links)
        .flatMap(List::stream)
        .map(Link::type)
        .filter(LinkType.LOC::equals)
        .count();
  }

  @Test
  void broadcomSwitchesAreJoinedByGenerationAndIds() {
    String gen5 = twoLevels("0xc030", "0x1000", "0x0000", "0x1000", "0x1001");
    String gen4 = twoLevels("0xc010", "0x1000", "0xa000", "0x1000", "0xa000");
    String gen4Alike = twoLevels("0xc010", "0x1000", "0xa000", "0x1000", "0xa001");
    assertEquals(2, count(read("2.19.3", gen5), NodeType.PCI));
    assertEquals(1, count(read("2.20.5", gen5), NodeType.PCI));
    assertEquals(1, count(read("2.19.3", gen4), NodeType.PCI));
    assertEquals(2, count(read("2.19.3", gen4Alike), NodeType.PCI));
    assertEquals(1, count(read("2.20.5", gen4Alike), NodeType.PCI));
  }

  private static String twoLevels(
      String device, String vendor, String outer, String subVendor, String inner) {
    String ids = "vendor=\"%s\" device=\"%s\" subsystem_vendor=\"%s\" subsystem_device=\"%s\"";
    return arm(
        0,
        pci(
            "01:00.0",
            "0x060400",
            ids.formatted(vendor, device, subVendor, outer),
            pci("02:00.0", "0x060400", ids.formatted(vendor, device, subVendor, inner), gpu(3))));
  }

  @Test
  void numaIdMinusOneWasOnAnotherHost() {
    String[] cpus = {arm(-1, gpu(1)), arm(0, gpu(2))};
    assertEquals("ffffffffffffffff-ffffffffffffff", firstCpu("2.21.5", cpus));
    assertEquals("0-ffffffffffffff", firstCpu("2.23.4", cpus));
    assertEquals("0-ffffffffffffff", firstCpu("2.20.5", cpus));
    assertEquals(
        "CPU 0-ffffffffffffffff",
        NcclProfile.of("2.20.5").topology().label(read("2.20.5", cpus).firstCpu()));
  }

  private static String firstCpu(String version, String... cpus) {
    return read(version, cpus).firstCpu().id().toString();
  }

  /** Up to 2.25 Intel CPUs were no newer than Skylake; then Granite Rapids was taken for others. */
  @ParameterizedTest
  @CsvSource({
    "2.25.1, 207, INTEL_EMERALD_RAPIDS, 10",
    "2.26.2, 207, INTEL_EMERALD_RAPIDS, 40",
    "2.25.1, 173, INTEL_GRANITE_RAPIDS, 10",
    "2.30.7, 173, INTEL_GRANITE_RAPIDS, 22",
    "2.31.2, 173, INTEL_GRANITE_RAPIDS, 40"
  })
  void bandwidthsOfNewerIntelCpusAreThoseOfTheRelease(
      String version, int modelId, CpuModel model, float bwGBps) {
    String intel =
        "<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"%d\">%s</cpu>"
            .formatted(modelId, gpu(1));
    CpuNode cpu = read(version, intel).firstCpu();
    assertEquals(model, cpu.model());
    assertEquals(bwGBps, NcclProfile.of(version).links().betweenCpus(cpu));
  }

  @ParameterizedTest
  @CsvSource({
    "2.30.7, 25, AMD_ZEN_3, 16",
    "2.30.7, 26, AMD_ZEN_5, 16",
    "2.31.2, 23, AMD_ZEN_1, 16",
    "2.31.2, 175, AMD_ZEN_3, 24",
    "2.31.2, 26, AMD_ZEN_5, 32"
  })
  void from231GenerationsOfAmdDiffer(String version, int family, CpuModel model, float bwGBps) {
    String amd =
        "<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"%d\" modelid=\"1\">%s</cpu>"
            .formatted(family, gpu(1));
    CpuNode cpu = read(version, amd).firstCpu();
    assertEquals(model, cpu.model());
    assertEquals(bwGBps, NcclProfile.of(version).links().betweenCpus(cpu));
  }

  @Test
  void theFamilyOfAmdIsNeededFrom231On() {
    String amd =
        "<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">%s</cpu>".formatted(gpu(1));
    assertEquals(CpuModel.OTHER, read("2.30.7", amd).firstCpu().model());
    assertThrows(TopologyFormatException.class, () -> read("2.31.2", amd));
    String hidden = amd.replace("AMD\"", "AMD\" familyid=\"#\"");
    assertEquals(CpuModel.OTHER, read("2.30.7", hidden).firstCpu().model());
    assertThrows(TopologyFormatException.class, () -> read("2.31.2", hidden));
  }

  @Test
  void theSearchForTheCpuDidNotEndBelowBridges() {
    String one = arm(0, bridge(1, gpu(3, C2C)));
    String two = arm(0, bridge(1, bridge(2, gpu(3, C2C))));
    String message = refusal("2.21.5", one);
    assertTrue(message.startsWith("a.xml:1") && message.contains("endless recursion"), message);
    assertTrue(refusal("2.25.1", two).contains("endless recursion"));
    assertEquals(LinkType.NVL, linkToCpu(read("2.25.1", one)));
    assertEquals(LinkType.NVL, linkToCpu(read("2.21.5", arm(0, gpu(3, C2C)))));
    assertEquals(LinkType.C2C, linkToCpu(read("2.26.2", two)));
  }

  private static LinkType linkToCpu(Topology topology) {
    return topology.links(topology.indexes(NodeType.GPU)[0]).stream()
        .map(Link::type)
        .filter(type -> type != LinkType.PCI)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aNodeHasAsManyLinksAsTheVersionAllows() {
    String cards =
        IntStream.rangeClosed(1, 33)
            .mapToObj(bus -> nic("%02x:00.0".formatted(bus), bus))
            .collect(Collectors.joining());
    String cpu = arm(0, gpu(0x80), cards);
    assertTrue(refusal("2.20.5", cpu).contains("CPU 0-0 has more than 32 links"));
    assertEquals(33, count(read("2.21.5", cpu), NodeType.NET));
  }

  private static String net(int dev) {
    return "<nic><net dev=\"%d\" speed=\"100000\"/></nic>".formatted(dev);
  }

  @Test
  void devicesForOtherUsesAreNoPorts() {
    String net = "<nic><net dev=\"0\" speed=\"100000\" net=\"0\" gin=\"1\"/></nic>";
    String cpu = arm(0, gpu(1), pci("02:00.0", "0x020700", "", net));
    assertEquals(1, count(read("2.29.3", cpu), NodeType.NET));
    assertEquals(0, count(read("2.29.7", cpu), NodeType.NET));
  }

  @ParameterizedTest
  @CsvSource({"2.30.7, 0", "2.31.2, 15b31023"})
  void theModelOfPortsIsReadFrom231On(String version, String model) {
    String ids = " vendor=\"0x15b3\" device=\"0x1023\"";
    String cpu = arm(0, gpu(1), pci("02:00.0", "0x020700", ids, net(0)));
    assertEquals(Integer.parseInt(model, 16), read(version, cpu).nets().get(0).pciModel());
  }

  /** Up to 2.29.7 the first {@code <gpu>} of a device is read, from 2.30.3 on each is a rank. */
  @ParameterizedTest
  @CsvSource({
    "2.29.7, <gpu dev='0' sm='100' rank='0'/><gpu dev='0' sm='100' rank='1'/>, 1",
    "2.30.3, <gpu dev='0' sm='100' rank='0'/><gpu dev='0' sm='100' rank='1'/>, 0",
    "2.30.7, <gpu dev='0' sm='90'/><gpu dev='0' sm='90'/><gpu dev='0' sm='90'/>, 0",
    "2.30.3, <gpu dev='0' sm='100' mlopart='0'/>, 1",
    "2.30.7, <gpu dev='0' sm='100' mlopart='0'/>, 0"
  })
  void ranksThatShareAGpuAreRefused(String version, String gpus, int ranks) {
    String cpu = arm(0, gpu(1, gpus.replace('\'', '"')));
    if (ranks > 0) {
      assertEquals(ranks, read(version, cpu).gpus().size());
    } else {
      UnusableTopologyException refusal =
          assertThrows(UnusableTopologyException.class, () -> read(version, cpu));
      assertTrue(refusal.isWithoutRules(), refusal.sentence());
    }
  }
}
