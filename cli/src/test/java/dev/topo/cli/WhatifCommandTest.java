package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo whatif} answers, among others to questions that users have asked. */
class WhatifCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path TOPOLOGIES = ROOT.resolve("topologies");
  private static final String DGX_H100 = TOPOLOGIES.resolve("dgx-h100.xml").toString();

  @TempDir private Path folder;

  private static String machine(String name) {
    return TOPOLOGIES.resolve(name + ".xml").toString();
  }

  private static CliRun whatif(String... args) {
    List<String> all = new ArrayList<>(List.of("whatif"));
    all.addAll(List.of(args));
    return CliRun.of(all.toArray(String[]::new));
  }

  private static JsonNode json(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--format", "json"));
    CliRun run = whatif(all.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return JsonMapper.shared().readTree(run.out());
  }

  /** With a calibration, without one, and between nodes. */
  @ParameterizedTest
  @CsvSource({
    "dgx-h100,1,64M,calibration",
    "dgx-h100,1,1K,calibration",
    "dgx-1v,1,1K,nccl-model",
    "l40s-4,2,1M,network"
  })
  void timesAreThoseOfPredict(String name, String nodes, String size, String source) {
    List<String> call =
        List.of(
            "--nodes", nodes, "--sizes", size, "--collective", "all_gather", "--format", "json");
    List<String> predict = new ArrayList<>(List.of("predict", machine(name)));
    predict.addAll(call);
    CliRun run = CliRun.of(predict.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    JsonNode told = JsonMapper.shared().readTree(run.out()).get("predictions").get(0);
    List<String> whatif = new ArrayList<>(List.of(machine(name), "env NCCL_PXN_DISABLE=1"));
    whatif.addAll(call.subList(0, call.size() - 2));
    JsonNode before = json(whatif.toArray(String[]::new)).get("before").get("calls").get(0);
    assertEquals(source, told.get("source").asString());
    for (String key : List.of("algorithm", "protocol", "channels", "source")) {
      assertEquals(told.get(key), before.get(key), key);
    }
    for (String key : List.of("timeUs", "busbwGBps")) {
      assertEquals(1, before.get(key).asDouble() / told.get(key).asDouble(), 0.01, key);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8|4|",
        "4|8|",
        "4|8|--nodes 2",
      })
  void aDeclaredMachineHasTheGpusThatNcclDetects(int there, int told, String nodes) {
    String four = ROOT.resolve("src/test/resources/measured/h200-x4.topo.xml").toString();
    String machine = there == 8 ? DGX_H100 : four;
    String declared = there == 8 ? four : DGX_H100;
    List<String> args = new ArrayList<>(List.of(machine, "env NCCL_TOPO_FILE=" + declared));
    args.addAll(nodes == null ? List.of() : List.of(nodes.split(" ")));
    CliRun run = whatif(args.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    List<String> notes = run.err().lines().toList();
    assertTrue(
        notes.get(0).startsWith("topo: note: NCCL adds what it detects: " + there + " GPUs"));
    assertTrue(
        notes.get(1).startsWith("topo: note: NCCL removes what it does not detect: " + told));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"remove net:mlx5_3|0-99|rank 99: expected", "remove gpu:7|0-7|rank 7: expected"})
  void aSplitThatDoesNotFitHasOneLine(String edit, String split, String message) {
    CliRun run = whatif(DGX_H100, edit, "--split", split);
    assertEquals(2, run.status(), run.out());
    assertTrue(run.err().startsWith("topo: --split: " + message), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  /**
   * One GPU of each node loses its port: its rings lose a sixth, its times more by another path.
   */
  @Test
  void theCommunicatorThatChangesIsFirstAndAlikeOnesAreShownOnce() {
    CliRun run = whatif(DGX_H100, "remove net:mlx5_3", "--nodes", "4", "--split", "MOD 8", "-q");
    List<String> lines = run.out().lines().toList();
    assertEquals(3, lines.size(), run.out());
    assertTrue(
        lines.get(0).startsWith("communicator 3 ·")
            && lines.get(0).endsWith(", as GPUs reach NICs over PHB instead of PIX."),
        run.out());
    assertTrue(lines.get(1).startsWith("communicator 0 ·"), run.out());
    assertTrue(lines.get(2).startsWith("communicators 1-2,4-7: as communicator 0,"), run.out());
  }

  @Test
  void portsThatNcclIbHcaDoesNotListAreAsIfRemoved() {
    String[] job = {"--nodes", "2", "--collective", "all_reduce", "--sizes", "1G"};
    List<String> listed = new ArrayList<>(List.of(DGX_H100, "env NCCL_IB_HCA==mlx5_3"));
    String others =
        "remove net:mlx5_0 net:mlx5_1 net:mlx5_2 net:mlx5_4 net:mlx5_5 net:mlx5_6 net:mlx5_7";
    List<String> removed = new ArrayList<>(List.of(DGX_H100, others));
    List.of(listed, removed).forEach(args -> args.addAll(List.of(job)));
    JsonNode byList = json(listed.toArray(String[]::new)).get("variants").get(0).get("calls");
    JsonNode byEdit = json(removed.toArray(String[]::new)).get("variants").get(0).get("calls");
    assertEquals(byEdit, byList);
    assertTrue(byList.get(0).get("busbwGBps").asDouble() < 100, byList.toString());
  }

  /** There the data's links are not looked at, and NCCL's model knows only what it is told. */
  @Test
  void betweenNodesADeclaredMachineIsSaidToBeAllThatCounts() throws IOException {
    String slower = Files.readString(Path.of(DGX_H100)).replace("sm=\"90\"", "sm=\"80\"");
    Path file = Files.writeString(folder.resolve("declared.xml"), slower);
    String declared = "env NCCL_TOPO_FILE=" + file;
    CliRun run = whatif(DGX_H100, declared, "--sizes", "1G", "--nodes", "2", "-v");
    assertEquals(0, run.status());
    assertTrue(
        run.err().startsWith("topo: note: between nodes busbw is that of the declared machine"),
        run.err());
    assertTrue(run.out().contains("\ndeclared:       8 GPUs (sm 80)"), run.out());
    assertEquals("", whatif(DGX_H100, declared, "--sizes", "1G").err());
  }

  @Test
  void aFileWithoutEditsIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("none.edits"), "# later\n");
    CliRun run = whatif(DGX_H100, "--edits", file.toString());
    assertEquals(3, run.status());
    assertTrue(run.err().startsWith("topo: " + file + ": has no edit, expected one"), run.err());
  }

  @Test
  void settingsAreThoseOfAllNodes() {
    String[] some = {DGX_H100, "--nodes", "2", "--edited-nodes", "1", "--sizes", "1G"};
    List<String> args = new ArrayList<>(List.of(some));
    args.add("env NCCL_CROSS_NIC=1");
    assertEquals(
        "topo: note: --edited-nodes is for the machine: settings apply to all nodes\n",
        whatif(args.toArray(String[]::new)).err());
    args.set(args.size() - 1, "remove net:mlx5_3");
    assertEquals("", whatif(args.toArray(String[]::new)).err());
  }

  @Test
  void whatIsGivenIsBeforeAllVariants() {
    JsonNode edited = json(DGX_H100, "--nodes=2", "remove net:mlx5_3").get("variants").get(0);
    JsonNode given = json(DGX_H100, "--nodes=2", "--given=remove net:mlx5_3", "remove net:mlx5_4");
    assertEquals(edited.get("graphs"), given.get("before").get("graphs"));
  }

  @Test
  void placementsAreThoseOfTheJobThatIsAskedFor() {
    assertEquals(
        "dgx-h100",
        json(DGX_H100, "--all-placements", "--max-placements", "2", "--nodes", "1")
            .get("job")
            .get("machines")
            .asString());
  }

  @Test
  void topIsTheNumberOfRows() {
    String[] question = {DGX_H100, "--all-placements", "--max-placements", "3", "--top", "2"};
    String text = whatif(question).out();
    assertTrue(text.contains("tried the 3 of 16"), text);
    assertTrue(whatif(append(question, "-v")).out().contains("(1 more rows, --top shows more)"));
    assertEquals(3, json(question).get("placements").size());
  }

  @Test
  void variantsAreRankedByWhatIsAskedFor() {
    String[] question = {
      machine("hgx-h100-dualport"), "--nodes=2", "env NCCL_MAX_NCHANNELS=4", "--ranked-by"
    };
    assertEquals("channels", json(append(question, "channels")).get("rankedBy").asString());
    assertEquals("bandwidth", json(append(question, "bandwidth")).get("rankedBy").asString());
    String[] placements = {
      machine("hgx-h200-4nic"), "--all-placements", "--max-placements=2", "--ranked-by=bandwidth"
    };
    assertTrue(whatif(append(placements, "-v")).out().contains("; by bandwidth between nodes"));
  }

  private static String[] append(String[] words, String word) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add(word);
    return all.toArray(String[]::new);
  }

  @Test
  void theOtherNodesMayBeOtherMachines() {
    JsonNode mixed =
        json(
            DGX_H100,
            "remove net:mlx5_3",
            "--node",
            DGX_H100 + "*2",
            "--node",
            machine("dgx-a100"));
    assertEquals("dgx-h100 x 2 + dgx-a100", mixed.get("job").get("machines").asString());
  }

  @Test
  void theSameQuestionGivesTheSameBytesAndVerboseShowsMore() {
    String[] question = {DGX_H100, "remove net:mlx5_3", "--nodes", "2"};
    String brief = whatif(question).out();
    assertEquals(brief, whatif(question).out());
    assertTrue(whatif(append(question, "-v")).out().lines().count() > brief.lines().count());
  }

  @Test
  void editsComeFromAFileToo() throws IOException {
    Path edits = folder.resolve("more.edits");
    Files.writeString(
        edits, "remove net:mlx5_0 # the first\n[two]\nremove net:mlx5_0\nremove net:mlx5_1\n");
    JsonNode tree = json(DGX_H100, "--edits", edits.toString(), "--nodes", "2");
    assertEquals("remove net:mlx5_0", tree.get("variants").get(0).get("name").asString());
    assertEquals(2, tree.get("variants").get(1).get("edits").size());
    Files.writeString(edits, "remove net:mlx5_0\n\n  remove net:mlx5_77\n");
    CliRun run = whatif(DGX_H100, "--edits", edits.toString());
    assertEquals(3, run.status());
    assertTrue(
        run.err().startsWith("topo: " + edits + ":3:10: the machine has no net:mlx5_77"),
        run.err());
    assertEquals(3, whatif(DGX_H100, "--edits", folder.resolve("none").toString()).status());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2|expected an EDIT, as in 'remove net:mlx5_3', or --all-placements|",
        "2|--variant 'x': expected NAME: EDIT; …|--variant|x",
        "2|two variants are called 'a'|--variant|a: remove net:0|--variant|a: remove net:1",
        "2|--edited-nodes 0: expected 1 to 1|remove net:0|--edited-nodes|0",
        "2|--per-switch 0: expected a number from 1 to 64|--all-placements|--per-switch|0",
        "2|9 network cards do not fit into 7 places of 1 each|move nic:0 to switch:0000:18:00.0; remove switch:0000:10:00.0; add net:x to switch:0000:18:00.0|--all-placements|--per-switch|1",
        "2|setting 'NCCL_CROS_NIC' is not one of NCCL 2.28.9|env NCCL_CROS_NIC=1",
        "2|edit 1:1:5: setting 'NCCL_CROS_NIC' is not one of NCCL 2.28.9|env NCCL_CROS_NIC=1",
        "2|edit 2:1:5: setting NCCL_CROSS_NIC=x: expected 0 never|remove net:0|env NCCL_CROSS_NIC=x",
        "2|edit 1:1:5: setting NCCL_ALGO=Foo: element 'Foo', expected [Tree|env NCCL_ALGO=Foo",
        "2|--given 1:1:5: setting NCCL_PROTO=zz|--given|env NCCL_PROTO=zz|remove net:0",
        "2|variant a:1:19: setting NCCL_CROSS_NIC=x|--variant|a: remove net:0; env NCCL_CROSS_NIC=x",
        "3|edit 1:1:8: the machine has no gpu:9|remove gpu:9",
        "3|edit 1:1:8: the machine has no nvlink:0-3, expected nvlink: with one of 0, 1, 2, 3, 4, 5, 6, 7 (its NVLinks lead to switches, none to a GPU)|remove nvlink:0-3",
        "3|dgx-h100.xml:52:3: <cpu>: attribute numaid makes a second CPU 0-1, expected|cpu:0.numaid=1",
        "3|edit 1:1:1: <cpu>: attribute numaid makes a second CPU 0-0, expected a value|cpu:1.numaid=0",
        "3|edit 2:1:1: since then|remove net:0|gpu:0.rank=1",
        "3|<gpu>: attribute rank=\"1\" is also that of the gpu at edit 2:1:1|remove net:0|gpu:0.rank=1",
        "3|edit 2:1:1: since then|gpu:0.sm=90|remove gpu:*|net:0.speed=1000",
        "3|edit 2:1:1: 'drop': expected remove|remove gpu:7|drop gpu:6",
        "3|edit 1:1:1: <net>: attribute speed=\"fast\"|net:0.speed=fast",
        "3|has no gpu, expected at least one|remove gpu:*",
        "3|<system>: has no network card to place|remove net:*|--all-placements",
        "3|no such file|machine none.xml"
      })
  void whatIsWrongIsSaidInOneLine(ArgumentsAccessor question) {
    int status = question.getInteger(0);
    String message = question.getString(1);
    List<String> args = new ArrayList<>(List.of(DGX_H100));
    for (Object arg : question.toList().subList(2, question.size())) {
      if (arg != null) {
        args.add(arg.toString());
      }
    }
    CliRun run = whatif(args.toArray(String[]::new));
    assertEquals(status, run.status(), run.err());
    assertEquals("", run.out());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void partsMayChangePlaces() {
    CliRun run = whatif(DGX_H100, "gpu:0.rank=1; gpu:1.rank=0; cpu:0.numaid=7");
    assertEquals(0, run.status(), run.err());
    CliRun mesh = whatif(machine("dgx-1v"), "remove nvlink:0-7");
    assertEquals(3, mesh.status());
    assertTrue(mesh.err().contains("with one of 0, 1, 2, 3, 4, 5, 6, 7, 0-1, 0-2,"), mesh.err());
  }

  @Test
  void aSettingOfAFileIsNamedByItsPlace() throws IOException {
    Path edits = folder.resolve("env.edits");
    Files.writeString(edits, "remove net:mlx5_0\n[two]\n  env NCCL_ALGO=Foo\n");
    CliRun run = whatif(DGX_H100, "--edits", edits.toString());
    assertEquals(3, run.status());
    assertTrue(run.err().startsWith("topo: " + edits + ":3:7: setting NCCL_ALGO=Foo"), run.err());
  }

  @Test
  void settingsWithoutInfluenceAreNamed() {
    CliRun run = whatif(DGX_H100, "env NCCL_DEBUG=INFO");
    assertEquals(0, run.status());
    assertTrue(run.err().contains("NCCL_DEBUG ignored: no effect"), run.err());
    assertFalse(whatif(DGX_H100, "env NCCL_ALGO=Ring").err().contains("influence"));
  }

  @Test
  void theCalibrationCanBeNamed() {
    String[] call = {
      ROOT.resolve("src/test/resources/measured/h200-x4.topo.xml").toString(),
      "env NCCL_ALGO=Ring",
      "--env",
      "NCCL_NVLS_ENABLE=0",
      "--calibration"
    };
    String shipped = whatif(append(call, "h200-nvswitch")).out();
    assertTrue(shipped.contains("rests on: constants fitted to times of such machines"), shipped);
    String none = whatif(append(call, "none")).out();
    assertTrue(none.contains("rests on: NCCL's own model for Ring"), none);
    assertEquals(2, whatif(append(call, "mine")).status());
  }

  /**
   * 16 lanes of PCIe 4.0 carry 28.6 GB/s, 8 of PCIe 5.0 as much: a card of 50 GB/s, or two ports of
   * 25 GB/s on one, send no more; half as many channels cost the two ports some more.
   */
  @ParameterizedTest
  @CsvSource({
    "hgx-a100-1nic, net:mlx5_0.speed=400000, 1.145",
    "hgx-h100-dualport, net:*.link_width=8, 0.53"
  })
  void thePciLinkOfACardLimitsItsPorts(String machine, String edit, double expected) {
    JsonNode answer =
        json(
            machine(machine),
            edit,
            "--nodes=2",
            "--env=NCCL_ALGO=Ring",
            "--collective=all_reduce",
            "--sizes=1G");
    List<Double> busbw = answer.findValues("busbwGBps").stream().map(JsonNode::asDouble).toList();
    assertEquals(expected, busbw.get(busbw.size() - 1) / busbw.get(0), 0.03 * expected);
  }

  /** The message has the edits by which the same call, with its other options, compares. */
  @Test
  void settingsWithoutAnEditAreAnsweredByTheEditsThatCompare() {
    CliRun refused = whatif(DGX_H100, "--nodes=4", "--env=NCCL_ALGO=Ring", "--nccl=2.30.7");
    assertEquals(ExitStatus.USAGE, refused.status());
    List<String> edits =
        Pattern.compile("'([^']+)'")
            .matcher(refused.err())
            .results()
            .map(one -> one.group(1))
            .toList();
    assertEquals(List.of("env NCCL_ALGO=Ring", "nccl 2.30.7"), edits, refused.err());
    assertTrue(refused.err().contains("replace them by "), refused.err());
    List<String> call = new ArrayList<>(List.of(DGX_H100, "--nodes=4", "-q"));
    call.addAll(edits);
    CliRun compared = whatif(call.toArray(String[]::new));
    assertEquals(ExitStatus.DONE, compared.status(), compared.err());
    assertTrue(
        compared.out().startsWith("dgx-h100 x 4 with NCCL_ALGO=Ring, NCCL 2.30.7: "),
        compared.out());
  }
}
