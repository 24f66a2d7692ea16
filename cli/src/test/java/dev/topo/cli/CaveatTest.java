package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.model.io.Diagnostic.Severity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is not modelled for a job is in the answers about it, in every format. */
class CaveatTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String TRAY = machine("gb200-tray");
  private static final String DGX = machine("dgx-h100");
  private static final String DUAL = machine("hgx-h100-dualport");

  @TempDir private Path folder;

  private static String machine(String name) {
    return ROOT.resolve("topologies/" + name + ".xml").toString();
  }

  private static CliRun run(String line, String... more) {
    List<String> words = new ArrayList<>();
    for (String word : line.split(" ")) {
      words.add(word.replace("TRAY", TRAY).replace("DGX", DGX).replace("DUAL", DUAL));
    }
    words.addAll(List.of(more));
    return CliRun.of(words.toArray(String[]::new));
  }

  private String withoutNvlink() throws IOException {
    String text = Files.readString(Path.of(DGX)).replaceAll("<nvlink[^>]*>", "");
    return Files.writeString(folder.resolve("cloud.xml"), text).toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "search TRAY --nodes 2",
        "connect TRAY --nodes 2 --rank 0",
        "tune TRAY --nodes 2 --sizes 1M",
        "explain TRAY --nodes 2",
        "predict TRAY --nodes 2 --sizes 1M",
        "whatif TRAY --nodes 2 net:mlx5_0.speed=100000",
        "diff TRAY DGX --nodes 2 --sizes 1M",
      })
  void textAndJsonSayThatNodesMayBeOneNvlinkDomain(String line) {
    CliRun text = run(line);
    assertTrue(text.out().contains("\nnot modelled: nvlink-domain: gb200-tray: "), text.out());
    assertFalse(text.err().contains("nvlink-domain"), text.err());
    JsonNode caveats = new JsonMapper().readTree(run(line + " --format json").out()).get("caveats");
    assertTrue(caveats.get(0).asString().startsWith("nvlink-domain: gb200-tray: "));
    if (!line.startsWith("diff")) {
      String separate = run(line + " --env NCCL_MNNVL_ENABLE=0").out();
      assertFalse(separate.contains("not modelled: "), separate);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tune", "predict"})
  void tablesHaveALastColumn(String command) {
    String out = run(command + " TRAY --nodes 2 --sizes 1M,2M --format csv").out();
    List<String> lines = out.lines().toList();
    assertTrue(lines.get(0).endsWith(",caveats"), out);
    assertTrue(lines.stream().skip(1).allMatch(line -> line.contains("nvlink-domain: ")), out);
    String none = run(command + " DGX --nodes 2 --sizes 1M --format csv").out();
    assertTrue(none.lines().findFirst().orElseThrow().endsWith(",caveats"), none);
    assertFalse(none.contains("nvlink-domain"), none);
  }

  @Test
  void graphsHaveACommentThatNcclSkips() {
    String out = run("search TRAY --nodes 2 --format xml").out();
    assertTrue(out.contains("  <!-- caveat: nvlink-domain: "), out);
    assertFalse(out.replace("<!--", "").replace("-->", "").contains("--"), out);
    SourceText source = new SourceText("graph.xml", out.getBytes(StandardCharsets.UTF_8));
    assertTrue(
        new Linter().lint(source).stream().noneMatch(f -> f.severity() == Severity.ERROR), out);
    String without = run("search TRAY --nodes 2 --format xml --env NCCL_MNNVL_ENABLE=0").out();
    assertEquals(without, out.replaceAll("\n  <!--.*-->", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "tune TRAY --nodes 2 --format tuner, '# caveat: nvlink-domain: '",
    "draw TRAY --nodes 2 --format svg, '<!-- caveat: nvlink-domain: '",
    "report TRAY --nodes 2 --sizes 1M, '<p>nvlink-domain: gb200-tray: '",
  })
  void otherFormatsHaveItInTheirOwnWay(String line, String expected) {
    CliRun run = run(line);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains(expected), run.out());
  }

  @Test
  void tablesForComparisonAreLeftAlone() {
    CliRun run = run("connect TRAY --nodes 2 --format tsv");
    assertFalse(run.out().contains("caveat"), run.out());
    assertTrue(run.err().contains("caveat: nvlink-domain: "), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"show", "paths", "search", "connect", "tune", "explain", "predict"})
  void everyCommandNamesTheAssumptionThatCompletesAFile(String command) throws IOException {
    String file = withoutNvlink();
    String out = run(command, file).out();
    assertTrue(out.contains("\nnot modelled: missing-nvlink: cloud, 8 x H100 (dev 0-7): "), out);
    assertTrue(out.contains("--assume gpu=h100,nvlink=nvswitch"), out);
    assertEquals(1, out.lines().filter(line -> line.startsWith("not modelled: ")).count(), out);
    for (String assumed : List.of("gpu=h100", "gpu=h100,nvlink=none")) {
      String complete = run(command, file, "--assume", assumed).out();
      assertFalse(complete.contains("not modelled"), complete);
    }
  }

  @Test
  void lintNamesItToo() throws IOException {
    String lint = run("lint", withoutNvlink()).out();
    assertTrue(lint.contains("nvlink-at-run-time") && lint.contains("7 more"), lint);
    assertTrue(run("lint TRAY").out().contains("nvlink-domain"));
  }

  @Test
  void aChartNamesIt() throws IOException {
    Path topology = ROOT.resolve("src/test/resources/measured/h200-x4.topo.xml");
    Path file = folder.resolve("cloud.xml");
    Files.writeString(file, Files.readString(topology).replaceAll("<nvlink[^>]*>", ""));
    CliRun run =
        run(
            "chart " + ROOT.resolve("src/test/resources/measured/h200-x4-run/verify.json"),
            "--machine",
            file.toString());
    assertTrue(run.err().contains("caveat: missing-nvlink: cloud"), run.err());
    assertTrue(run.out().contains("<!-- caveat: missing-nvlink: cloud"), run.out());
  }

  @Test
  void portsAreSeparateUnlessTheJobStatesThatTheyAreMerged() {
    String out = run("whatif DUAL --nodes 2", "env NCCL_NET_MERGE_LEVEL=PORT").out();
    assertTrue(out.contains("\nnot modelled: nic-merge: hgx-h100-dualport: "), out);
    assertTrue(out.contains("not modelled: merged-ports: hgx-h100-dualport (mlx5_0+mlx5_1 "), out);
    assertTrue(out.contains("graphs between nodes: ring 384 GB/s"), out);
    String none = run("search DUAL --nodes 2 --env NCCL_IB_MERGE_NICS=0").out();
    assertFalse(none.contains("not modelled"), none);
  }

  @Test
  void aLevelThatNcclDoesNotKnowIsNoted() {
    CliRun run = run("show DUAL --env NCCL_NET_MERGE_LEVEL=pix");
    assertTrue(
        run.err().contains("note: NCCL takes NCCL_NET_MERGE_LEVEL=pix for LOC, "), run.err());
    assertTrue(run.out().contains("16 ports of 25 GB/s"), run.out());
  }

  @Test
  void forcedGroupsThatNcclRefusesAreRefused() {
    for (String command : List.of("show DUAL", "search DUAL", "connect DUAL", "tune DUAL")) {
      CliRun run = run(command + " --env", "NCCL_NET_FORCE_MERGE=mlx5_0,mlx5_99");
      assertEquals(3, run.status(), command);
      assertTrue(
          run.err().contains("group 'mlx5_0,mlx5_99' lists 2 devices and matches 1 ports"),
          run.err());
      assertEquals(1, run.err().lines().count(), run.err());
    }
  }

  @Test
  void mergedPortsAreInTheJson() {
    String out = run("show DUAL --format json --env NCCL_IB_MERGE_NICS=1").out();
    assertTrue(out.contains("\"name\" : \"mlx5_0+mlx5_1\""), out);
    assertTrue(out.contains("\"merged-ports: hgx-h100-dualport (mlx5_0+mlx5_1 "), out);
  }

  @ParameterizedTest
  @CsvSource({"MOD 8, true", "AND 1, true", "DIV 8, false", "DIV 16, false", "MOD 16, true"})
  void groupsOnTheSameNodesShareThem(String split, boolean shared) {
    String out = run("predict DGX --nodes 4 --sizes 1M --split", split).out();
    assertEquals(shared, out.contains("not modelled: concurrent-groups: dgx-h100: "), out);
  }

  /** NCCL ignores such names without a word. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mlx5_0,mlx5_9,mlx5_1:2|mlx5_9 mlx5_1:2",
        "=mlx5_0,mlx5|mlx5",
        "^mlx5_0,mlx5_9|mlx5_9",
        "mlx5_0|''"
      })
  void namesInNcclIbHcaThatNoPortHasAreNoted(String list, String unknown) {
    CliRun run = run("search DGX --nodes 2 --env NCCL_IB_HCA=" + list);
    assertEquals(0, run.status(), run.err());
    String notes =
        Stream.of(unknown.split(" "))
            .filter(name -> !name.isEmpty())
            .map("topo: note: NCCL_IB_HCA: no port of the job matches %s\n"::formatted)
            .collect(Collectors.joining());
    assertEquals(notes, run.err());
  }

  /** Also where an edit sets it; the machine by itself does not depend on it. */
  @ParameterizedTest
  @CsvSource({
    "predict DGX --nodes 2 --sizes 1G --env NCCL_MAX_NCHANNELS=0, true",
    "search DGX --nodes 2 --env NCCL_MAX_NCHANNELS=0, true",
    "whatif DGX env_NCCL_MAX_NCHANNELS=0 --nodes 2 --sizes 1G, true",
    "show DGX --env NCCL_MAX_NCHANNELS=0, false"
  })
  void aValueThatNcclCorrectsIsNotedOnce(String line, boolean isNoted) {
    List<String> words = new ArrayList<>();
    for (String word : line.split(" ")) {
      words.add(word.replace("DGX", DGX).replaceFirst("^env_", "env "));
    }
    CliRun run = CliRun.of(words.toArray(String[]::new));
    String note = "topo: note: NCCL takes NCCL_MAX_NCHANNELS=0 for 1, expected 1 to 64\n";
    assertEquals(0, run.status(), run.err());
    assertEquals(isNoted ? note : "", run.err());
  }

  /** As on a machine that has no other ports; without effect where no port is used. */
  @ParameterizedTest
  @CsvSource({"--nodes 2, true", "--nodes 2 --env NCCL_NET=Socket, false", "--nodes 1, false"})
  void portsOutsideOfNcclIbHcaAreNotUsed(String job, boolean isUsed) {
    String call = " --collective all_reduce,alltoall --sizes 1G --format csv " + job;
    CliRun with = run("predict DGX --env NCCL_IB_HCA==mlx5_0" + call);
    assertEquals(0, with.status(), with.err());
    assertFalse(with.out().contains("NCCL_IB_HCA"), with.out());
    assertEquals(
        isUsed ? "" : "topo: note: NCCL_IB_HCA ignored: no effect on this answer\n", with.err());
    assertEquals(!isUsed, with.out().equals(run("predict DGX" + call).out()));
    CliRun none = run("predict DGX --env NCCL_IB_HCA=mlx4 --sizes 1G --nodes 2");
    assertEquals(3, none.status(), none.out());
    assertTrue(none.err().contains("NCCL_IB_HCA=mlx4 matches none of its ports"), none.err());
    assertEquals(1, none.err().lines().count(), none.err());
  }

  @ParameterizedTest
  @CsvSource({
    "predict DGX --nodes 2 --sizes 1G --env NCCL_IB_DISABLE=1, NCCL_IB_DISABLE=1",
    "search DGX --nodes 2 --env NCCL_NET=Socket --env NCCL_IB_TC=1, 'NCCL_IB_TC=1, NCCL_NET=Socket'",
    "show DGX --env NCCL_IB_DISABLE=1, NCCL_IB_DISABLE=1",
    "paths DGX --env NCCL_SOCKET_IFNAME=eth0, NCCL_SOCKET_IFNAME=eth0",
    "whatif DGX env_NCCL_IB_DISABLE=1 --nodes 2, NCCL_IB_DISABLE=1",
    "predict DGX --sizes 1M --env NCCL_CUMEM_ENABLE=0, NCCL_CUMEM_ENABLE=0",
  })
  void settingsThatAreNotModelledMarkTheAnswer(String line, String subject) {
    List<String> words = new ArrayList<>();
    for (String word : line.split(" ")) {
      words.add(word.replace("DGX", DGX).replaceFirst("^env_", "env "));
    }
    CliRun run = CliRun.of(words.toArray(String[]::new));
    assertTrue(run.out().contains("\nnot modelled: setting: " + subject + ": "), run.out());
    assertFalse(run.err().contains("ignored"), run.err());
  }

  @ParameterizedTest
  @CsvSource({
    "predict DGX --sizes 1M --env NCCL_DEBUG=INFO, NCCL_DEBUG ignored: no effect on what topo models",
    "predict DGX --sizes 1M --env NCCL_IB_DISABLE=1, NCCL_IB_DISABLE ignored: no effect on this answer",
    "predict DGX --nodes 2 --sizes 1M --env NCCL_IB_DISABLE=0, NCCL_IB_DISABLE ignored: no effect on this answer",
  })
  void settingsWithoutEffectAreANote(String line, String note) {
    CliRun run = run(line);
    assertFalse(run.out().contains("not modelled"), run.out());
    assertEquals("topo: note: " + note + "\n", run.err());
  }

  @Test
  void aGuestIsNotKnownToHaveGpuDirect() throws IOException {
    String listing = ROOT.resolve("examples/vm.lspci").toString();
    CliRun text = run("guest DGX --format text --guest", listing);
    assertTrue(
        text.out().contains("\nnot modelled: guest-gpudirect: guest of dgx-h100: "), text.out());
    JsonNode json =
        new JsonMapper().readTree(run("guest DGX --format json --guest", listing).out());
    assertTrue(json.get("caveats").get(0).asString().startsWith("guest-gpudirect: "));
    CliRun xml = run("guest DGX --guest", listing);
    assertFalse(xml.out().contains("caveat"), xml.out());
    assertTrue(xml.err().contains("caveat: guest-gpudirect: "), xml.err());
    String whatif = run("whatif DGX --nodes 2", "gpu:*.gdr=0").out();
    assertTrue(whatif.contains("\nnot modelled: no-gpudirect: dgx-h100: "), whatif);
  }
}
