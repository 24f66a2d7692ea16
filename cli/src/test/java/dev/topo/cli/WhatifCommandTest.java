package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.NotRun;
import dev.topo.model.fixture.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  private static double ring(JsonNode outcome) {
    return outcome.get("ringGBps").asDouble();
  }

  private static int ringChannels(JsonNode outcome) {
    return outcome.get("graphs").get(0).get("nChannels").asInt();
  }

  private static String text(String... edits) {
    List<String> all = new ArrayList<>(List.of(DGX_H100));
    all.addAll(List.of(edits));
    CliRun run = whatif(all.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  @Test
  void eachSourceOfBusbwHasASignOfItsOwn() {
    String text = text("gpu:0.sm=100", "--collective", "all_reduce");
    assertTrue(text.contains("378.7**  NVLS/Simple 24 ch 432.2*  two models\n"), text);
    assertTrue(text.contains("\n* NVLS, Ring: busbw by NCCL's own tuning model"), text);
    assertTrue(text.contains("\n** NVLS: busbw by published measurements"), text);
    assertTrue(
        text.contains("\nbusbw by calibration h200-nvswitch (90 of 100 within 12 to 30 %)\n"),
        text);
  }

  @Test
  void anEditOfPortsOnOneNodePointsToAJobOfTwo() {
    String hint = "a job of one node does not use network ports: --nodes 2 shows";
    assertTrue(text("remove net:mlx5_3", "--sizes", "1M").contains(hint));
    assertFalse(text("remove net:mlx5_3", "--sizes", "1M", "--nodes", "2").contains(hint));
    assertFalse(text("remove gpu:3", "--sizes", "1M").contains(hint));
  }

  @Test
  void aJobOfFewerRanksIsSaidToBeOne() {
    String text = text("remove gpu:3", "--sizes", "1M");
    assertTrue(text.startsWith("dgx-h100: 8 ranks on 1 node\n"), text);
    assertTrue(text.contains("\nwhat if remove gpu:3 (7 ranks on 1 node)\n"), text);
  }

  /** NVIDIA/nccl#1303: what topology files of a virtual machine make of dual-port cards. */
  @Test
  void aPortAsFastAsItsSlotLeavesTheOtherIdle() {
    JsonNode tree =
        json(
            machine("hgx-h100-dualport"),
            "--nodes",
            "2",
            "--given",
            "net:*.link_speed=16.0 GT/s PCIe",
            "--edits",
            ROOT.resolve("examples/h100-vm.edits").toString());
    JsonNode before = tree.get("before");
    JsonNode half = tree.get("variants").get(0);
    JsonNode noGdr = tree.get("variants").get(1);
    assertEquals(8, ringChannels(before));
    assertEquals(16, ringChannels(half));
    assertEquals(192, ring(before));
    assertEquals(192, ring(half));
    assertTrue(ring(noGdr) < 192);
    assertEquals(4, noGdr.get("rank").asInt());
    assertTrue(
        noGdr.get("pathChanges").get(0).get("before").get("gdr").asBoolean()
            && !noGdr.get("pathChanges").get(0).get("after").get("gdr").asBoolean());
  }

  /** NVIDIA/nccl#439: one ring instead of two, 24 GB/s instead of 48. */
  @Test
  void twoCardsBehindOneLinkAreOneRing() {
    JsonNode tree =
        json(
            machine("dgx-a100"),
            "--gpus",
            "2,3",
            "--nodes",
            "2",
            "--given",
            "remove net:mlx5_0 net:mlx5_1 net:mlx5_4 net:mlx5_5 net:mlx5_6 net:mlx5_7",
            "add switch:0000:f0:00.0 to switch:0000:20:00.0",
            "move net:mlx5_2 net:mlx5_3 to switch:0000:f0:00.0");
    assertEquals(2, ringChannels(tree.get("before")));
    assertEquals(48, ring(tree.get("before")));
    assertEquals(1, ringChannels(tree.get("variants").get(0)));
    assertEquals(24, ring(tree.get("variants").get(0)));
  }

  /** NVIDIA/nccl#412: what more NICs bring, before they are bought. */
  @Test
  void cardsAddUpWithNvlinkAndNotWithout() {
    String four =
        "add net:mlx5_1 to switch:0000:18:00.0; add net:mlx5_2 to switch:0000:20:00.0;"
            + " add net:mlx5_3 to switch:0000:28:00.0";
    JsonNode tree = json(machine("hgx-a100-1nic"), four, "--nodes", "2");
    assertEquals(24, ring(tree.get("before")));
    assertEquals(96, ring(tree.get("variants").get(0)));
    tree =
        json(
            machine("l40s-8-switched"),
            "add net:mlx5_2 to switch:0000:18:00.0; add net:mlx5_3 to switch:0000:28:00.0",
            "--nodes",
            "2");
    assertEquals(ring(tree.get("before")), ring(tree.get("variants").get(0)));
  }

  /** NVIDIA/nccl#2441: the family of an AMD CPU means nothing to NCCL. */
  @Test
  void theFamilyOfAnAmdCpuChangesNothing() {
    JsonNode tree = json(machine("l40s-4"), "cpu:*.familyid=25", "--nodes", "2");
    JsonNode before = tree.get("before");
    JsonNode after = tree.get("variants").get(0);
    assertEquals(0, after.get("pathChanges").size());
    assertEquals(before.get("graphs"), after.get("graphs"));
    assertEquals(before.get("calls"), after.get("calls"));
    assertEquals(1, after.get("rank").asInt());
    JsonNode other = json(machine("l40s-4"), "cpu:* as intel-skylake", "--nodes", "2");
    assertTrue(other.get("variants").get(0).get("pathChanges").size() > 0);
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
  void aDeclaredMachineHasAsManyGpus(int there, int told, String nodes) {
    String four = ROOT.resolve("src/test/resources/measured/h200-x4.topo.xml").toString();
    String machine = there == 8 ? DGX_H100 : four;
    String declared = there == 8 ? four : DGX_H100;
    List<String> args = new ArrayList<>(List.of(machine, "env NCCL_TOPO_FILE=" + declared));
    args.addAll(nodes == null ? List.of() : List.of(nodes.split(" ")));
    CliRun run = whatif(args.toArray(String[]::new));
    assertEquals(3, run.status(), run.out());
    assertEquals("", run.out());
    assertEquals(
        "topo: "
            + machine
            + ": "
            + there
            + " GPUs, but the declared machine ("
            + declared
            + ") has "
            + told
            + ": expected as many\n",
        run.err());
    String[] some = {"--gpus", "0-3", "--sizes", "1G", "--collective", "all_reduce"};
    List<String> selected = new ArrayList<>(List.of(machine, "env NCCL_TOPO_FILE=" + declared));
    selected.addAll(List.of(some));
    assertEquals(0, whatif(selected.toArray(String[]::new)).status());
  }

  /** Measured on four H200: 157 and 64 GB/s instead of 355. */
  @Test
  void aDeclaredMachineIsTimedOnTheOneThatIsThere() {
    Path measured = ROOT.resolve("src/test/resources/measured");
    JsonNode tree =
        json(
            measured.resolve("h200-x4.topo.xml").toString(),
            "--env",
            "NCCL_NVLS_ENABLE=0",
            "--collective",
            "all_reduce",
            "--sizes",
            "1G",
            "--variant",
            "chain: env NCCL_TOPO_FILE=" + measured.resolve("declared-chain.topo.xml"),
            "--variant",
            "pairs: env NCCL_TOPO_FILE=" + measured.resolve("declared-pairs2s.topo.xml"));
    assertEquals(355, tree.get("before").get("busbwGBps").asDouble(), 35.5);
    assertEquals(157, tree.get("variants").get(0).get("busbwGBps").asDouble(), 15.7);
    assertEquals(64, tree.get("variants").get(1).get("busbwGBps").asDouble(), 6.4);
    assertEquals(
        "calibration", tree.get("variants").get(0).get("calls").get(0).get("source").asString());
  }

  /** There the data's links are not looked at, and NCCL's model knows only what it is told. */
  @Test
  void betweenNodesADeclaredMachineIsSaidToBeAllThatCounts() {
    String declared = "env NCCL_TOPO_FILE=" + machine("dgx-a100");
    CliRun run = whatif(DGX_H100, declared, "--sizes", "1G", "--nodes", "2");
    assertEquals(0, run.status());
    assertTrue(run.err().startsWith("topo: note: no calibration between nodes"), run.err());
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
  void placementsAreThoseOfTheJobThatIsAskedFor() {
    assertEquals(
        "dgx-h100",
        json(DGX_H100, "--all-placements", "--max-placements", "2", "--nodes", "1")
            .get("job")
            .get("machines")
            .asString());
  }

  /** Symmetry leaves 16 of the 1,107 placements to search: one of each kind is in the answer. */
  @Test
  void everyPlacementOfEightCardsIsTriedEqualOnesOnce() {
    JsonNode tree = json(DGX_H100, "--all-placements");
    assertEquals("dgx-h100 x 2", tree.get("job").get("machines").asString());
    assertEquals(1107, tree.get("nPlacements").asInt());
    JsonNode placements = tree.get("placements");
    assertEquals(16, placements.size());
    assertTrue(placements.get(0).get("present").asBoolean());
    assertEquals(384, ring(placements.get(0)));
    double last = Double.POSITIVE_INFINITY;
    for (JsonNode placement : placements) {
      assertTrue(ring(placement) <= last);
      last = ring(placement);
      int cards = 0;
      for (JsonNode load : placement.get("loads")) {
        cards += load.get("cards").asInt();
      }
      assertEquals(8, cards);
    }
  }

  /** NCCL lays fewer than 16 channels twice as often, and two slow ports get a ring each. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dgx-h100|4|64M|remove net:mlx5_7|NCCL uses 28 channels instead of 16 by rules of its own: it finds 7 rings on a node instead of 8; every ring and tree that all nodes have is laid twice, with two trees that mirror each other; twice that, for rings above 45 GB/s on several nodes of sm 90 with fewer than 16",
        "dgx-h100|16|256M|remove net:mlx5_7|NCCL uses 28 channels instead of 16 by rules of its own: it finds 7 rings",
        "l40s-8-switched|2|256M|net:*.speed=100000|NCCL uses 4 channels instead of 2 by rules of its own: it finds 2 rings on a node instead of 1; every ring",
      })
  void lessNetworkThatIsFasterHasTheReason(
      String machine, String nodes, String size, String edit, String reason) {
    String[] question = {
      machine(machine), edit, "--nodes", nodes, "--collective=all_gather", "--sizes", size
    };
    String text = whatif(question).out();
    assertTrue(text.contains(" is faster as " + reason), text);
    JsonNode variant = json(question).get("variants").get(0);
    assertTrue(variant.get("gainReason").asString().contains(reason), variant.toString());
    String[] several = question.clone();
    several[1] = "--variant=a: " + edit;
    String[] ranked = Arrays.copyOf(several, several.length + 1);
    ranked[several.length] = "--variant=b: " + edit;
    assertTrue(whatif(ranked).out().contains(" is faster as " + reason), edit);
    question[1] = "net:*.latency=1";
    assertFalse(whatif(question).out().contains(" is faster as "), edit);
  }

  /** The last column is what placements are ranked by, in the digits that are shown. */
  @Test
  void placementsAreRankedByWhatIsShown() {
    JsonNode placements = json(machine("pcie-6-uneven"), "--all-placements").get("placements");
    assertEquals(9, placements.size());
    double last = Double.POSITIVE_INFINITY;
    int place = 0;
    for (JsonNode placement : placements) {
      double busbw = placement.get("busbwGBps").asDouble();
      assertTrue(busbw < last * 1.0001, placements.toString());
      assertTrue(placement.get("rank").asInt() >= place, placements.toString());
      last = busbw;
      place = placement.get("rank").asInt();
    }
    String[] byRings = {machine("pcie-6-uneven"), "--all-placements", "--ranked-by=bandwidth"};
    assertTrue(whatif(byRings).out().contains("; by bandwidth between nodes"));
  }

  @Test
  void fewerPlacementsThanThereAreAreSaidToBe() {
    String[] question = {DGX_H100, "--all-placements", "--max-placements", "3", "--top", "2"};
    String text = whatif(question).out();
    assertTrue(
        text.contains(
            "1107 placements, 16 with equal ones counted once;\n"
                + "tried the 3 of 16 that move the fewest cards (--max-placements); by busbw"),
        text);
    assertTrue(text.contains("(3 tried, --top shows more)"), text);
    assertTrue(text.contains("none that was tried is better than the machine as it is"), text);
    JsonNode tree = json(question);
    assertEquals(3, tree.get("nTried").asInt());
    assertEquals(16, tree.get("nDifferent").asInt());
    assertEquals(1107, tree.get("nPlacements").asInt());
    assertEquals(3, tree.get("placements").size());
    for (JsonNode placement : tree.get("placements")) {
      assertTrue(placement.get("movedCards").asInt() <= 1);
    }
  }

  @Test
  void placementsThatAreTooManyToCountAreMoreThanANumber() {
    List<String> args = new ArrayList<>(List.of(DGX_H100, "--all-placements"));
    args.addAll(List.of("--max-placements", "2", "--per-switch", "8"));
    for (int card = 0; card < 8; card++) {
      args.add("net:mlx5_" + card + ".latency=" + card);
    }
    String text = whatif(args.toArray(String[]::new)).out();
    assertTrue(
        text.contains(
            "more than 20000 placements with equal ones counted once;\n"
                + "tried the 2 of more than 20000 that move the fewest cards"),
        text);
    if (!Thorough.isOn()) {
      NotRun.print("JSON of more placements than are counted" + Thorough.HOW);
      return;
    }
    JsonNode tree = json(args.toArray(String[]::new));
    assertTrue(tree.get("nDifferent").isNull());
    assertTrue(tree.get("nPlacements").isNull());
    assertEquals(20000, tree.get("nDifferentMoreThan").asInt());
    assertEquals(2, tree.get("nTried").asInt());
  }

  @Test
  void callsThatNcclRefusesAreNotAsBefore() {
    String text =
        whatif(
                DGX_H100,
                "remove net:mlx5_0",
                "--nodes=2",
                "--env=NCCL_ALGO=Tree",
                "--collective=all_reduce,broadcast",
                "--sizes=1M")
            .out();
    assertTrue(
        text.contains("\nNCCL refuses the call: no algorithm and protocol is left for"), text);
    assertTrue(text.contains("\nrefused before and after: 1 of 2 calls\n"), text);
    assertFalse(text.contains("as before: 2 of 2"), text);
  }

  @Test
  void everyRowOfPlacementsReadsDifferently() {
    String[] question = {machine("l40s-8-switched"), "net:0.speed=100000", "--all-placements"};
    String text = whatif(question).out();
    List<String> rows =
        text.lines()
            .filter(line -> line.matches("\\d+  .* GB/s .*"))
            .map(line -> line.split("  ")[1])
            .toList();
    assertEquals(json(question).get("placements").size(), rows.size(), text);
    assertEquals(rows.size(), rows.stream().distinct().count(), text);
    assertTrue(text.contains("cards: a = "), text);
    JsonNode loads = json(question).get("placements").get(0).get("loads");
    int named = 0;
    for (JsonNode load : loads) {
      assertEquals(load.get("cards").asInt(), load.get("nics").size());
      named += load.get("nics").size();
    }
    assertEquals(2, named);
  }

  @Test
  void theEditsOfAPlacementLeadToIt() {
    String[] crowded = {
      "move nic:mlx5_1 to switch:0000:10:00.0; move nic:mlx5_3 to switch:0000:20:00.0",
    };
    CliRun run = whatif(DGX_H100, crowded[0], "--all-placements", "--top", "1");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("edits for the first placement\n  move nic:"), run.out());
    JsonNode best = json(DGX_H100, crowded[0], "--all-placements").get("placements").get(0);
    List<String> args = new ArrayList<>(List.of(DGX_H100, "--nodes", "2", "--given", crowded[0]));
    best.get("edits").forEach(edit -> args.add(edit.asString()));
    JsonNode tree = json(args.toArray(String[]::new));
    assertTrue(ring(tree.get("before")) < 384);
    assertEquals(384, ring(tree.get("variants").get(0)));
  }

  @Test
  void variantsAreRankedByWhatIsAskedFor() {
    String[] question = {
      machine("hgx-h100-dualport"),
      "--nodes",
      "2",
      "--variant",
      "slow: net:*.speed=50000",
      "--variant",
      "few: env NCCL_MAX_NCHANNELS=4",
      "--ranked-by"
    };
    JsonNode tree = json(append(question, "channels"));
    assertEquals(3, tree.get("variants").get(1).get("rank").asInt());
    assertEquals("channels", tree.get("rankedBy").asString());
    tree = json(append(question, "bandwidth"));
    assertEquals(3, tree.get("variants").get(0).get("rank").asInt());
  }

  private static String[] append(String[] words, String word) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add(word);
    return all.toArray(String[]::new);
  }

  @Test
  void oneBadNodeCostsTheWholeJob() {
    String[] edit = {
      DGX_H100, "net:mlx5_*.link_width=8", "--nodes", "4", "--collective", "all_reduce"
    };
    JsonNode all = json(edit);
    JsonNode one = json(append(append(edit, "--edited-nodes"), "1"));
    assertEquals(ring(all.get("variants").get(0)), ring(one.get("variants").get(0)));
    assertTrue(ring(one.get("variants").get(0)) < ring(one.get("before")));
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
  void numbersOfTwoModelsAreNotHeldAgainstEachOther() {
    CliRun run =
        whatif(DGX_H100, "nvlink:3.count=9", "--collective", "all_reduce", "--sizes", "1M");
    assertTrue(
        run.out().lines().anyMatch(line -> line.matches("  AllReduce .* -[0-9.]+ %")), run.out());
    assertFalse(run.out().contains("two models"), run.out());
    assertTrue(run.out().contains("busbw by calibration h200-nvswitch"), run.out());
    assertTrue(run.out().contains("* NVLS: busbw by published measurements"), run.out());
    CliRun ranked =
        whatif(DGX_H100, "env NCCL_ALGO=NVLS", "--collective", "all_gather", "--sizes", "1G");
    assertTrue(ranked.out().contains("two models"), ranked.out());
    JsonNode mesh = json(machine("dgx-1v"), "gpu:3.link_width=8", "--sizes", "1G");
    assertTrue(mesh.get("before").get("calibration").isNull());
    assertFalse(run.out().contains("NCCL's own tuning model"), run.out());
    assertEquals("nccl-model", mesh.get("before").get("calls").get(0).get("source").asString());
  }

  @Test
  void theSameQuestionGivesTheSameBytesAndVerboseShowsAllCalls() {
    String[] question = {DGX_H100, "remove net:mlx5_3", "--nodes", "2"};
    assertEquals(whatif(question).out(), whatif(question).out());
    assertTrue(whatif(question).out().contains("as before"));
    String all = whatif(append(question, "-v")).out();
    assertEquals(20, all.lines().filter(line -> line.matches(".* ch .* ch .*")).count(), all);
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
  void footnotesNameWhatIsShownOnly() {
    String[] question = {
      machine("l40s-4"), "cpu:* as intel-sapphire-rapids", "--nodes", "2", "--sizes", "1M,1G"
    };
    String shown = whatif(append(append(question, "--collective"), "all_reduce")).out();
    assertTrue(shown.contains(": busbw by the model of the network"), shown);
    String none = whatif(machine("l40s-4"), "cpu:*.familyid=25", "--nodes", "2").out();
    assertTrue(none.contains("20 of 20 calls\n\nbusbw by the model of the network"), none);
    assertFalse(none.replace("cpu:*", "").contains("*"), none);
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
      "whatif",
      ROOT.resolve("src/test/resources/measured/h200-x4.topo.xml").toString(),
      "env NCCL_ALGO=Ring",
      "--env",
      "NCCL_NVLS_ENABLE=0",
      "--calibration"
    };
    String shipped = CliRun.of(append(call, "h200-nvswitch")).out();
    assertTrue(shipped.contains("busbw by calibration h200-nvswitch"), shipped);
    String none = CliRun.of(append(call, "none")).out();
    assertTrue(none.contains("busbw by NCCL's own tuning model"), none);
    assertEquals(2, CliRun.of(append(call, "mine")).status());
  }
}
