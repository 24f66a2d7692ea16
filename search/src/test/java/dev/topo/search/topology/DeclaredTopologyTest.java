package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlTreeNode;
import dev.topo.search.rules.NcclProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Expected by hand from graph/topo.cc and graph/xml.cc of NCCL 2.28.9. */
class DeclaredTopologyTest {
  private static final Path TOPOLOGIES = Path.of(System.getProperty("topo.root"), "topologies");

  /**
   * Two GPUs below switches, a port beside each, and a network interface that PCI does not have.
   */
  private static final String MACHINE =
      """
      <system version="1">
        <cpu host_hash="0x1" numaid="0" affinity="f" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <pci busid="0000:10:00.0" class="0x060400" vendor="0x1000" device="0xc010" link_speed="32.0 GT/s PCIe" link_width="16">
            <pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
              <gpu dev="0" sm="90" rank="0" gdr="1">
                <nvlink target="0000:21:00.0" count="4" tclass="0x030200"/>
              </gpu>
            </pci>
            <pci busid="0000:12:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
              <nic>
                <net name="mlx5_0" dev="0" speed="400000" port="1" guid="0x1" gdr="1"/>
              </nic>
            </pci>
          </pci>
        </cpu>
        <cpu host_hash="0x1" numaid="1" affinity="f0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <pci busid="0000:20:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
            <pci busid="0000:21:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
              <gpu dev="1" sm="90" rank="1" gdr="1">
                <nvlink target="0000:11:00.0" count="4" tclass="0x030200"/>
              </gpu>
            </pci>
            <pci busid="0000:22:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
              <nic>
                <net name="mlx5_1" dev="1" speed="400000" port="1" guid="0x2" gdr="1"/>
              </nic>
            </pci>
          </pci>
          <nic>
            <net name="eth0" dev="2" speed="10000" port="0" guid="0x0" gdr="0"/>
          </nic>
        </cpu>
      </system>
      """;

  private static XmlElement system(String text) {
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "file.xml").root();
  }

  private static DeclaredTopology declared(String file) {
    return DeclaredTopology.of(system(file), system(MACHINE), GpuSelection.ALL);
  }

  /** The parent of an element in the result, by an attribute of both. */
  private static String above(
      DeclaredTopology declared, String tag, String attribute, String value) {
    XmlTreeNode node =
        XmlTreeNode.of(declared.system()).all(tag).stream()
            .filter(found -> found.value(attribute).equals(value))
            .findFirst()
            .orElseThrow();
    XmlTreeNode parent = node.parent().orElseThrow();
    return parent.is("nic") ? place(parent.parent().orElseThrow()) : place(parent);
  }

  private static String place(XmlTreeNode node) {
    return node.is("cpu") ? "cpu " + node.value("numaid") : node.value("busid");
  }

  static List<Path> machines() throws IOException {
    try (Stream<Path> files = Files.list(TOPOLOGIES)) {
      List<Path> machines =
          files
              .filter(file -> file.toString().endsWith(".xml"))
              .filter(file -> !NvlinkDomain.hasSeveralHosts(read(file)))
              .sorted()
              .toList();
      assertTrue(machines.size() > 20, machines.toString());
      return machines;
    }
  }

  private static XmlElement read(Path file) {
    return new XmlReader().read(file, new Inputs()).root();
  }

  /**
   * An empty file and one without GPUs and ports become the machine, which PCI devices describe.
   */
  @ParameterizedTest
  @MethodSource("machines")
  void whatAFileLacksComesFromTheMachine(Path file) {
    XmlElement machine = read(file);
    XmlTreeNode pciOnly = XmlTreeNode.of(machine);
    List.of("gpu", "nic").forEach(tag -> pciOnly.all(tag).forEach(XmlTreeNode::detach));
    XmlTreeNode noPorts = XmlTreeNode.of(machine);
    noPorts.all("nic").forEach(XmlTreeNode::detach);
    for (XmlElement less :
        List.of(
            system("<system version=\"1\"/>"), pciOnly.toElement(), noPorts.toElement(), machine)) {
      XmlElement made = DeclaredTopology.of(less, machine, GpuSelection.ALL).system();
      assertEquals(parts(machine), parts(made), file.toString());
    }
  }

  /**
   * The elements of a file, each with its ancestors, as text; those of a virtual card without its
   * CPU, which is the first that NCCL knows.
   */
  private static List<String> parts(XmlElement system) {
    return XmlTreeNode.of(system).children("cpu").stream()
        .flatMap(cpu -> parts(cpu, "").stream())
        .sorted()
        .toList();
  }

  private static List<String> parts(XmlTreeNode node, String above) {
    TreeMap<String, String> attributes = new TreeMap<>(node.attributes());
    List.of("host_hash", "rank", "keep").forEach(attributes::remove);
    boolean isVirtual = node.is("nic") && node.parent().filter(up -> up.is("cpu")).isPresent();
    String here = (isVirtual ? "" : above) + "/" + node.name() + attributes;
    return Stream.concat(
            Stream.of(here), node.children().stream().flatMap(child -> parts(child, here).stream()))
        .filter(part -> !part.matches("/cpu\\{.*\\}"))
        .toList();
  }

  @Test
  void addedPortsAreAtTheirPlaceInTheTreeOfTheFile() {
    String flat =
        """
        <system version="1">
          <cpu numaid="0">
            <pci busid="ffff:ff:01.0" class="0x060400" vendor="0x1" device="0x2" subsystem_vendor="0x3" subsystem_device="0x4" link_speed="16.0 GT/s PCIe" link_width="8">
              <pci busid="0000:11:00.0" class="0x030200"/>
              <pci busid="0000:22:00.0" class="0x020700"/>
            </pci>
          </cpu>
        </system>
        """;
    DeclaredTopology declared = declared(flat);
    assertEquals("ffff:ff:01.0", above(declared, "pci", "busid", "0000:11:00.0"));
    assertEquals("ffff:ff:01.0", above(declared, "pci", "busid", "0000:22:00.0"));
    assertEquals("0000:22:00.0", above(declared, "net", "name", "mlx5_1"));
    // Not in the file: by the tree of the machine.
    assertEquals("0000:20:00.0", above(declared, "pci", "busid", "0000:21:00.0"));
    assertEquals("cpu 1", above(declared, "pci", "busid", "0000:20:00.0"));
    assertEquals("0000:10:00.0", above(declared, "pci", "busid", "0000:12:00.0"));
    // Without PCI device: the first CPU.
    assertEquals("cpu 0", above(declared, "net", "name", "eth0"));
    assertEquals(
        List.of("NCCL adds what it detects: 2 GPUs and 3 NICs of file.xml that file.xml lacks"),
        declared.notes(true));
    assertEquals(
        List.of("NCCL adds what it detects: 2 GPUs of file.xml that file.xml lacks"),
        declared.notes(false));
    Topology topology = declared.topology(NcclProfile.DEFAULT);
    assertEquals(List.of(0, 1), topology.gpus().stream().map(GpuNode::dev).toList());
    assertEquals(3, topology.nets().size());
  }

  /** What the file states stays; the number of a port and the rank of a GPU are the machine's. */
  @Test
  void whatTheFileStatesStays() {
    String file =
        MACHINE
            .replace("sm=\"90\" rank=\"0\"", "sm=\"80\" rank=\"1\"")
            .replace("sm=\"90\" rank=\"1\"", "sm=\"80\" rank=\"0\"")
            .replace("count=\"4\"", "count=\"2\"")
            .replace(
                "name=\"mlx5_0\" dev=\"0\" speed=\"400000\"",
                "name=\"mlx5_0\" dev=\"7\" speed=\"1000\"");
    DeclaredTopology declared = declared(file);
    assertEquals(List.of(), declared.notes(true));
    List<XmlTreeNode> gpus = XmlTreeNode.of(declared.system()).all("gpu");
    assertEquals(List.of("0", "1"), gpus.stream().map(gpu -> gpu.value("rank")).toList());
    assertEquals(List.of("80", "80"), gpus.stream().map(gpu -> gpu.value("sm")).toList());
    assertEquals("2", gpus.get(0).children("nvlink").get(0).value("count"));
    XmlTreeNode net = XmlTreeNode.of(declared.system()).all("net").get(0);
    assertEquals("0 1000", net.value("dev") + " " + net.value("speed"));
  }

  @Test
  void whatTheMachineLacksIsRemoved() {
    String file =
        MACHINE
            .replace("0000:21:00.0\" class", "0000:31:00.0\" class")
            .replace("name=\"mlx5_1\"", "name=\"mlx5_9\"");
    DeclaredTopology declared = declared(file);
    assertEquals(
        List.of(
            "NCCL adds what it detects: 1 GPU and 1 NIC of file.xml that file.xml lacks",
            "NCCL removes what it does not detect: 1 GPU and 1 NIC of file.xml that file.xml lacks"),
        declared.notes(true));
    assertEquals(
        Set.of("mlx5_0", "mlx5_1", "eth0"),
        declared.topology(NcclProfile.DEFAULT).nets().stream()
            .map(NetNode::name)
            .collect(Collectors.toSet()));
  }

  /** The GPU is no PCI device of its own where the machine has a switch. */
  @Test
  void aGpuOfTheFileInPlaceOfASwitchIsRejected() {
    String file =
        """
        <system version="1">
          <cpu numaid="0">
            <pci busid="0000:20:00.0" class="0x030200"><gpu dev="5" sm="90" rank="0"/></pci>
          </cpu>
        </system>
        """;
    TopologyFormatException thrown =
        assertThrows(TopologyFormatException.class, () -> declared(file));
    assertTrue(
        String.valueOf(thrown.getMessage()).contains("expected the GPUs of the machine"),
        thrown.getMessage());
  }

  /** Only its rank detects a GPU. */
  @Test
  void onlyTheGpusOfTheJobTakePart() {
    DeclaredTopology declared =
        DeclaredTopology.of(system(MACHINE), system(MACHINE), GpuSelection.of(Set.of(1)));
    Topology topology = declared.topology(NcclProfile.DEFAULT);
    assertEquals(List.of(1), topology.gpus().stream().map(GpuNode::dev).toList());
    assertEquals(List.of(0), topology.gpus().stream().map(GpuNode::rank).toList());
    assertEquals(3, topology.nets().size());
  }

  /**
   * The switch of one GPU gets its width on that rank only, and stays on the other for its port.
   */
  @Test
  void aFileWithoutAttributesMakesTheTreesOfRanksDiffer() {
    String widths = " link_width=\"16\">\n      <pci";
    assertTrue(MACHINE.contains(widths), MACHINE);
    String without = MACHINE.replace(widths, ">\n      <pci");
    assertTrue(declared(without).isUneven());
    assertTrue(declared(without).notes(true).get(0).contains("unequal-when-fused"));
    // A port that NCCL adds completes the switch on all ranks.
    assertFalse(declared(without.replaceAll("(?m)^ *<net .*$", "")).isUneven());
    assertFalse(declared(MACHINE).isUneven());
  }

  @Test
  void hostsThatNvlinkJoinsAreRefused() {
    XmlElement two = system(MACHINE.replaceFirst("0x1", "0x2"));
    assertThrows(
        UnusableTopologyException.class,
        () -> DeclaredTopology.of(system(MACHINE), two, GpuSelection.ALL));
  }
}
