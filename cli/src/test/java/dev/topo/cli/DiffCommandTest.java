package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.inspect.difference.FleetFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code topo diff} prints. */
class DiffCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path DGX_H100 = ROOT.resolve("topologies/dgx-h100.xml");
  private static final Path DGX_A100 = ROOT.resolve("topologies/dgx-a100.xml");
  private static final int FLEET = 1000;

  @TempDir private Path folder;

  private Path edited(Path of, String from, String to) throws IOException {
    String text = Files.readString(of);
    assertTrue(text.contains(from), from);
    return Files.writeString(folder.resolve("edited.xml"), text.replace(from, to));
  }

  private static JsonNode json(int status, String... args) {
    CliRun run = CliRun.of(args);
    assertEquals(status, run.status(), run.err());
    return JsonMapper.shared().readTree(run.out());
  }

  @Test
  void equalMachinesAreStatusNone() throws IOException {
    CliRun same = CliRun.of("diff", DGX_H100.toString(), DGX_H100.toString());
    assertEquals(0, same.status(), same.err());
    assertTrue(same.out().endsWith("\nequal machines\n"), same.out());
    Path renamed = edited(DGX_H100, "\"0000:", "\"0007:");
    CliRun run = CliRun.of("diff", DGX_H100.toString(), renamed.toString());
    assertEquals(0, run.status(), run.out() + run.err());
    assertTrue(run.out().endsWith("\nequal machines\n"), run.out());
  }

  /** The table states both ends of each change, the first line those beyond their ranges. */
  @Test
  void changesWithinTheirRangesAreInTheTableOnly() throws IOException {
    String text = Files.readString(DGX_H100);
    int name = text.indexOf("\"mlx5_3\"");
    int begin = text.lastIndexOf("\n", text.lastIndexOf("<pci", name));
    int end = text.indexOf("\n", text.indexOf("</pci>", name));
    Path fewer = edited(DGX_H100, text.substring(begin, end), "");
    CliRun run = CliRun.of("diff", DGX_H100.toString(), fewer.toString(), "--nodes", "2");
    String first = run.out().lines().findFirst().orElseThrow();
    assertTrue(first.endsWith("; busbw stays within its ranges."), first);
    assertTrue(run.out().contains("64 MiB: 220 → 260 GB/s (+18 %)"), run.out());
    assertTrue(run.out().contains("1 GiB: 340 → 310 GB/s (-10 %)"), run.out());
    assertTrue(run.out().contains("64 MiB: 258 → 274 GB/s (+6 %)"), run.out());
    assertFalse(run.out().contains(" before ("), run.out());
  }

  @Test
  void aSlowPortIsNamedWithItsPlaceAndWhatItChanges() throws IOException {
    Path slow =
        edited(
            DGX_H100,
            "dev=\"3\" latency=\"0\" speed=\"400000\"",
            "dev=\"3\" latency=\"0\" speed=\"200000\"");
    JsonNode tree =
        json(
            1,
            "diff",
            DGX_H100.toString(),
            slow.toString(),
            "--format",
            "json",
            "--collective",
            "alltoall",
            "--sizes",
            "1G");
    assertEquals(2, tree.get("job").get("nodes").asInt());
    assertEquals(16, tree.get("job").get("ranks").asInt());
    JsonNode difference = tree.get("differences").get(0);
    assertEquals(1, tree.get("differences").size());
    assertEquals("attribute", difference.get("kind").asString());
    assertEquals("NIC mlx5_3: speed 400000 → 200000", difference.get("sentence").asString());
    assertEquals(47, difference.get("places").get(0).get("a").get("line").asInt());
    JsonNode change = difference.get("change");
    assertEquals(change, tree.get("together"));
    assertEquals("bwInter", change.get("graphs").get(2).get("property").asString());
    assertEquals(1, change.get("busbw").size());
    assertTrue(
        change.get("busbw").get(0).get("afterGBps").asDouble()
            < change.get("busbw").get(0).get("beforeGBps").asDouble());
  }

  @Test
  void eachMachineHasItsOwnCalibration() {
    String b200 = ROOT.resolve("topologies/hgx-b200.xml").toString();
    String question = "--collective=all_reduce";
    CliRun run =
        CliRun.of("diff", "-v", DGX_H100.toString(), b200, question, "--sizes=1G", "--nodes=1");
    assertEquals(1, run.status(), run.err());
    assertTrue(
        run.out().contains("busbw by calibration h100-nvswitch and b200-nvswitch, of NVLS"),
        run.out());
    for (String machine : List.of(DGX_H100.toString(), b200)) {
      String sentence = CliRun.of("predict", machine, question, "--sizes=1G", "-q").out();
      String busbw = sentence.replaceFirst("(?s).*: ([0-9.]+) GB/s.*", "$1");
      assertTrue(run.out().contains(busbw), busbw + " in\n" + run.out());
    }
  }

  @Test
  void saysWhatBusbwRestsOn() {
    String dgx2 = ROOT.resolve("topologies/dgx-2.xml").toString();
    CliRun run =
        CliRun.of(
            "diff",
            DGX_H100.toString(),
            dgx2,
            "--collective=all_reduce",
            "--nodes=1",
            "--env=NCCL_NVLS_ENABLE=0",
            "-v");
    assertTrue(run.out().contains("GB/s (two models)"), run.out());
    assertTrue(
        run.out().contains("busbw by calibration h100-nvswitch, from NCCL's own model where"),
        run.out());
    assertTrue(
        run.out().lines().findFirst().orElseThrow().contains("as two models give it"), run.out());
    assertFalse(run.out().contains("NVLS by"), run.out());
    run = CliRun.of("diff", DGX_A100.toString(), DGX_H100.toString(), "--nodes", "1");
    assertTrue(
        run.out()
            .endsWith(
                "busbw by calibration a100-nvswitch and h100-nvswitch, of NVLS by published measurements\n"),
        run.out());
    run =
        CliRun.of(
            "diff",
            DGX_A100.toString(),
            DGX_H100.toString(),
            "--nodes=1",
            "--env=NCCL_ALGO=PAT",
            "--collective=all_reduce");
    assertFalse(run.out().lines().anyMatch(line -> line.startsWith("rests on: busbw")), run.out());
  }

  /** Thread 36: a user compared two dumps of an AMD machine by hand. */
  @Test
  void anotherCpuFamilyIsFoundAndChangesNothingThatNcclPlansByIt() throws IOException {
    Path other = edited(DGX_A100, "familyid=\"143\"", "familyid=\"25\"");
    CliRun run = CliRun.of("diff", DGX_A100.toString(), other.toString());
    assertEquals(1, run.status(), run.err());
    assertTrue(
        run.out()
            .contains(
                "cpu 1, 3, 5, 7: familyid 143 → 25\n  at A line 2, B line 2; A line 30, B line 30 and 2 places more\n"
                    + "  changes nothing in graphs, choices and busbw\n"),
        run.out());
  }

  @Test
  void threeOddNodesOfAThousandAreFoundAndCosted() throws IOException {
    FleetFolder.write(folder, DGX_H100, FLEET);
    JsonNode tree = json(1, "diff", folder.toString(), "--format", "json");
    assertEquals(FLEET, tree.get("files").asInt());
    List<String> found = new ArrayList<>();
    for (JsonNode group : tree.get("groups")) {
      if (group.get("reference").asBoolean()) {
        assertEquals(FLEET - 3, group.get("files").size());
        continue;
      }
      assertEquals(1, group.get("files").size());
      assertEquals(1, group.get("differences").size());
      String file = Path.of(group.get("files").get(0).asString()).getFileName().toString();
      found.add(file + ": " + group.get("differences").get(0).get("sentence").asString());
      assertTrue(group.get("change").get("graphs").size() > 0, file);
      assertTrue(group.get("change").get("busbw").size() > 0, file);
    }
    assertEquals(
        List.of(
            "node-0137.xml: NIC mlx5_3: speed 400000 → 200000",
            "node-0402.xml: nvlink of GPU 0: count 18 → 12",
            "node-0776.xml: NIC mlx5_6 is missing"),
        found);
  }

  @Test
  void aSettingWithoutEffectIsNotedOnce() {
    CliRun run =
        CliRun.of("diff", DGX_H100.toString(), DGX_A100.toString(), "--env", "NCCL_DEBUG=INFO");
    assertEquals("topo: note: NCCL_DEBUG ignored: no effect on what topo models\n", run.err());
  }

  @Test
  void theDocumentShowsTheFirstHalfOfThisFleet() throws IOException {
    FleetFolder.write(folder, DGX_H100, FLEET / 2);
    CliRun run = CliRun.of("diff", folder.toString(), "--collective", "all_reduce");
    String shown =
        "$ topo diff dumps --collective all_reduce\n"
            + run.out().replace(folder.toString(), "dumps")
            + "```\n";
    Path page = ROOT.resolve("docs/what-if.md");
    String document = Files.readString(page);
    int from = document.indexOf("$ topo diff dumps --collective all_reduce\n");
    int to = document.indexOf("```\n", from) + "```\n".length();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(page, document.substring(0, from) + shown + document.substring(to));
    } else {
      assertEquals(document.substring(from, to), shown);
    }
  }

  /** Threads 38 and 39: a node with its ports mapped otherwise, and one with a port fewer. */
  @Test
  void portsThatChangedPlacesAreFoundAmongNodes() throws IOException {
    FleetFolder.write(folder, DGX_H100, 4);
    Path node = folder.resolve("node-0003.xml");
    Files.writeString(
        node,
        Files.readString(node)
            .replace("name=\"mlx5_1\" dev=\"1\"", "name=\"x\" dev=\"x\"")
            .replace("name=\"mlx5_4\" dev=\"4\"", "name=\"mlx5_1\" dev=\"1\"")
            .replace("name=\"x\" dev=\"x\"", "name=\"mlx5_4\" dev=\"4\""));
    CliRun run = CliRun.of("diff", folder.toString());
    assertEquals(1, run.status(), run.err());
    assertTrue(
        run.out()
            .contains(
                "odd: node-0003.xml\n  NICs are numbered otherwise: mlx5_1 mlx5_4 → mlx5_4 mlx5_1\n"),
        run.out());
  }

  @Test
  void anEqualFleetIsStatusNone() throws IOException {
    FleetFolder.write(folder, DGX_H100, 5);
    CliRun run = CliRun.of("diff", folder.toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("5 equal, 0 odd, 0 not readable"), run.out());
  }

  @Test
  void aFileThatCannotBeReadDoesNotKeepTheOthersFromAnAnswer() throws IOException {
    FleetFolder.write(folder, DGX_H100, 3);
    Files.writeString(folder.resolve("node-0001.xml"), "<system version=\"1\">");
    Files.writeString(folder.resolve("node-0002.xml"), "<system version=\"1\"/>");
    CliRun run = CliRun.of("diff", folder.toString());
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().contains("1 equal, 0 odd, 2 not readable"), run.out());
    assertTrue(run.out().contains("node-0002.xml:1:1: <system>: has no gpu"), run.out());
  }

  @Test
  void filesThatCannotBeUsedAtAllAreBadInput() throws IOException {
    FleetFolder.write(folder, DGX_H100, 2);
    Files.writeString(folder.resolve("node-0000.xml"), "");
    Files.writeString(folder.resolve("node-0001.xml"), "x");
    CliRun run = CliRun.of("diff", folder.toString());
    assertEquals(3, run.status(), run.err());
    assertEquals("", run.out());
    assertEquals(2, run.err().lines().count(), run.err());
    assertEquals(
        3, CliRun.of("diff", DGX_H100.toString(), folder.resolve("no.xml").toString()).status());
  }

  @Test
  void filesOfAFolderMayEndInUpperCase() throws IOException {
    FleetFolder.write(folder, DGX_H100, 3);
    Files.move(folder.resolve("node-0002.xml"), folder.resolve("node-0002.XML"));
    CliRun run = CliRun.of("diff", folder.toString());
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("3 equal, 0 odd"), run.out());
    CliRun show = CliRun.of("show", folder.resolve("node-0002.XML").toString());
    assertTrue(show.out().startsWith("node-0002: 8 GPUs"), show.out());
  }

  @Test
  void oneFileIsNothingToCompare() {
    CliRun run = CliRun.of("diff", DGX_H100.toString());
    assertEquals(2, run.status(), run.err());
    assertEquals(2, CliRun.of("diff", folder.toString()).status());
    assertEquals(2, CliRun.of("diff").status());
    assertEquals(
        2, CliRun.of("diff", DGX_H100.toString(), DGX_A100.toString(), "--nodes", "0").status());
  }

  /** What all differences change together in the job of the options, per communicator. */
  private List<String> together(String... options) throws IOException {
    Path slow =
        edited(
            DGX_H100,
            "dev=\"3\" latency=\"0\" speed=\"400000\"",
            "dev=\"3\" latency=\"0\" speed=\"200000\"");
    List<String> args =
        new ArrayList<>(List.of("diff", DGX_H100.toString(), slow.toString(), "--format=json"));
    args.addAll(List.of("--collective=all_reduce", "--sizes=64M", "--nodes=2"));
    args.addAll(List.of(options));
    JsonNode tree = json(1, args.toArray(String[]::new));
    List<String> changes = new ArrayList<>();
    if (tree.has("communicators")) {
      tree.get("communicators")
          .forEach(
              one ->
                  changes.add(
                      one.get("communicator").asString()
                          + " "
                          + one.get("document").get("together")));
    } else {
      changes.add(tree.get("together").toString());
    }
    return changes;
  }

  @Test
  void aSplitIntoOneCommunicatorIsTheWholeJob() throws IOException {
    assertEquals(together(), together("--split=MOD 1"));
    assertEquals(together(), together("--nvlink-domain=1"));
  }

  @Test
  void communicatorsWithoutTheDifferenceHaveNoChange() throws IOException {
    List<String> changes = together("--split=MOD 8");
    assertEquals(
        List.of("3"),
        changes.stream()
            .filter(one -> !one.endsWith("\"busbw\":[]}"))
            .map(one -> one.split(" ", 2)[0])
            .toList(),
        changes.toString());
  }

  @Test
  void aDomainThatDoesNotAddUpIsAUsageError() {
    CliRun run = CliRun.of("diff", DGX_H100.toString(), DGX_A100.toString(), "--nvlink-domain=3");
    assertEquals(2, run.status());
    assertTrue(run.err().contains("--nvlink-domain 3"), run.err());
  }
}
