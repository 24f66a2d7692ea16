package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The topics, alternatives and errors of {@code topo explain}. */
class ExplainCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  private static String explain(String machine, String... args) {
    String[] all = new String[args.length + 2];
    all[0] = "explain";
    all[1] = ROOT.resolve("topologies/" + machine + ".xml").toString();
    System.arraycopy(args, 0, all, 2, args.length);
    CliRun run = CliRun.of(all);
    assertEquals(0, run.status(), run.err());
    return run.out();
  }

  private static void assertSays(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "'" + part + "' is missing in\n" + text);
    }
  }

  /** The example of docs/explain.md, to the letter. */
  @Test
  void theBoundOfAnOperationIsThatOfTheDocument() throws IOException {
    String text =
        explain("a100-pcie-4-bridged", "--collective=all_reduce", "--sizes=256M", "--about=bound");
    String document = Files.readString(ROOT.resolve("docs/explain.md"));
    assertTrue(document.contains("--about bound\n" + text + "```"), text);
  }

  /** NCCL counts 4 lanes of 32 GT/s as it counts a link without a speed. */
  @Test
  void aLinkWithAStatedSpeedIsNotAssumed(@TempDir Path folder) throws IOException {
    String wide = Files.readString(ROOT.resolve("topologies/rtx-pro-6000-8.xml"));
    String stated = "link_speed=\"32.0 GT/s PCIe\" link_width=\"";
    Path narrow =
        Files.writeString(folder.resolve("narrow.xml"), wide.replace(stated + "16", stated + "4"));
    Path unstated =
        Files.writeString(
            folder.resolve("unstated.xml"), wide.replace(stated, "link_speed=\"\" link_width=\""));
    String assumed = "which NCCL assumes where a file states no speed";
    CliRun of = CliRun.of("explain", narrow.toString(), "--about=bound");
    assertTrue(of.out().contains("PCI ") && !of.out().contains(assumed), of.out());
    assertSays(CliRun.of("explain", unstated.toString(), "--about=bound").out(), assumed);
  }

  @Test
  void theBoundIsDataIfItIsOneOfTheTopics() {
    String call = "--collective=alltoall --sizes=256M --format=json --about=";
    assertFalse(json("dgx-1v", (call + "bound").split(" ")).get("bound").isNull());
    assertTrue(json("dgx-1v", (call + "search").split(" ")).get("bound").isNull());
  }

  private static JsonNode json(String machine, String... args) {
    return JsonMapper.shared().readTree(explain(machine, args));
  }

  @Test
  void aboutLeavesTheOtherTopicsOut() {
    String text = explain("dgx-h100", "--nodes", "2", "--about", "nics,search");
    assertSays(text, "NICs of sends to other nodes\n", "ring graph\n");
    assertFalse(text.contains("number of channels"), text);
    String alternative = explain("dgx-h100", "--why-not", "pxn=0", "--why-not", "algorithm=tree");
    assertSays(alternative, "why not pxn=0\n", "why not Tree");
    assertFalse(alternative.contains("number of channels"), alternative);
  }

  @Test
  void showsEachMachineOfAMixedJob() {
    String h100 = ROOT.resolve("topologies/dgx-h100.xml").toString();
    String a100 = ROOT.resolve("topologies/dgx-a100.xml").toString();
    CliRun run = CliRun.of("explain", "--node", h100 + "*2", "--node", a100, "-v");
    assertEquals(0, run.status(), run.err());
    assertSays(
        run.out(),
        "The search finds 8 rings on dgx-h100, nodes 0-1, and 8 trees.",
        "The search finds 8 rings on dgx-a100, node 2, and 8 trees.",
        "ring graph on dgx-h100, nodes 0-1\n",
        "ring graph on dgx-a100, node 2\n",
        "GPUs and ports on dgx-h100, nodes 0-1\n",
        "GPUs and ports on dgx-a100, node 2\n");
    assertEquals("", run.err());
    CliRun ring =
        CliRun.of("explain", "--node", a100, "--node", h100, "--why-not", "ring=0,1,2,3,4,5,6,7");
    assertSays(ring.err(), "are those of dgx-a100, node 0; select another machine with its FILE");
  }

  @Test
  void oneRankIsEnoughForWhatIsAboutTheMachine() {
    assertSays(
        explain("dgx-h100", "--gpus", "0", "--about", "devices"),
        "GPU 0 prefers mlx5_0 (PIX (4), 48 GB/s); its first port is mlx5_0.");
    assertSays(
        explain("dgx-h100", "--gpus", "0", "--about", "search", "--why-not", "nic=0:mlx5_1"),
        "ring graph",
        "why not mlx5_1 for GPU 0");
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    CliRun run = CliRun.of("explain", machine, "--gpus", "0", "--about", "choice,devices");
    assertEquals(1, run.status(), run.err());
    assertSays(run.err(), "is one rank, which sends nothing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tree",
        "speed=1",
        "ring=0,1",
        "ring=a,b",
        "nic=3",
        "nic=9:mlx5_0",
        "nic=0:eth9",
        "channels=x",
        "algorithm=torus"
      })
  void wrongAlternativesAreUsageErrors(String alternative) {
    CliRun run =
        CliRun.of(
            "explain", ROOT.resolve("topologies/dgx-1v.xml").toString(), "--why-not", alternative);
    assertEquals(2, run.status(), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }
}
