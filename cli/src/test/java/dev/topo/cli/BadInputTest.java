package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that cannot be used ends in one line that says where and what, and in exit status 3. */
class BadInputTest {
  private static final Path MACHINE =
      Path.of(System.getProperty("topo.root")).resolve("topologies/dgx-h100.xml");

  @TempDir private Path folder;

  private static void assertRefused(Path file, String... parts) {
    CliRun run = CliRun.of("search", file.toString());
    assertEquals(3, run.status(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertFalse(run.err().contains("Exception"), run.err());
    assertTrue(run.err().startsWith("topo: " + file), run.err());
    for (String part : parts) {
      assertTrue(run.err().contains(part), () -> "'" + part + "' is missing in " + run.err());
    }
  }

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("bad.xml"), content);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "version=\"1\" | version=\"9\" | bad.xml:1:1: <system>: attribute version=\"9\", expected 1",
        "version=\"1\" | name=\"x\" | <system>: attribute version is missing",
        "count=\"18\" | count=\"abc\" | <nvlink>: attribute count=\"abc\", expected an integer",
        "count=\"18\" | count=\"\" | attribute count=\"\", expected an integer",
        "count=\"18\" | count=\"-1\" | attribute count=\"-1\", expected an integer from 0 to 256",
        "count=\"18\" | count=\"99999999999\" | attribute count=\"99999999999\", expected an integer",
        "sm=\"90\" | sm=\"9O\" | <gpu>: attribute sm=\"9O\", expected an integer",
        "sm=\"90\" | small=\"90\" | <gpu>: attribute sm is missing",
        "rank=\"1\" | rank=\"0\" | <gpu>: attribute rank=\"0\" is also that of the gpu in line 5",
        "<gpu dev=\"1\" | <gpu dev=\"0\" | <gpu>: attribute dev=\"0\" is also that of the gpu in line 5",
        "arch=\"x86_64\" | kind=\"x\" | <cpu>: attribute arch is missing",
        "vendor=\"GenuineIntel\" | kind=\"x\" | <cpu>: attribute vendor is missing",
        "familyid=\"6\" | kind=\"x\" | <cpu>: attribute familyid is missing",
        "numaid=\"1\" | numaid=\"0\" | <cpu>: attribute numaid makes a second CPU 0-0",
        "busid=\"0000:11:00.0\" | busid=\"gpu0\" | attribute busid=\"gpu0\", expected a PCI bus id such as",
        "busid=\"0000:19:00.0\" | busid=\"0000:11:00.0\" | makes a second GPU 0-11000",
        "link_width=\"16\" | link_width=\"x16\" | <pci>: attribute link_width=\"x16\", expected an integer",
        "speed=\"400000\" | speed=\"fast\" | <net>: attribute speed=\"fast\", expected an integer",
        "latency=\"0\" | latency=\"NaN\" | <net>: attribute latency=\"NaN\", expected a number",
        "<nvlink | <nvlnk | <nvlnk>: unknown element; inside <gpu> NCCL reads c2c, nvlink",
        "class=\"0x060400\" | kind=\"x\" | <pci>: attribute class is missing",
      })
  void namesElementAttributeAndExpectation(String good, String bad, String message)
      throws IOException {
    String text = Files.readString(MACHINE);
    assertTrue(text.contains(good), good);
    assertRefused(file(text.replaceFirst(Pattern.quote(good), bad)), message);
  }

  @Test
  void refusesAGraphFileOfAnotherMachine() {
    Path topologies = MACHINE.getParent();
    Path graph = folder.resolve("graph.xml");
    String small = topologies.resolve("dgx-1v.xml").toString();
    String large = topologies.resolve("dgx-2.xml").toString();
    assertEquals(0, CliRun.of("search", small, "--format", "xml", "-o", graph.toString()).status());
    for (String command : new String[] {"search", "tune", "connect", "explain"}) {
      CliRun run = CliRun.of(command, large, "--env", "NCCL_GRAPH_FILE=" + graph);
      assertEquals(3, run.status(), command + run.err());
      assertTrue(run.err().contains("graph.xml"), run.err());
    }
  }

  @Test
  void refusesAGraphFileWithAChannelWithoutGpu() throws IOException {
    CliRun dump = CliRun.of("search", MACHINE.toString(), "--format", "xml");
    List<String> lines = new ArrayList<>(dump.out().lines().toList());
    int nvls = 0;
    while (!lines.get(nvls).contains("<graph id=\"3\"")) {
      nvls++;
    }
    while (lines.get(nvls + 2).contains("<gpu")) {
      lines.remove(nvls + 2);
    }
    Path graph = Files.write(folder.resolve("graph.xml"), lines);
    CliRun run = CliRun.of("tune", MACHINE.toString(), "--env", "NCCL_GRAPH_FILE=" + graph);
    assertEquals(3, run.status(), run.err());
    assertEquals(
        "topo: "
            + graph
            + ":"
            + (nvls + 2)
            + ":5: <channel>: has no <gpu>, expected at least one\n",
        run.err());
  }

  @Test
  void refusesTruncatedFile() throws IOException {
    String text = Files.readString(MACHINE);
    assertRefused(file(text.substring(0, text.length() / 2)), "not well-formed XML");
  }

  @Test
  void refusesWhatIsNotXml() throws IOException {
    assertRefused(file("GPU0 GPU1 NV18\n"), "bad.xml:1:1: not well-formed XML");
    assertRefused(file("{\"system\": 1}"), "not well-formed XML");
    Files.write(folder.resolve("bad.xml"), new byte[] {0, 1, 2, (byte) 0xff, (byte) 0xfe});
    assertRefused(folder.resolve("bad.xml"), "not well-formed XML");
  }

  @Test
  void refusesOtherXml() throws IOException {
    assertRefused(
        file("<graphs version=\"1\"/>\n"), "<graphs>: expected <system> as the outermost element");
    assertRefused(file("<a><b/></a>\n"), "<a>: expected <system>");
  }

  @Test
  void refusesDocumentTypes() throws IOException {
    assertRefused(
        file("<!DOCTYPE system>\n<system version=\"1\"/>\n"),
        "expected no document type declaration");
    StringBuilder bomb = new StringBuilder("<!DOCTYPE system [\n<!ENTITY a0 \"ha\">\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("<!ENTITY a")
          .append(i)
          .append(" \"&a")
          .append(i - 1)
          .append(";&a")
          .append(i - 1)
          .append(";\">\n");
    }
    assertRefused(file(bomb + "]>\n<system version=\"1\" name=\"&a29;\"/>\n"), "bad.xml:1:1");
    assertRefused(
        file(
            "<!DOCTYPE system [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><system version=\"1\" name=\"&x;\"/>"),
        "expected no document type declaration");
    assertRefused(file("<system version=\"1\" name=\"&x;\"/>"), "bad.xml:1");
  }

  @Test
  void refusesEmptyFile() throws IOException {
    assertRefused(file(""), "is empty, expected an XML file");
    assertRefused(file(" \n\n"), "is empty, expected an XML file");
    assertRefused(file("<!-- nothing -->\n"), "bad.xml");
  }

  @Test
  void refusesMachineWithoutGpu() throws IOException {
    assertRefused(
        file("<system version=\"1\">\n  <cpu numaid=\"0\" arch=\"arm64\"/>\n</system>\n"),
        "has no gpu");
  }

  @Test
  void ofAFileWithThePciTreeOnlyTheOptionIsNamedThatCompletesIt() {
    Path root = Path.of(System.getProperty("topo.root"));
    Path file = root.resolve("examples/vm.xml");
    assertRefused(file, "has no gpu, expected at least one <gpu> inside a <pci>, or --assume gpu=");
  }

  @Test
  void refusesDirectoryAndMissingFile() {
    assertRefused(folder, "is a directory, expected an XML file");
    assertRefused(folder.resolve("none.xml"), "no such file, expected an XML file");
  }

  @Test
  void refusesHugeFileWithoutReadingIt() throws IOException {
    Path huge = folder.resolve("huge.xml");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(200L << 20);
    }
    assertRefused(huge, "has 209715200 bytes, expected at most 16777216");
  }

  @Test
  void refusesDeepNesting() throws IOException {
    int depth = 100_000;
    assertRefused(
        file(
            "<system version=\"1\">"
                + "<cpu>".repeat(depth)
                + "</cpu>".repeat(depth)
                + "</system>"),
        "not well-formed XML: Maximum Element Depth limit (64) Exceeded");
  }

  @Test
  void refusesManyAttributesAndLongValues() throws IOException {
    StringBuilder many = new StringBuilder("<system version=\"1\"");
    for (int i = 0; i < 1000; i++) {
      many.append(" a").append(i).append("=\"1\"");
    }
    assertRefused(file(many + "/>"), "Attribute limit (64) exceeded");
    assertRefused(
        file("<system version=\"1\" name=\"" + "x".repeat(1 << 20) + "\"/>"),
        "Maximum attribute size limit");
  }

  @Test
  void refusesLinkThatOneEndDoesNotKnow() throws IOException {
    String text = Files.readString(MACHINE.resolveSibling("dgx-1v.xml"));
    int link = text.indexOf("<nvlink");
    assertRefused(
        file(text.substring(0, link) + text.substring(text.indexOf("/>", link) + 2)),
        "not the other way round");
  }

  @Test
  void refusesMoreNodesThanNcclHasRoomFor() throws IOException {
    StringBuilder text =
        new StringBuilder("<system version=\"1\">\n<cpu numaid=\"0\" arch=\"arm64\">\n");
    for (int i = 0; i <= 576; i++) {
      text.append("<pci busid=\"")
          .append(Integer.toHexString(0x1000 + i))
          .append("\" class=\"0x03\" ");
      text.append("link_speed=\"\" link_width=\"16\"><gpu sm=\"90\"/></pci>\n");
    }
    assertRefused(file(text + "</cpu></system>"), "more than 576 nodes of type GPU, NCCL's limit");
  }

  @Test
  void anUnusableFileDoesNotKeepTheOthersFromTheirAnswers() throws IOException {
    CliRun run = CliRun.of("search", file("<system/>").toString(), MACHINE.toString());
    assertEquals(3, run.status());
    assertTrue(run.out().contains("\ndgx-h100: 8 GPUs"), run.out());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void warnsWhereNcclIsSilentAndStrictMakesItAnError() throws IOException {
    String text = Files.readString(MACHINE).replaceFirst("<nic>", "<nic><gpu/>");
    Path file = file(text);
    CliRun run = CliRun.of("search", file.toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(
        run.err()
            .contains(
                "bad.xml:10:14: <gpu>: NCCL ignores this element; inside <nic> NCCL reads net"),
        run.err());
    assertEquals(3, CliRun.of("search", file.toString(), "--strict").status());
  }

  @Test
  void unknownElementsCanBeIgnoredAsNcclDoes() throws IOException {
    Path file = file(Files.readString(MACHINE).replaceFirst("<nic>", "<nic><x/>"));
    assertEquals(3, CliRun.of("search", file.toString()).status());
    CliRun run = CliRun.of("search", file.toString(), "--ignore-unknown-elements");
    assertEquals(0, run.status(), run.err());
    assertEquals(
        CliRun.of("search", MACHINE.toString()).out().lines().skip(3).toList(),
        run.out().lines().skip(3).toList());
  }

  /** NCCL reads nothing below an endpoint, and then misses the rank of the GPU there. */
  @ParameterizedTest
  @ValueSource(strings = {"0000:10:00.0", "0000:18:00.0", "LAST"})
  void aGpuThatNcclPassesOverIsMissed(String bridge) throws IOException {
    String machine = Files.readString(MACHINE);
    Matcher bridges = Pattern.compile("busid=\"([^\"]*)\" class=\"0x060400\"").matcher(machine);
    String last = bridges.results().reduce((a, b) -> b).orElseThrow().group(1);
    String busId = bridge.equals("LAST") ? last : bridge;
    String text =
        machine.replace(
            "\"" + busId + "\" class=\"0x060400\"", "\"" + busId + "\" class=\"0x020700\"");
    CliRun run = CliRun.of("search", file(text).toString());
    assertEquals(3, run.status(), run.err());
    assertTrue(run.err().contains("<gpu>: is below an endpoint"), run.err());
  }
}
