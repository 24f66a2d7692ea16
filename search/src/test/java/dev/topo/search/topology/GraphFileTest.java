package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Topology;
import dev.topo.model.fixture.GraphBuilder;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.GraphFormat;
import dev.topo.model.xml.GraphReader;
import dev.topo.model.xml.GraphWriter;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link GraphReader} and {@link GraphWriter}. */
class GraphFileTest {
  private static final GraphFormat FORMAT = NcclProfile.DEFAULT.search().graphFormat;

  private static final Optional<Channel.Nets> NETS =
      Optional.of(new Channel.Nets(new NodeId(0, 0), new NodeId(0, 1)));

  private Topology topology = new TestMachine().build();

  @BeforeEach
  void makeMachine() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 90);
    machine.gpu(cpu, 90);
    machine.gpu(cpu, 90);
    topology = machine.build();
  }

  private static ChannelGraph graph(GraphKind kind, Channel... channels) {
    return GraphBuilder.of(kind, List.of(channels))
        .crossNic(2)
        .bwGBps(20, 12.5f)
        .latencyUs(1.5f)
        .paths(PathType.PXB, PathType.PXN)
        .build();
  }

  private NodeGraphs read(String text) {
    return new GraphReader(topology, FORMAT)
        .map(new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "g.xml"));
  }

  @Test
  void whatWasWrittenIsReadAgain() {
    NodeGraphs graphs =
        new NodeGraphs(
            List.of(
                graph(
                    GraphKind.RING,
                    new Channel(List.of(2, 0, 1), NETS),
                    new Channel(List.of(0, 1, 2), NETS)),
                graph(GraphKind.TREE, new Channel(List.of(1, 0, 2), Optional.empty())),
                graph(GraphKind.NVLS, new Channel(List.of(1), Optional.empty()))));
    String text = GraphWriter.write(graphs, topology, FORMAT);
    assertEquals(graphs, read(text));
    assertEquals(text, GraphWriter.write(read(text), topology, FORMAT));
  }

  @Test
  void writesAsNcclDoes() {
    NodeGraphs graphs =
        new NodeGraphs(List.of(graph(GraphKind.RING, new Channel(List.of(1, 0, 2), NETS))));
    List<String> lines = GraphWriter.write(graphs, topology, FORMAT).lines().toList();
    assertEquals("<graphs version=\"1\">", lines.get(0));
    assertEquals(
        "  <graph id=\"0\" pattern=\"4\" crossnic=\"2\" nchannels=\"1\" speedintra=\"20\" speedinter=\"12.5\""
            + " latencyinter=\"1.5\" typeintra=\"PXB\" typeinter=\"PXN\" samechannels=\"1\">",
        lines.get(1));
    assertEquals(
        List.of(
            "    <channel>",
            "      <net dev=\"0\"/>",
            "      <gpu dev=\"0x1\"/>",
            "      <gpu dev=\"0\"/>",
            "      <gpu dev=\"0x2\"/>",
            "      <net dev=\"0x1\"/>",
            "    </channel>",
            "  </graph>"),
        lines.subList(2, 10));
    assertEquals(15, lines.size());
  }

  @Test
  void graphsStandInNcclsOrderWithZerosForWhatIsMissing() {
    List<String> lines =
        GraphWriter.write(new NodeGraphs(List.of()), topology, FORMAT).lines().toList();
    assertEquals(7, lines.size());
    assertTrue(
        lines.get(1).startsWith("  <graph id=\"0\" pattern=\"4\" crossnic=\"0\" nchannels=\"0\""));
    assertTrue(lines.get(2).startsWith("  <graph id=\"1\" pattern=\"1\""), lines.get(2));
    assertTrue(lines.get(3).startsWith("  <graph id=\"4\" pattern=\"6\""), lines.get(3));
    assertTrue(lines.get(4).startsWith("  <graph id=\"2\" pattern=\"3\""), lines.get(4));
    assertTrue(lines.get(5).startsWith("  <graph id=\"3\" pattern=\"5\""), lines.get(5));
  }

  @Test
  void onlyTheHeadOfAnNvlsChannelIsWritten() {
    NodeGraphs graphs =
        new NodeGraphs(
            List.of(graph(GraphKind.NVLS, new Channel(List.of(1, 0, 2), Optional.empty()))));
    assertEquals(
        List.of(1),
        read(GraphWriter.write(graphs, topology, FORMAT))
            .get(GraphKind.NVLS)
            .channels()
            .get(0)
            .ranks());
  }

  @Test
  void newerVersionsNameGpusByRankToo() {
    GraphFormat newer = NcclProfile.of("2.30.3").search().graphFormat;
    NodeGraphs graphs =
        new NodeGraphs(
            List.of(graph(GraphKind.RING, new Channel(List.of(1, 0, 2), Optional.empty()))));
    String text = GraphWriter.write(graphs, topology, newer);
    assertEquals(
        List.of(
            "<gpu dev=\"0x1\" rank=\"1\"/>",
            "<gpu dev=\"0\" rank=\"0\"/>",
            "<gpu dev=\"0x2\" rank=\"2\"/>"),
        text.lines().map(String::strip).filter(line -> line.startsWith("<gpu")).toList());
    // The rank counts, not the device.
    String other = text.replace("dev=\"0x2\" rank=\"2\"", "dev=\"0\" rank=\"2\"");
    XmlDocument document = new XmlReader().read(other.getBytes(StandardCharsets.UTF_8), "g.xml");
    assertEquals(
        graphs.get(GraphKind.RING),
        new GraphReader(topology, newer).map(document).get(GraphKind.RING));
    XmlDocument unknown =
        new XmlReader()
            .read(
                text.replace("rank=\"2\"", "rank=\"3\"").getBytes(StandardCharsets.UTF_8), "g.xml");
    assertThrows(
        TopologyFormatException.class, () -> new GraphReader(topology, newer).map(unknown));
  }

  /** Its graphs for CollNet have one number, so that a reader takes the last for both. */
  @Test
  void writesAndReadsTheFormatOf2223() {
    GraphFormat format = NcclProfile.of("2.22.3").search().graphFormat;
    NodeGraphs graphs =
        new NodeGraphs(
            List.of(
                graph(GraphKind.COLLNET_DIRECT, new Channel(List.of(0, 1), Optional.empty())),
                graph(GraphKind.COLLNET_CHAIN, new Channel(List.of(1, 0), Optional.empty()))));
    String text = GraphWriter.write(graphs, topology, format);
    assertEquals(2, text.lines().filter(line -> line.contains("<graph id=\"2\"")).count(), text);
    NodeGraphs read =
        new GraphReader(topology, format)
            .map(new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "graphs.xml"));
    for (GraphKind kind : List.of(GraphKind.COLLNET_DIRECT, GraphKind.COLLNET_CHAIN)) {
      assertEquals(List.of(1, 0), read.get(kind).channels().get(0).ranks());
    }
  }

  /** As NCCL 2.20.5 does, which knows one CollNet graph, decimal devices and no heads. */
  @Test
  void writesAndReadsTheFormatOfOlderVersions() {
    GraphFormat older = NcclProfile.of("2.20.5").search().graphFormat;
    Optional<Channel.Nets> nets =
        Optional.of(new Channel.Nets(new NodeId(0, 16), new NodeId(0, 16)));
    NodeGraphs graphs =
        new NodeGraphs(List.of(graph(GraphKind.NVLS, new Channel(List.of(1), nets))));
    String text = GraphWriter.write(graphs, topology, older);
    List<String> lines = text.lines().toList();
    assertEquals(14, lines.size());
    assertTrue(lines.get(3).startsWith("  <graph id=\"2\" pattern=\"3\""), lines.get(3));
    assertEquals(
        List.of(
            "      <net dev=\"16\"/>",
            "      <gpu dev=\"1\"/>",
            "      <gpu dev=\"0\"/>",
            "      <gpu dev=\"0\"/>",
            "      <net dev=\"16\"/>"),
        lines.subList(6, 11));
    Channel read =
        new GraphReader(topology, older)
            .map(new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "g.xml"))
            .get(GraphKind.NVLS)
            .channels()
            .get(0);
    assertEquals(new Channel(List.of(1, 0, 0), nets), read);
  }

  @Test
  void refusesToWriteGpusThatAreNotThere() {
    NodeGraphs graphs =
        new NodeGraphs(
            List.of(graph(GraphKind.RING, new Channel(List.of(0, 1, 3), Optional.empty()))));
    assertThrows(IllegalArgumentException.class, () -> GraphWriter.write(graphs, topology, FORMAT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "graphs | system | <system>: expected <graphs> as the outermost element",
        "version=\"1\" | version=\"2\" | <graphs>: attribute version=\"2\", expected 1",
        "id=\"0\" | id=\"5\" | attribute id=\"5\", expected a number from 0 to 4",
        "id=\"0\" | | <graph>: attribute id is missing",
        "pattern=\"4\" | pattern=\"7\" | attribute pattern=\"7\", expected a number from 1 to 6",
        "crossnic=\"2\" | crossnic=\"3\" | attribute crossnic=\"3\", expected an integer from 0 to 2",
        "nchannels=\"1\" | nchannels=\"2\" | attribute nchannels=\"2\", expected 1, the number of <channel> elements",
        "nchannels=\"1\" | nchannels=\"65\" | attribute nchannels=\"65\", expected an integer from 0 to 64",
        "speedintra=\"20\" | speedintra=\"fast\" | attribute speedintra=\"fast\", expected a number",
        "typeintra=\"PXB\" | typeintra=\"NEAR\" | attribute typeintra=\"NEAR\", expected one of [LOC, NVL,",
        "<gpu dev=\"0x2\" | <gpu dev=\"0x9\" | <gpu>: attribute dev=\"0x9\", expected the device number of a GPU",
        "<gpu dev=\"0x2\" | <gpu rank=\"2\" | <gpu>: attribute dev is missing",
        "<gpu dev=\"0x2\" | <gpu dev=\"two\" | attribute dev=\"two\", expected a hexadecimal number",
      })
  void refusesWhatIsNoGraphFile(String good, String bad, String message) {
    String text =
        GraphWriter.write(
            new NodeGraphs(List.of(graph(GraphKind.RING, new Channel(List.of(0, 1, 2), NETS)))),
            topology,
            FORMAT);
    assertTrue(text.contains(good), good);
    String damaged = text.replace(good, bad == null ? "" : bad);
    TopologyFormatException e = assertThrows(TopologyFormatException.class, () -> read(damaged));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    assertTrue(String.valueOf(e.getMessage()).startsWith("g.xml:"), e.getMessage());
  }

  @Test
  void aGraphThatIsMissingCountsAsNotSearchedFor() {
    assertEquals(
        ChannelGraph.none(GraphKind.TREE), read("<graphs version=\"1\"/>").get(GraphKind.TREE));
  }

  @Test
  void patternsHaveNcclsNumbers() {
    for (int number = 1; number <= 6; number++) {
      assertEquals(number, Pattern.ofNumber(number).number());
    }
    assertThrows(IllegalArgumentException.class, () -> Pattern.ofNumber(0));
    assertThrows(IllegalArgumentException.class, () -> Pattern.ofNumber(7));
  }
}
