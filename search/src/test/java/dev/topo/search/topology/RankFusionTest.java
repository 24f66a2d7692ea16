package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.fixture.RandomCases;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlNode;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.fixture.MachineXml;
import dev.topo.search.fixture.RandomMachine;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.NvlinkDomain.HostGpu;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of devices where ranks join what each keeps of a file. */
class RankFusionTest {
  private static final long SEED = Long.getLong("test.seed", 20260101);
  private static final String NUMA =
      "<cpu numaid=\"%s\" arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"175\" modelid=\"1\">";

  private static String pci(String busId, String pciClass, String inside) {
    return "<pci busid=\"0000:%s:00.0\" class=\"%s\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">%s</pci>\n"
        .formatted(busId, pciClass, inside);
  }

  private static String bridge(String busId, String... inside) {
    return pci(busId, "0x060400", String.join("", inside));
  }

  private static String gpu(int dev, String rank) {
    return pci("a" + dev, "0x030200", "<gpu dev=\"" + dev + "\" sm=\"80\" " + rank + "/>");
  }

  private static String gpu(int dev) {
    return gpu(dev, "");
  }

  private static String port(int dev) {
    return pci(
        "b" + dev,
        "0x020000",
        "<nic><net name=\"p%s\" dev=\"%s\" speed=\"100000\"/></nic>".formatted(dev, dev));
  }

  private static XmlDocument document(String... parts) {
    String text = "<system version=\"1\">\n" + String.join("\n", parts) + "\n</system>";
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "a.xml");
  }

  private static Topology topology(XmlDocument document, GpuSelection gpus, String version) {
    return TopologySource.build(
        document, UnknownElements.REJECTED, gpus, NcclProfile.of(version), new Diagnostics());
  }

  private static Topology topology(XmlDocument document) {
    return topology(document, GpuSelection.ALL, "2.28.9");
  }

  private static List<Integer> gpus(Topology machine) {
    return machine.gpus().stream().map(GpuNode::dev).toList();
  }

  /** The second switch has the port that all ranks keep. */
  private static final XmlDocument UNEVEN =
      document(
          NUMA.formatted(0), bridge("10", gpu(1), gpu(2)), bridge("20", gpu(0), port(0)), "</cpu>");

  @ParameterizedTest
  @CsvSource({
    "2.19.3, 1 2 0",
    "2.21.5, 1 2 0",
    "2.22.3, 0 1 2",
    "2.28.9, 0 1 2",
    "2.30.7, 0 1 2",
    "2.32.3, 0 1 2"
  })
  void aSwitchWithAPortIsFirst(String version, String expected) {
    Topology machine = topology(UNEVEN, GpuSelection.ALL, version);
    assertEquals(expected, gpus(machine).toString().replaceAll("[\\[\\],]", ""));
    assertEquals(
        version.compareTo("2.22") < 0 ? "" : "GPU 1 2 0 to 0-2", RankFusion.moved(machine));
  }

  /** The first rank brings its NUMA domain and that of the ports, the next one its own. */
  @Test
  void numaDomainsAreInTheOrderOfTheRanksThatBringThem() {
    XmlDocument file =
        document(
            NUMA.formatted(0) + gpu(2) + "</cpu>",
            NUMA.formatted(1) + gpu(1) + "</cpu>",
            NUMA.formatted(2) + port(0) + port(1) + "</cpu>",
            NUMA.formatted(3) + gpu(0) + "</cpu>");
    Topology machine = topology(file);
    assertEquals(List.of(0, 1, 2), gpus(machine));
    assertEquals("CPU 0-3 to 2 3 1 0, GPU 2-0 to 0-2", RankFusion.moved(machine));
    assertEquals(
        List.of(0, 1), machine.nets().stream().map(NetNode::dev).toList(), "all ranks have both");
    assertEquals(
        List.of(1, 2), gpus(topology(file, GpuSelection.of(Set.of(1, 2)), "2.28.9")), "a part");
  }

  /** Stated ranks count, not device numbers, and the order of nothing but a later rank's. */
  @Test
  void ranksOfTheFileDecide() {
    XmlDocument file =
        document(
            NUMA.formatted(0),
            bridge("10", gpu(0, "rank=\"2\""), gpu(1, "rank=\"0\"")),
            bridge("20", gpu(2, "rank=\"1\"")),
            "</cpu>");
    assertEquals(List.of(1, 0, 2), gpus(topology(file)));
  }

  @Test
  void aFileInTheOrderOfTheRanksIsReadAsItIs() {
    XmlDocument file =
        document(
            NUMA.formatted(0),
            bridge("10", gpu(0), port(0)),
            bridge("20", gpu(1), port(1)),
            "</cpu>");
    Topology machine = topology(file);
    assertEquals("", RankFusion.moved(machine));
    assertEquals(
        gpus(topology(file, GpuSelection.ALL, "2.21.5")), gpus(machine), "as it always was");
  }

  /** Messages are about the file, not about what is joined. */
  @Test
  void placesAreThoseOfTheFile() {
    XmlElement joined =
        RankFusion.inRankOrder(
            UNEVEN.root(), List.of(new HostGpu(0, 0), new HostGpu(0, 1), new HostGpu(0, 2)));
    assertEquals(
        List.of("0000:20:00.0 a.xml:7", "0000:10:00.0 a.xml:3"),
        joined.elements("cpu").get(0).elements("pci").stream()
            .map(pci -> pci.attribute("busid").orElse("") + " " + pci.location())
            .map(text -> text.replaceFirst(":\\d+$", ""))
            .toList());
  }

  /**
   * In files with siblings and ranks in any order: the definition (siblings follow the first rank
   * that has them), a second join changes nothing, and the topology is that of the joined file.
   */
  @Test
  void joiningIsADefiniteOrder() {
    int moved = 0;
    int cases = RandomCases.count(200, 2000);
    for (int i = 0; i < cases; i++) {
      Random random = new Random(SEED + i);
      XmlElement file = MachineXml.of(RandomMachine.of(SEED + i));
      int gpuCount = (int) devs(file).count();
      List<Integer> ranks = new ArrayList<>(IntStream.range(0, gpuCount).boxed().toList());
      Collections.shuffle(ranks, random);
      XmlElement shuffled = shuffled(file, ranks, random);
      Integer[] devOfRank = new Integer[gpuCount];
      for (int dev = 0; dev < gpuCount; dev++) {
        devOfRank[ranks.get(dev)] = dev;
      }
      List<HostGpu> order = List.of(devOfRank).stream().map(dev -> new HostGpu(0, dev)).toList();
      String seed = "seed " + (SEED + i);

      XmlElement joined = RankFusion.inRankOrder(shuffled, order);

      assertEquals(sorted(shuffled).toString(), joined.toString(), seed);
      assertEquals(joined, RankFusion.inRankOrder(joined, order), seed);
      Topology machine = topology(new XmlDocument(List.of(), shuffled, List.of()));
      Topology ofJoined = topology(new XmlDocument(List.of(), joined, List.of()));
      assertEquals(ofJoined.nodes(), machine.nodes(), seed);
      assertEquals("", RankFusion.moved(ofJoined), seed);
      moved += RankFusion.moved(machine).isEmpty() ? 0 : 1;
    }
    System.out.println("files in any order " + cases + "/" + cases + ", moved " + moved);
    assertTrue(moved > cases / 10, "most files are in order");
  }

  private static IntStream devs(XmlElement element) {
    return IntStream.concat(
        element.elements("gpu").stream().mapToInt(gpu -> number(gpu, "dev")),
        element.elements().stream().flatMapToInt(RankFusionTest::devs));
  }

  private static int number(XmlElement element, String name) {
    return Integer.parseInt(element.attribute(name).orElse("-1"));
  }

  private static XmlElement shuffled(XmlElement element, List<Integer> ranks, Random random) {
    List<XmlNode> children = new ArrayList<>();
    for (XmlElement child : element.elements()) {
      children.add(shuffled(child, ranks, random));
    }
    if (!element.name().equals("gpu")) {
      Collections.shuffle(children, random);
    }
    Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
    if (element.name().equals("gpu")) {
      attributes.put("rank", String.valueOf(ranks.get(number(element, "dev"))));
    }
    return MachineXml.element(element.name(), attributes, children);
  }

  /** The first rank whose tree has an element; empty where none has. */
  private static OptionalInt first(XmlElement element) {
    return switch (element.name()) {
      case "gpu" -> OptionalInt.of(number(element, "rank"));
      case "net" -> OptionalInt.of(0);
      default ->
          element.elements().stream()
              .map(RankFusionTest::first)
              .filter(OptionalInt::isPresent)
              .mapToInt(OptionalInt::getAsInt)
              .min();
    };
  }

  private static XmlElement sorted(XmlElement element) {
    if (element.name().equals("gpu")) {
      return element;
    }
    List<XmlNode> children = new ArrayList<>();
    element.elements().stream()
        .filter(child -> first(child).isPresent())
        .sorted(Comparator.comparingInt(child -> first(child).orElseThrow()))
        .forEach(child -> children.add(sorted(child)));
    return MachineXml.element(element.name(), element.attributes(), children);
  }
}
