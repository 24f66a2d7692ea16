package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class UpgradeCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String H100 = ROOT.resolve("topologies/dgx-h100.xml").toString();
  private static final String V100 = ROOT.resolve("topologies/dgx-1v.xml").toString();

  private static final String DUAL = ROOT.resolve("topologies/hgx-h100-dualport.xml").toString();

  @TempDir private Path folder;

  private static CliRun run(String... words) {
    return CliRun.of(words);
  }

  @Test
  void aPersonReadsWhatMattersMostFirst() {
    CliRun run = run("upgrade", H100, "--nodes=4", "--from=2.28.7", "--to=2.28.9");
    assertEquals(1, run.status(), run.err());
    assertTrue(
        run.out()
            .startsWith(
                "dgx-h100 x 4 from NCCL 2.28.7 to 2.28.9: NCCL runs AllReduce of 2 MiB to 4 MiB by Tree/LL128"),
        run.out());
    assertTrue(
        run.out().contains("not modelled: whether the kernels of one release are faster"),
        run.out());
  }

  @Test
  void theSameReleaseChangesNothing() {
    CliRun run = run("upgrade", H100, "--from=2.28.9", "--to=22809");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("nothing changes in channels, graphs, choices and busbw"));
  }

  @Test
  void aReleaseWithoutRulesOfItsOwnIsMarked() {
    CliRun run = run("upgrade", V100, "--from=2.28.9", "--to=2.29.1", "--sizes=1M");
    assertTrue(
        run.out().contains("\nnot modelled: nccl-release: NCCL 2.29.1 (rules of 2.28.9): "),
        run.out());
  }

  /** Rules of another release that stand in show no change, which is none of NCCL. */
  @ParameterizedTest
  @CsvSource({
    "2.28.9, 2.29.1, not modelled: nccl-release: NCCL 2.29.1",
    "2.29.1, 2.28.9, not modelled: nccl-release: NCCL 2.29.1",
    "2.32.3, 2.33.1, not modelled: newer-nccl: NCCL 2.33.1",
  })
  void nothingChangesIsNeverSaidOfAReleaseWithoutRules(String from, String to, String limit)
      throws IOException {
    CliRun run = run("upgrade", V100, "--from", from, "--to", to, "--sizes=1M");
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().contains(limit), run.out());
    assertTrue(
        run.out().contains("\nwhat changes is not known: NCCL 2.") && !nothing(run), run.out());
    CliRun diff = run("diff", V100, V100, "--nccl=" + from + "," + to, "--sizes=1M");
    assertEquals(1, diff.status(), diff.err());
    assertTrue(diff.out().contains(limit) && !nothing(diff), diff.out());
    Files.copy(Path.of(V100), folder.resolve("v.xml"));
    CliRun fleet =
        run("upgrade", folder.toString(), "--from", from, "--to", to, "--sizes=1M", "--nodes=1");
    assertEquals(1, fleet.status(), fleet.err());
    assertTrue(fleet.out().contains(limit), fleet.out());
    assertTrue(fleet.out().contains("0 of 1 node change, of 1 it is not known\n"), fleet.out());
    assertTrue(fleet.out().contains("\n1 of 1 node may change, "), fleet.out());
    Path page = folder.resolve("out.html");
    run("upgrade", V100, "--from", from, "--to", to, "--sizes=1M", "-o", page.toString());
    assertFalse(Files.readString(page).contains("nothing changes"), "in the page");
  }

  /** The page has the memory of the JSON document, and the line of the text. */
  @ParameterizedTest
  @CsvSource({"2.27.5,2.28.9", "2.19.3,2.28.9"})
  void thePageHasTheMemoryOfBoth(String from, String to) throws IOException {
    String[] words = {
      "upgrade", H100, "--from", from, "--to", to, "--nodes=2", "--sizes=1M", "--format", "json"
    };
    JsonNode document = JsonMapper.shared().readTree(run(words).out());
    words[9] = "text";
    String text = run(words).out();
    words[9] = "html";
    String page = run(words).out();
    assertTrue(page.contains("<section id=\"memory\">"), page);
    for (String side : List.of("memoryBefore", "memoryAfter")) {
      for (String field : List.of("gpuBytes", "hostSharedBytes")) {
        String cell = "<td data-sort=\"" + document.get(side).get(field).asString() + "\"";
        assertTrue(page.contains(cell), cell);
      }
    }
    boolean isSame = document.get("memoryBefore").equals(document.get("memoryAfter"));
    assertEquals(isSame, !text.contains("\nmemory"), text);
    assertEquals(isSame, !page.contains("<p>Memory"), page);
  }

  @Test
  void aReleaseWhoseRulesWereReadSaysSo() {
    CliRun run = run("upgrade", V100, "--from=2.30.7", "--to=2.31.2", "--sizes=1M");
    assertTrue(
        run.out().startsWith("For dgx-1v no change is known from NCCL 2.30.7 to 2.31.2: "),
        run.out());
    assertTrue(run.out().contains("\nnot modelled: read-rules: NCCL 2.31.2: "), run.out());
  }

  private static boolean nothing(CliRun run) {
    return run.out().contains("nothing changes");
  }

  /** NCCL 2.32.3 merges ports; it is the rules that are missing. */
  @ParameterizedTest
  @CsvSource({"2.32.3, 2.28.9", "2.28.9, 2.32.3"})
  void missingRulesAreNoFailureOfNccl(String from, String to) {
    String[] words = {
      "upgrade", DUAL, "--env=NCCL_IB_MERGE_NICS=1", "--from", from, "--to", to, "--sizes=1M"
    };
    CliRun run = run(words);
    assertEquals(1, run.status(), run.err());
    assertTrue(
        run.out().contains("\nnot modelled: no-rules: merged ports are not modelled for NCCL 2.3"),
        run.out());
    assertFalse(run.out().contains("fails") || nothing(run), run.out());
    assertTrue(run.out().contains("\nwhat changes is not known: merged ports"), run.out());
    words[0] = "search";
    CliRun search = run("search", DUAL, words[2], "--nccl=2.32.3");
    assertEquals(3, search.status());
    assertTrue(
        search.err().contains(": topo has no rules for this topology: merged ports"), search.err());
  }

  /** The sources of both differ in nothing that is modelled. */
  @Test
  void releasesThatAreEqualToOnesWithRulesHaveThese() {
    for (String[] equal : new String[][] {{"2.20.3", "2.20.5"}, {"2.19.3", "2.19.4"}}) {
      CliRun run = run("upgrade", H100, "--from", equal[0], "--to", equal[1], "--sizes=1M");
      assertEquals(0, run.status(), run.out());
      assertFalse(run.out().contains("not modelled: nccl"), run.out());
    }
    CliRun run = run("upgrade", H100, "--nodes=2", "--from=2.19.3", "--to=2.20.3", "--sizes=1M");
    assertEquals(1, run.status(), run.out());
    assertFalse(run.out().contains("not modelled: nccl-release"), run.out());
  }

  @Test
  void aFleetIsCountedByWhatChanges() throws IOException {
    for (int i = 0; i < 3; i++) {
      Files.copy(Path.of(H100), folder.resolve("h" + i + ".xml"));
    }
    Files.copy(Path.of(V100), folder.resolve("v.xml"));
    String[] words = {"upgrade", folder.toString(), "--nodes=4", "--from=2.28.7", "--to=2.28.9"};
    CliRun run = run(words);
    assertEquals(1, run.status(), run.err());
    assertTrue(run.out().contains("NCCL 2.28.7 → 2.28.9: 3 of 4 nodes change\n"), run.out());
    assertTrue(run.out().contains("\n3 of 4 nodes change, in a job of 4 equal nodes: "));
    assertTrue(run.out().contains("\n1 of 4 nodes do not change, "), run.out());
    Path page = folder.resolve("out.html");
    run = run(words[0], words[1], words[2], words[3], words[4], "-o", page.toString());
    assertEquals(1, run.status(), run.err());
    String html = Files.readString(page);
    assertTrue(html.contains("<h1>3 of 4 nodes change</h1>"), html);
    assertTrue(html.contains("Algorithm and protocol by size"), html);
  }

  @ParameterizedTest
  @CsvSource({
    "2.18.5, 2.28.9, --from 2.18.5: expected 2.19.3 or newer",
    "2.28.9, new, --to new: expected a version as 2.27.7"
  })
  void aVersionThatHasNoRulesIsAUsageError(String from, String to, String message) {
    CliRun run = run("upgrade", H100, "--from", from, "--to", to);
    assertEquals(2, run.status());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void eachKindOfCommunicatorOfASplitHasItsAnswer() {
    String[] words = {
      "upgrade", H100, "--from=2.28.7", "--to=2.28.9", "--nodes=4", "--split=MOD 8", "--sizes=2M"
    };
    CliRun run = run(words);
    assertTrue(run.out().startsWith("For communicator 0"), run.out() + run.err());
    assertTrue(run.out().contains(" x 4: 4 ranks on 4 nodes, NCCL 2.28.7 → 2.28.9\n"));
    words[6] = "--format=json";
    assertTrue(run(words).out().contains("\"schema\" : \"topo/split/1\""));
    words[6] = "--format=html";
    assertTrue(run(words).out().contains("Channels of group 2"));
    words[6] = H100;
    assertTrue(run(words).err().contains("--split: expected one job, not a fleet"));
  }

  /** NCCL would merge the ports of the machines of the second communicator only. */
  @Test
  void theMachinesOfEachCommunicatorHaveTheirCaveats() {
    String dualPort = H100.replace("dgx-h100", "hgx-h100-dualport");
    CliRun run =
        run(
            "upgrade",
            "--node=" + H100 + "*2",
            "--node=" + dualPort + "*2",
            "--split=DIV 16",
            "--from=2.28.7",
            "--to=2.28.9",
            "--sizes=64M");
    assertTrue(run.out().contains("\nnot modelled: nic-merge: hgx-h100-dualport: "), run.out());
  }

  /** The network was ignored by whatif. */
  @Test
  void whatifFollowsTheNamedNetwork() {
    String[] words = {
      "whatif", H100, "remove net:mlx5_3", "--nodes=2", "--sizes=64M", "--network=rdma"
    };
    String rdma = run(words).out();
    words[5] = "--network=sockets";
    assertFalse(rdma.equals(run(words).out()));
    words[5] = "--network=nonsense";
    assertEquals(2, run(words).status());
  }

  @Test
  void whatifTriesAnotherRelease() {
    String[] words = {
      "whatif", H100, "nccl 2.28.7", "--nodes=4", "--collective=all_reduce", "--sizes=2M"
    };
    CliRun run = run(words);
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().startsWith("dgx-h100 x 4 with NCCL 2.28.7: "), run.out());
    assertTrue(run.out().contains("NVLSTree/Simple"), run.out());
    assertTrue(run.err().contains("not modelled: whether the kernels of one release"), run.err());
    words[2] = "nccl 2.18.5";
    run = run(words);
    assertEquals(3, run.status());
    assertTrue(run.err().contains("expected 2.19.3 or newer"), run.err());
  }

  @Test
  void diffComparesTwoFilesByTwoReleases() {
    CliRun run = run("diff", H100, H100, "--nodes=4", "--nccl=2.28.7,2.28.9");
    assertEquals(1, run.status(), run.err());
    assertTrue(
        run.out().contains("\ndgx-h100 → dgx-h100: 32 ranks on 4 nodes, NCCL 2.28.7 → 2.28.9\n"),
        run.out());
    assertEquals(2, run("diff", H100, "--nccl=2.28.7,2.28.9").status());
    assertEquals(2, run("search", H100, "--nccl=2.28.7,2.28.9").status());
  }

  @Test
  void explainSaysWhyAnotherReleaseChoseOtherwise() {
    CliRun run =
        run("explain", H100, "--nodes=4", "--sizes=2M", "--nccl=2.28.9", "--why-not=nccl=2.28.7");
    assertEquals(0, run.status(), run.err());
    assertTrue(
        run.out()
            .contains(
                "choice, AllReduce of 2 MiB: Tree/LL128 by NCCL 2.28.9, NVLSTree/Simple by NCCL 2.28.7."),
        run.out());
    assertTrue(run.out().contains("  NVLSTree/Simple: "), run.out());
    assertEquals(2, run("explain", H100, "--why-not=nccl=9").status());
  }

  /** Files of one name in two folders are two machines. */
  @Test
  void machinesAreToldApartByTheirWholePaths() throws IOException {
    Path one = folder.resolve("a/topo.xml");
    Files.createDirectories(folder.resolve("a"));
    Files.copy(Path.of(H100), one);
    Path same = Files.createDirectories(folder.resolve("c/a")).resolve("topo.xml");
    Files.copy(Path.of(V100), same);
    CliRun run = run("search", "--node", one.toString(), "--node", same.toString());
    assertTrue(run.out().contains("sm 90") && run.out().contains("sm 70"), run.out());
  }

  @Test
  void aReleaseThatIsNotNamedIsTheDefault() {
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    assertTrue(
        CliRun.of("upgrade", machine, "--to", "2.30.7", "-q").out().contains("2.28.9 to 2.30.7"));
    assertTrue(
        CliRun.of("upgrade", machine, "--from", "2.27.5", "-q").out().contains("2.27.5 to 2.28.9"));
    CliRun neither = CliRun.of("upgrade", machine);
    assertEquals(2, neither.status());
    assertTrue(
        neither.err().startsWith("topo: expected another release than 2.28.9"), neither.err());
  }
}
