package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.nic.PortMerging;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Expected by hand from graph/topo.cc of NCCL 2.28.9; that code, compiled with a network that makes
 * what it is told to, gives the same.
 */
class PortMergerTest {
  /** Two ports of one function (a), two functions of one card (b), cards on both CPUs. */
  private static final String MACHINE =
      """
      <system version="1">
        <cpu host_hash="0x1" numaid="0" affinity="ff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <pci busid="0000:10:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
            <pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
              <gpu dev="0" sm="90" rank="0" gdr="1"/>
            </pci>
            <pci busid="0000:12:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
              <pci busid="0000:13:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
                <nic>
                  <net name="a0" dev="0" speed="100000" latency="3" port="1" guid="0xa" maxconn="5" gdr="1"/>
                  <net name="a1" dev="1" speed="200000" port="2" guid="0xa" gdr="1"/>
                </nic>
              </pci>
              <pci busid="0000:14:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="8">
                <nic>
                  <net name="b0" dev="2" speed="100000" port="1" guid="0xb" gdr="1"/>
                </nic>
              </pci>
              <pci busid="0000:14:00.1" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="8">
                <nic>
                  <net name="b1" dev="3" speed="100000" port="2" guid="0xb" gdr="1"/>
                </nic>
              </pci>
            </pci>
            <pci busid="0000:15:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
              <nic>
                <net name="c" dev="4" speed="400000" port="1" guid="0xc" gdr="1"/>
              </nic>
            </pci>
          </pci>
          <pci busid="0000:20:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
            <nic>
              <net name="d" dev="5" speed="400000" port="1" guid="0xd" gdr="1"/>
            </nic>
          </pci>
        </cpu>
        <cpu host_hash="0x1" numaid="1" affinity="ff00" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <pci busid="0000:81:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
            <nic>
              <net name="e" dev="6" speed="400000" port="1" guid="0xe" gdr="1"/>
            </nic>
          </pci>
        </cpu>
      </system>
      """;

  private static XmlElement system(String xml) {
    return new XmlReader().read(xml.getBytes(StandardCharsets.UTF_8), "m.xml").root();
  }

  private static List<String> merged(String xml, String... settings) {
    return merged(PortMerging.WIDENED, xml, settings);
  }

  private static List<String> merged(PortMerging release, String xml, String... settings) {
    XmlElement system = system(xml);
    List<String> nets = new ArrayList<>();
    NcclSettings.parse(Arrays.asList(settings))
        .nicMerging()
        .flatMap(merging -> PortMerger.merge(system, merging, release))
        .orElse(system)
        .elements()
        .forEach(child -> describe(child, "", nets));
    return nets;
  }

  /** Name, device number and Mb/s of a port, and what is above it: the card, bridges, the CPU. */
  private static void describe(XmlElement element, String above, List<String> nets) {
    String here =
        switch (element.name()) {
          case "cpu" -> " cpu" + element.attribute("numaid").orElseThrow();
          case "pci" ->
              " %s*%s%s"
                  .formatted(
                      element.attribute("busid").orElseThrow().substring(5),
                      element.attribute("link_width").orElseThrow(),
                      above);
          default -> above;
        };
    if (element.name().equals("net")) {
      nets.add(
          "%s %s %s%s"
              .formatted(
                  element.attribute("name").orElseThrow(),
                  element.attribute("dev").orElseThrow(),
                  element.attribute("speed").orElseThrow(),
                  above));
    }
    element.elements().forEach(child -> describe(child, here, nets));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NCCL_NET_MERGE_LEVEL=LOC | a0 0 a1 1 b0 2 b1 3 c 4 d 5 e 6
          NCCL_NET_MERGE_LEVEL=port | a0 0 a1 1 b0 2 b1 3 c 4 d 5 e 6
          NCCL_IB_MERGE_NICS=1 | a0+a1 7 b0+b1 8 c 4 d 5 e 6
          NCCL_NET_MERGE_LEVEL=PORT | a0+a1 7 b0+b1 8 c 4 d 5 e 6
          NCCL_NET_MERGE_LEVEL=PIX | a0+a1+b0+b1 7 c 4 d 5 e 6
          NCCL_NET_MERGE_LEVEL=PXB | a0+a1+b0+b1 7 c 4 d 5 e 6
          NCCL_NET_MERGE_LEVEL=P2C | a0+a1+b0+b1 7 c 4 d 5 e 6
          NCCL_NET_MERGE_LEVEL=PXN | a0+a1+b0+b1 7 c 4 d 5 e 6
          NCCL_NET_MERGE_LEVEL=PHB | a0+a1+b0+b1 7 c+d 8 e 6
          NCCL_NET_MERGE_LEVEL=SYS | a0+a1+b0+b1 7 c+d+e 8
          NCCL_NET_FORCE_MERGE=b1,c | a0+a1 8 b0 2 b1+c 7 d 5 e 6
          NCCL_NET_FORCE_MERGE=b1,c;a0 | a0 0 a1 1 b0 2 b1+c 7 d 5 e 6
          NCCL_NET_FORCE_MERGE=;;d,c; | a0+a1 8 b0+b1 9 c+d 7 e 6
          NCCL_NET_FORCE_MERGE=a0,c;b0,d | a1 1 b1 3 a0+c 7 b0+d 8 e 6
          NCCL_NET_FORCE_MERGE=a0,c;a0,d | a1 1 b0+b1 9 a0+c 7 a0+d 8 e 6
          NCCL_NET_FORCE_MERGE=a0,c;c,a0 | a1 1 b0+b1 9 a0+c 8 d 5 e 6
          NCCL_NET_FORCE_MERGE=a0:1,a1:2 | a0+a1 7 b0+b1 8 c 4 d 5 e 6
          NCCL_NET_FORCE_MERGE=a0,d,b0,c,e | a1 1 b1 3 a0+b0+c+d 7 e 6
          """)
  void mergesUpToTheLevelAfterTheForcedGroups(String setting, String expected) {
    assertEquals(
        expected,
        merged(MACHINE, setting).stream()
            .map(net -> net.split(" ", 3))
            .map(net -> net[0] + " " + net[1])
            .collect(Collectors.joining(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NCCL_IB_MERGE_NICS=1 | a0+a1 7 300000 13:00.0*16 12:00.0*16 10:00.0*16 cpu0
          NCCL_IB_MERGE_NICS=1 | b0+b1 8 200000 14:00.2*8 12:00.0*16 10:00.0*16 cpu0
          NCCL_NET_MERGE_LEVEL=PIX | a0+a1+b0+b1 7 500000 13:00.1*32 12:00.0*32 10:00.0*16 cpu0
          NCCL_NET_MERGE_LEVEL=PHB | a0+a1+b0+b1 7 500000 13:00.1*32 12:00.0*32 10:00.0*32 cpu0
          NCCL_NET_MERGE_LEVEL=PHB | c+d 8 800000 15:00.1*32 cpu0
          NCCL_NET_MERGE_LEVEL=SYS | c+d+e 8 1200000
          NCCL_NET_FORCE_MERGE=b1,c | b1+c 7 500000 14:00.2*24 10:00.0*24 cpu0
          NCCL_NET_FORCE_MERGE=b1,c | b0 2 100000 14:00.0*8 12:00.0*24 10:00.0*24 cpu0
          NCCL_NET_FORCE_MERGE=a0,c;a0,d | a0+c 7 500000 13:00.1*32 10:00.0*48 cpu0
          NCCL_NET_FORCE_MERGE=a0,c;a0,d | a0+d 8 500000 13:00.2*48 cpu0
          """)
  void aDeviceHasTheSpeedOfItsPortsAndWidensTheirLinks(String setting, String expected) {
    List<String> nets = merged(MACHINE, setting);
    assertTrue(nets.contains(expected), nets.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NCCL_NET_FORCE_MERGE=a0,x | group 'a0,x' lists 2 devices and matches 1 ports, expected whole names of different ports: a0:1, a1:2, b0:1, b1:2, c:1, d:1, e:1
          NCCL_NET_FORCE_MERGE=b0,b1;a | group 'a' lists 1 devices and matches 0 ports
          NCCL_NET_FORCE_MERGE=a0:2,a1 | group 'a0:2,a1' lists 2 devices and matches 1 ports
          NCCL_NET_FORCE_MERGE=c,c | group 'c,c' lists 2 devices and matches 1 ports
          NCCL_NET_FORCE_MERGE=, | group ',' has no device name, and NCCL never ends
          """)
  void groupsThatNcclRefusesAreRefused(String setting, String message) {
    UnusableTopologyException e =
        assertThrows(UnusableTopologyException.class, () -> merged(MACHINE, setting));
    assertTrue(e.getMessage().startsWith("NCCL_NET_FORCE_MERGE: " + message), e.getMessage());
  }

  @Test
  void withoutMergingNothingCanBeForced() {
    assertEquals(7, merged(MACHINE, "NCCL_IB_MERGE_NICS=0", "NCCL_NET_MERGE_LEVEL=SYS").size());
    UnusableTopologyException e =
        assertThrows(
            UnusableTopologyException.class,
            () -> merged(MACHINE, "NCCL_IB_MERGE_NICS=0", "NCCL_NET_FORCE_MERGE=a0,a1"));
    assertTrue(e.getMessage().contains("NCCL_IB_MERGE_NICS=0"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"NCCL_NET=Socket", "NCCL_IB_DISABLE=1"})
  void socketsAreNotMerged(String network) {
    assertEquals(7, merged(MACHINE, "NCCL_NET_FORCE_MERGE=a0,a1", network).size());
  }

  @Test
  void noSettingNoMerging() {
    assertEquals(Optional.empty(), NcclSettings.DEFAULTS.nicMerging());
    assertEquals(7, merged(MACHINE).size());
  }

  @Test
  void efaIsNotMerged() {
    String efa = MACHINE.replace("class=\"0x020700\"", "class=\"0x020700\" vendor=\"0x1d0f\"");
    assertEquals(7, merged(efa, "NCCL_NET_MERGE_LEVEL=SYS").size());
  }

  @Test
  void portsOfAnyNumberAreInTheOrderOfTheirDevices() {
    String backwards = MACHINE.replace("dev=\"0\" speed", "dev=\"9\" speed");
    assertEquals("a1+a0 10", merged(backwards, "NCCL_IB_MERGE_NICS=1").get(0).substring(0, 8));
  }

  /** What 2.27.7 and 2.30.7 make of the same ports. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PLAIN | NCCL_NET_MERGE_LEVEL=PIX | a0+a1+b0+b1 7 500000 13:00.1*16 12:00.0*16 10:00.0*16 cpu0
          PLAIN | NCCL_NET_MERGE_LEVEL=PHB | c+d 8 800000 cpu0
          PLAIN | NCCL_NET_FORCE_MERGE=b1,c | b1+c 7 500000 14:00.2*8 10:00.0*16 cpu0
          OWN | NCCL_NET_MERGE_LEVEL=PIX | a0+a1+b0+b1 7 500000 13:00.1*32 12:00.0*32 10:00.0*16 cpu0
          OWN | NCCL_NET_MERGE_LEVEL=PHB | c+d 8 800000 15:00.1*32 cpu0
          OWN | NCCL_NET_FORCE_MERGE=b1,c | b1+c 7 500000 14:00.2*24 10:00.0*24 cpu0
          OWN | NCCL_NET_FORCE_MERGE=b1,c | b0 2 100000 14:00.0*8 12:00.0*16 10:00.0*24 cpu0
          """)
  void releasesWidenOtherLinks(PortMerging merging, String setting, String expected) {
    List<String> nets = merged(merging, MACHINE, setting);
    assertTrue(nets.contains(expected), nets.toString());
  }

  /** A virtual machine states no widths, and 0 counts as 16 lanes. */
  @ParameterizedTest
  @CsvSource({"WIDENED, 10:00.0*0", "OWN, 10:00.0*8"})
  void whatSharesPortsOfUnknownWidthHasNoneOnlyWhereItIsWidened(
      PortMerging merging, String shared) {
    String file = MACHINE.replaceAll("link_width=\"\\d+\"", "link_width=\"0\"");
    String bridge = "<pci busid=\"0000:10:00.0\"";
    int at = file.indexOf("link_width=\"0\"", file.indexOf(bridge));
    String wider = file.substring(0, at) + "link_width=\"8\"" + file.substring(at + 14);
    String nets = merged(merging, wider, "NCCL_NET_FORCE_MERGE=b1,c").toString();
    assertTrue(nets.contains("b1+c 7 500000 14:00.2*0 " + shared), nets);
  }

  @Test
  void portsOfSeveralCpusAreRefusedFrom2307On() {
    UnusableTopologyException e =
        assertThrows(
            UnusableTopologyException.class,
            () -> merged(PortMerging.OWN, MACHINE, "NCCL_NET_MERGE_LEVEL=SYS"));
    assertTrue(e.getMessage().contains("no ports of several CPUs"), e.getMessage());
  }

  @Test
  void portsOfCollNetAreRefusedFrom2307On() {
    String file = MACHINE.replace("name=\"a1\"", "name=\"a1\" coll=\"1\"");
    UnusableTopologyException e =
        assertThrows(
            UnusableTopologyException.class,
            () -> merged(PortMerging.OWN, file, "NCCL_IB_MERGE_NICS=1"));
    assertTrue(e.isWithoutRules(), e.getMessage());
    assertEquals("a0+a1", merged(file, "NCCL_IB_MERGE_NICS=1").get(0).substring(0, 5));
  }

  @Test
  void portsThatAreMergedAlreadyStay() {
    String file = MACHINE.replace("name=\"a1\"", "name=\"x+y\"");
    assertEquals("x+y 1", merged(file, "NCCL_NET_MERGE_LEVEL=PIX").get(0).substring(0, 5));
  }

  @Test
  void eachHostOfADomainMergesItsOwn() {
    XmlElement domain = NvlinkDomain.fuse(List.of(system(MACHINE), system(MACHINE)));
    List<String> names = new ArrayList<>();
    PortMerger.merge(
            domain,
            NcclSettings.parse(List.of("NCCL_NET_MERGE_LEVEL=PHB")).nicMerging().orElseThrow(),
            PortMerging.WIDENED)
        .orElseThrow()
        .elements()
        .forEach(cpu -> describe(cpu, "", names));
    assertEquals(names.subList(0, 3), names.subList(3, 6));
    assertEquals("c+d 8 800000 15:00.1*32 cpu0", names.get(1));
  }

  @Test
  void theTopologyHasTheDeviceAndComesBackApart() {
    Topology separate = topology(NcclProfile.DEFAULT);
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_IB_MERGE_NICS=1"));
    Topology merged = separate.merged(settings.nicMerging());
    NetNode net = merged.nets().get(0);
    assertEquals("a0+a1", net.name());
    assertEquals(37.5f, net.bwGBps());
    assertEquals(0xaL, net.asic());
    assertEquals(5, net.maxChannels());
    assertEquals(0, net.latencyUs());
    assertEquals(1, net.port());
    assertSame(merged, merged.merged(settings.nicMerging()));
    assertSame(separate, merged.merged(Optional.empty()));
    NcclSettings nothing = NcclSettings.parse(List.of("NCCL_NET_MERGE_LEVEL=LOC"));
    assertSame(separate, separate.merged(nothing.nicMerging()));
  }

  @ParameterizedTest
  @ValueSource(strings = "2.32.3")
  void portsMergedByOtherReleasesAreRefused(String release) {
    Topology topology = topology(NcclProfile.of(release));
    for (String separate : List.of("NCCL_IB_MERGE_NICS=0", "NCCL_NET_MERGE_LEVEL=LOC")) {
      NcclSettings settings = NcclSettings.parse(List.of(separate));
      assertSame(topology, topology.merged(settings.nicMerging()));
    }
    NcclSettings settings = NcclSettings.parse(List.of("NCCL_IB_MERGE_NICS=1"));
    UnusableTopologyException e =
        assertThrows(UnusableTopologyException.class, () -> topology.merged(settings.nicMerging()));
    assertTrue(e.getMessage().contains("not modelled for NCCL " + release), e.getMessage());
  }

  /**
   * As the topologies that {@code ncclTopoProcessNet} of 2.25.1 and 2.26.2 makes, with all links.
   * Up to 2.26 all ports get numbers after the physical ones; a0 and a1 are ports of one PCI
   * function, whose device NCCL puts where it does not find it.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NCCL_NET_MERGE_LEVEL=LOC | a0 7 a1 8 b0 9 b1 10 c 11 d 12 e 13
          NCCL_IB_MERGE_NICS=1 | a0 0 a1 1 b0+b1 8 c 9 d 10 e 11
          NCCL_NET_MERGE_LEVEL=PIX | a0+a1+b0+b1 7 c 8 d 9 e 10
          NCCL_NET_MERGE_LEVEL=PHB | a0+a1+b0+b1 7 c+d 8 e 9
          NCCL_NET_MERGE_LEVEL=SYS | a0+a1+b0+b1 7
          NCCL_NET_FORCE_MERGE=b1,c | a0 0 a1 1 b0 9 b1+c 7 d 10 e 11
          NCCL_NET_FORCE_MERGE=b1,c;a0 | a0 8 a1 9 b0 10 b1+c 7 d 11 e 12
          NCCL_NET_FORCE_MERGE=a0,c;b0,d | a0 0 a1 9 b1 10 a0+c 7 b0+d 8 e 11
          NCCL_NET_FORCE_MERGE=a0,c;a0,d | a0 0 a1 9 b0+b1 10 a0+c 7 a0+d 8 e 11
          """)
  void upTo226EveryPortBecomesADevice(String setting, String expected) {
    for (String release : List.of("2.24.3", "2.25.1", "2.26.2")) {
      assertEquals(expected, devices(release, setting), release);
    }
  }

  /** The first port that cannot be merged is not visited again, and has no device then. */
  @Test
  void upTo226ThePortThatIsNotMergedHasNoDevice() {
    String separate = "NCCL_IB_MERGE_NICS=0";
    assertEquals("a0 0 a1 7 b0 8 b1 9 c 10 d 11 e 12", devices("2.26.2", separate));
    for (String release : List.of("2.24.3", "2.25.1")) {
      String failure =
          assertThrows(UnusableTopologyException.class, () -> devices(release, separate))
              .getMessage();
      assertEquals(
          "NCCL fails, as its network refuses to merge [a0, a1]: expected NCCL_NET_MERGE_LEVEL=LOC",
          failure);
    }
  }

  /** By hand from {@code ncclIbInit}: up to 2.23 the network makes pairs before NCCL sees ports. */
  @ParameterizedTest
  @CsvSource({
    "2.19.3, a0 0 a1 1 b0 2 b1 3 c 4 d 5 e 6",
    "2.20.5, a0+a1 0 b0+b1 1 c 2 d 3 e 4",
    "2.21.5, a0+a1 0 b0+b1 1 c 2 d 3 e 4",
    "2.22.3, a0 0 a1 1 b0 2 b1 3 c 4 d 5 e 6",
    "2.23.4, a0 0 a1 1 b0 2 b1 3 c 4 d 5 e 6"
  })
  void upTo223TheNetworkMakesPairs(String release, String expected) {
    for (String setting : List.of("NCCL_IB_MERGE_NICS=1", "NCCL_NET_MERGE_LEVEL=SYS")) {
      assertEquals(expected, devices(release, setting), setting);
    }
    assertEquals(7, topology(NcclProfile.of(release)).nets().size());
    assertEquals("a0 0 a1 1 b0 2 b1 3 c 4 d 5 e 6", devices(release, "NCCL_IB_MERGE_NICS=0"));
  }

  @Test
  void aPairTakesThePlaceOfItsFirstPort() {
    String setting = "NCCL_IB_MERGE_NICS=1";
    String pairs = MACHINE.replaceAll("<net name=\"[cde]\".*/>", "");
    for (PortMerging release : List.of(PortMerging.PAIRS, PortMerging.PAIRS_ONLY)) {
      assertEquals(
          List.of(
              "a0+a1 0 300000 13:00.0*16 12:00.0*16 10:00.0*16 cpu0",
              "b0+b1 1 200000 14:00.0*8 12:00.0*16 10:00.0*16 cpu0"),
          merged(release, pairs, setting));
      String other = pairs.replace("port=\"2\" guid=\"0xb\"", "port=\"2\" guid=\"0xc\"");
      assertEquals(
          release == PortMerging.PAIRS ? 3 : 4, merged(release, other, setting).size(), "GUIDs");
    }
  }

  @Test
  void noPortsCannotBeForced() {
    String file = MACHINE.replaceAll("(?s)<nic>.*?</nic>", "");
    assertEquals(List.of(), merged(file, "NCCL_NET_FORCE_MERGE=a0,a1"));
  }

  private static String devices(String release, String... settings) {
    return topology(NcclProfile.of(release))
        .merged(NcclSettings.parse(List.of(settings)).nicMerging())
        .nets()
        .stream()
        .map(net -> net.name() + " " + net.dev())
        .collect(Collectors.joining(" "));
  }

  private static Topology topology(NcclProfile profile) {
    XmlDocument document = new XmlDocument(List.of(), system(MACHINE), List.of());
    return new TopologyReader(UnknownElements.REJECTED, profile)
        .map(document, GpuSelection.ALL, new Diagnostics());
  }
}
