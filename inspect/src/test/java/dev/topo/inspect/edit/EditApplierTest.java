package dev.topo.inspect.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.CpuModel;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.topology.TopologyReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditApplierTest {
  /** Two GPUs with an NVLink, one on each socket, with a card of two ports and one of one. */
  private static final String MACHINE =
      """
      <system version="1">
        <cpu host_hash="0x1" numaid="0" affinity="f" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <!-- a comment -->
          <pci busid="0000:10:00.0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
            <pci busid="0000:11:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
              <gpu dev="0" sm="90" rank="0" gdr="1">
                <nvlink target="0000:21:00.0" count="4" tclass="0x030200"/>
              </gpu>
            </pci>
            <pci busid="0000:12:00.0" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="16">
              <nic>
                <net name="a" dev="0" speed="200000" port="1" guid="0x1" maxconn="64" gdr="1" coll="0"/>
                <net name="b" dev="1" speed="200000" port="2" guid="0x1" maxconn="64" gdr="1" coll="0"/>
              </nic>
            </pci>
          </pci>
        </cpu>
        <cpu host_hash="0x1" numaid="1" affinity="f0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <pci busid="0000:20:00.0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
            <pci busid="0000:21:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" link_width="16">
              <gpu dev="1" sm="90" rank="1" gdr="1">
                <nvlink target="0000:11:00.0" count="4" tclass="0x030200"/>
              </gpu>
            </pci>
            <pci busid="0000:22:00.0" class="0x020700" link_speed="16.0 GT/s PCIe" link_width="16">
              <nic>
                <net name="c" dev="2" speed="100000" port="1" guid="0x2" maxconn="64" gdr="1" coll="0"/>
              </nic>
            </pci>
          </pci>
        </cpu>
      </system>
      """;

  private static XmlDocument machine() {
    return new XmlReader().read(MACHINE.getBytes(StandardCharsets.UTF_8), "machine.xml");
  }

  private static EditedMachine apply(String edits) {
    EditApplier applier =
        new EditApplier(
            file -> {
              assertEquals("other.xml", file.toString());
              return new XmlReader()
                  .read(
                      MACHINE
                          .replace("speed=\"100000\"", "speed=\"50000\"")
                          .getBytes(StandardCharsets.UTF_8),
                      "other.xml");
            },
            any -> {});
    return applier.apply(
        EditedMachine.of(machine(), NcclSettings.DEFAULTS), EditParser.parse(edits, "edits"));
  }

  private static String xml(String edits) {
    return XmlWriter.write(apply(edits).machine());
  }

  private static Topology topology(String edits) {
    return new TopologyReader().map(apply(edits).machine(), GpuSelection.ALL, new Diagnostics());
  }

  private static List<String> netNames(String edits) {
    return topology(edits).nets().stream().map(NetNode::name).toList();
  }

  private static Topology applied(String machine, String edits, GpuSelection selection) {
    XmlDocument document =
        new XmlReader().read(machine.getBytes(StandardCharsets.UTF_8), "machine.xml");
    EditedMachine edited =
        new EditApplier(
                file -> document,
                after -> new TopologyReader().map(after, selection, new Diagnostics()))
            .apply(
                EditedMachine.of(document, NcclSettings.DEFAULTS),
                EditParser.parse(edits, "edits"));
    return new TopologyReader().map(edited.machine(), selection, new Diagnostics());
  }

  /** NCCL compares bus ids as numbers: their case may differ between a device and its links. */
  @ParameterizedTest
  @CsvSource({"remove gpu:1, 0", "gpu:1.busid=0000:2f:00.0, 1", "remove gpu:0, 0"})
  void linksFollowADeviceWhoseBusIdIsWrittenInAnotherCase(String edit, int links) {
    String mixed =
        MACHINE
            .replace("busid=\"0000:21:00.0\"", "busid=\"0000:2A:00.0\"")
            .replace("target=\"0000:21:00.0\"", "target=\"0000:2a:00.0\"")
            .replace("busid=\"0000:11:00.0\"", "busid=\"0000:1b:00.0\"")
            .replace("target=\"0000:11:00.0\"", "target=\"0000:1B:00.0\"");
    XmlDocument document =
        new XmlReader().read(mixed.getBytes(StandardCharsets.UTF_8), "machine.xml");
    EditedMachine edited =
        new EditApplier(file -> document, any -> {})
            .apply(
                EditedMachine.of(document, NcclSettings.DEFAULTS), EditParser.parse(edit, "edits"));
    String xml = XmlWriter.write(edited.machine());
    assertEquals(links, xml.split("target=\"0000:2", -1).length - 1, xml);
    assertEquals(links, xml.split("target=\"0000:1", -1).length - 1, xml);
    assertFalse(xml.contains("target=\"0000:2a"), xml);
  }

  /** Ranks order the GPUs only where all of them state one. */
  @Test
  void ranksThatTheReaderPassesOverMayBeEqual() {
    String unranked = MACHINE.replaceAll(" rank=\"[01]\"", " rank=\"-1\"");
    assertEquals(100, applied(unranked, "gpu:0.sm=100", GpuSelection.ALL).gpus().get(0).sm());
    String threeGpus =
        "add gpu:2 to switch:0000:20:00.0; gpu:0.rank=-1; gpu:1.rank=5; gpu:2.rank=5";
    assertEquals(3, applied(MACHINE, threeGpus, GpuSelection.ALL).gpus().size());
    GpuSelection first = GpuSelection.of(Set.of(0));
    assertEquals(1, applied(MACHINE, "gpu:0.rank=1", first).gpus().size());
  }

  @Test
  void equalRanksAreThoseOfTheEditThatMadeThem() {
    String[] edits = {"gpu:0.rank=1", "gpu:0.rank=1; gpu:0.sm=100", "gpu:0.rank=0x1"};
    for (String edit : edits) {
      String message =
          assertThrows(
                  TopologyFormatException.class, () -> applied(MACHINE, edit, GpuSelection.ALL))
              .getMessage();
      assertTrue(
          message.startsWith("edits:1:1: since then machine.xml:21:9: <gpu>: attribute rank=\"1\""),
          message);
      assertTrue(message.endsWith(", expected a rank of its own"), message);
    }
  }

  /** CPUs without a host are on one: the reader's rule is that of the edit, too. */
  @Test
  void equalNumbersOfCpusWithoutAHostAreThoseOfTheEdit() {
    String message =
        assertThrows(
                TopologyFormatException.class,
                () ->
                    applied(
                        MACHINE.replaceAll(" host_hash=\"[^\"]*\"", ""),
                        "cpu:0.numaid=1",
                        GpuSelection.ALL))
            .getMessage();
    assertTrue(message.startsWith("edits:1:1: since then machine.xml:"), message);
    assertTrue(message.contains("<cpu>: attribute numaid makes a second CPU 0-1"), message);
  }

  /** A file that has equal ranks before any edit is wrong itself. */
  @Test
  void editsOfOtherAttributesAreNotBlamed() {
    String twice = MACHINE.replace("rank=\"1\"", "rank=\"0\"");
    String message =
        assertThrows(
                TopologyFormatException.class,
                () -> applied(twice, "gpu:0.sm=100", GpuSelection.ALL))
            .getMessage();
    assertTrue(message.startsWith("machine.xml:21:"), message);
  }

  @Test
  void noEditLeavesEveryByteAndTheGivenDocumentIsNeverChanged() {
    XmlDocument before = machine();
    EditedMachine edited =
        new EditApplier(file -> before, any -> {})
            .apply(
                EditedMachine.of(before, NcclSettings.DEFAULTS),
                EditParser.parse("remove gpu:0", "edits"));
    assertEquals(machine(), before);
    assertEquals(MACHINE, XmlWriter.write(before));
    assertEquals(MACHINE, xml(""));
    assertFalse(XmlWriter.write(edited.machine()).equals(MACHINE));
  }

  @Test
  void aRemovedGpuTakesTheNvlinksToItAlong() {
    String xml = xml("remove gpu:0");
    assertFalse(xml.contains("nvlink"), xml);
    assertFalse(xml.contains("0000:11:00.0"), xml);
    assertEquals(List.of(0), topology("remove gpu:0").gpus().stream().map(GpuNode::rank).toList());
  }

  @Test
  void aRemovedPortTakesItsCardAlongIfItIsTheLast() {
    assertEquals(List.of("b", "c"), netNames("remove net:a"));
    assertTrue(xml("remove net:a").contains("0000:12:00.0"));
    assertFalse(xml("remove net:a; remove net:b").contains("0000:12:00.0"));
    assertEquals(List.of("c"), netNames("remove nic:a"));
    assertEquals(List.of("a", "b"), netNames("remove net:2"));
    assertEquals(List.of(), netNames("remove net:*"));
  }

  @Test
  void aRemovedSwitchOrCpuTakesAlongWhatIsBelow() {
    assertEquals(List.of("c"), netNames("remove switch:0000:10:00.0"));
    // Links end at both GPUs.
    for (String edit : List.of("remove cpu:0", "remove nvlink:0-1", "remove nvlink:1")) {
      String xml = xml(edit);
      assertFalse(xml.contains("nvlink"), () -> "after " + edit + "\n" + xml);
    }
  }

  @Test
  void aMovedDeviceStandsLastInItsNewPlace() {
    String xml = xml("move net:c to switch:0000:10:00.0");
    assertTrue(xml.indexOf("name=\"c\"") < xml.indexOf("numaid=\"1\""), xml);
    assertTrue(xml.indexOf("name=\"c\"") > xml.indexOf("name=\"b\""), xml);
    xml = xml("add switch:0000:f0:00.0 to cpu:1; move nic:a to pci:0000:f0:00.0");
    assertTrue(xml.indexOf("0000:f0:00.0") < xml.indexOf("name=\"a\""), xml);
    assertEquals(2, topology("move gpu:1 to cpu:0").gpus().size());
  }

  @Test
  void anAddedPortIsLikeTheFirstWithNumbersOfItsOwn() {
    NetNode net = topology("add net:d to switch:0000:20:00.0 speed=400000").nets().get(3);
    assertEquals("d", net.name());
    assertEquals(3, net.dev());
    assertEquals(50.0f, net.bwGBps());
    assertTrue(net.gdr());
    assertEquals(3, net.asic());
    assertTrue(xml("add net:d to cpu:1").contains("busid=\"0000:00:00.0\""));
    assertTrue(
        xml("add net:d to switch:0000:20:00.0 like net:c")
            .contains("name=\"d\" dev=\"3\" speed=\"100000\""));
  }

  @Test
  void anAddedGpuGetsNvlinksByItsOwnEdit() {
    String edits = "add gpu:2 to switch:0000:20:00.0 like gpu:1; add nvlink:0-2 count=2";
    String xml = xml(edits);
    assertTrue(xml.contains("<gpu dev=\"2\" sm=\"90\" rank=\"2\" gdr=\"1\">"), xml);
    assertEquals(3, topology(edits).gpus().size());
    assertTrue(xml.contains("count=\"2\" tclass=\"0x030200\""), xml);
  }

  @Test
  void attributesAreSetWhereTheyBelong() {
    String xml = xml("net:a.speed=100000; net:a.link_width=8; gpu:1.sm=80; gpu:1.link_width=4");
    assertTrue(xml.contains("name=\"a\" dev=\"0\" speed=\"100000\""), xml);
    assertTrue(
        xml.contains(
            "busid=\"0000:12:00.0\" class=\"0x020700\" link_speed=\"16.0 GT/s PCIe\" link_width=\"8\""),
        xml);
    assertTrue(xml.contains("dev=\"1\" sm=\"80\""), xml);
    assertTrue(xml.contains("link_width=\"4\""), xml);
    assertEquals(
        List.of(50f, 50f, 50f),
        topology("net:*.speed=400000").nets().stream().map(NetNode::bwGBps).toList());
    assertTrue(xml("nvlink:0-1.count=2").split("count=\"2\"", -1).length == 3);
    assertTrue(
        xml("gpu:0.busid=0000:19:00.0").contains("target=\"0000:19:00.0\""),
        "links follow the bus id");
  }

  @Test
  void aCpuBecomesAnother() {
    assertEquals(CpuModel.INTEL_SKYLAKE, topology("cpu:* as intel-skylake").cpus().get(1).model());
    assertTrue(xml("cpu:0 as arm").contains("affinity=\"f\" arch=\"arm64\""));
  }

  @Test
  void settingsAndFilesAreTakenOver() {
    EditedMachine edited = apply("env NCCL_CROSS_NIC=1");
    assertEquals(1, edited.settings().crossNic());
    assertEquals(Optional.empty(), edited.declared());
    assertThrows(SettingException.class, () -> apply("env NCCL_CROS_NIC=1"));
    edited = apply("env NCCL_TOPO_FILE=other.xml; remove net:a");
    assertTrue(XmlWriter.write(edited.seen()).contains("50000"));
    assertFalse(XmlWriter.write(edited.machine()).contains("50000"));
    assertTrue(xml("machine other.xml").contains("50000"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "remove net:z|1:8|the machine has no net:z, expected net: with one of a, b, c",
        "remove gpu:7|1:8|expected gpu: with one of 0, 1",
        "net:a.sped=1|1:1|attribute sped: NCCL reads busid, class, coll, dev",
        "move net:a to switch:0000:20:00.0|1:6|is one of several ports of a card, expected nic:a",
        "move switch:0000:10:00.0 to switch:0000:10:00.0|1:6|holds the place",
        "move nic:a to gpu:1|1:15|gpu:1: expected a switch or a CPU",
        "move nic:a to cpu:*|1:15|cpu:* names 2 parts, expected one",
        "add cpu:2 to cpu:0|1:1|expected net:, gpu:, switch: or nvlink:",
        "add gpu:0 to cpu:0|1:1|gpu:0: the machine has one, expected another dev",
        "add net:c to cpu:0|1:1|net:c: the machine has one, expected another name",
        "add net:d|1:1|net:d: expected to and a switch or CPU",
        "add switch:0000:10:00.0 to cpu:0|1:1|expected a bus id that no device has",
        "add net:d to cpu:0 like gpu:0|1:1|expected a part of the kind that is added",
        "gpu:0 as arm|1:1|gpu:0 is no CPU"
      })
  void messagesPointAtTheEdit(String edits, String place, String message) {
    TopologyFormatException e = assertThrows(TopologyFormatException.class, () -> apply(edits));
    assertTrue(String.valueOf(e.getMessage()).startsWith("edits:" + place + ": "), e.getMessage());
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }

  @Test
  void theReaderPointsAtTheEditThatMadeAValueBad() {
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class, () -> topology("remove net:b; net:a.speed=fast"));
    assertTrue(String.valueOf(e.getMessage()).startsWith("edits:1:15: <net>"), e.getMessage());
  }
}
