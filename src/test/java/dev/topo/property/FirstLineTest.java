package dev.topo.property;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.RandomCases;
import dev.topo.simulator.network.NetworkFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the first line of an answer may say: no change that the ranges leave open, no gain by taking
 * devices away, and what the answer holds without.
 */
class FirstLineTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final List<String> MACHINES =
      List.of("dgx-h100", "hgx-h200-4nic", "dgx-a100", "hgx-b200", "a100-4-slingshot");
  @TempDir private Path folder;

  private static String machine(String name) {
    return ROOT.resolve("topologies/" + name + ".xml").toString();
  }

  private static String out(String... words) {
    return CliRun.of(words).out();
  }

  @Test
  void whatifAndUpgradeHaveTheSameTimesOfTwoReleases() {
    String whatif =
        out(
            "whatif",
            machine("hgx-h200-4nic"),
            "nccl 2.21.5",
            "--nodes=2",
            "--collective=all_reduce",
            "--sizes=256M",
            "-q");
    String upgrade =
        out(
            "upgrade",
            machine("hgx-h200-4nic"),
            "--nodes=2",
            "--from=2.28.9",
            "--to=2.21.5",
            "--collective=all_reduce",
            "--sizes=256M",
            "-q");
    assertTrue(whatif.contains("220 → 310 (260 to 370) GB/s busbw, +42 %"), whatif);
    assertTrue(upgrade.contains("220 (180 to 260) → 310 (260 to 370) GB/s busbw (+42 %)"), upgrade);
  }

  @Test
  void aTextNamesTheReleaseThatItFollows() {
    for (String command : List.of("predict", "tune", "explain")) {
      String text = out(command, machine("dgx-h100"), "--nccl=2.21.5");
      assertTrue(text.contains("NCCL 2.21.5"), command + "\n" + text);
    }
  }

  @Test
  void takingDevicesAwayIsNoGainInTheFirstLine() {
    for (int seed = 0; seed < RandomCases.count(12, 100); seed++) {
      Random random = new Random(Long.getLong("test.seed", 1) + seed);
      String name = MACHINES.get(random.nextInt(MACHINES.size()));
      int ports = name.equals("hgx-h200-4nic") ? 4 : name.startsWith("a100-4") ? 2 : 8;
      String port = (name.startsWith("a100-4") ? "cxi" : "mlx5_") + random.nextInt(ports);
      String line =
          out(
              "whatif",
              machine(name),
              "remove net:" + port,
              "--nodes=" + (2 + random.nextInt(7)),
              "-q");
      assertFalse(line.isEmpty(), name + " " + port);
      assertFalse(
          line.matches("(?s).*(gains|becomes|\\+\\d+ %|times as fast).*"),
          name + " " + port + ": " + line);
    }
  }

  @Test
  void aChangeWithinBothRangesIsNoChangeInTheFirstLine() {
    String line = out("whatif", machine("dgx-h100"), "remove net:mlx5_3", "--nodes=4", "-q");
    assertTrue(line.contains("stays within its range"), line);
    String upgrade = out("upgrade", machine("l40s-4"), "--from=2.21.5", "--to=2.28.9", "-q");
    assertTrue(upgrade.contains("busbw stays within its ranges"), upgrade);
  }

  @Test
  void whatAnAnswerHoldsWithoutIsInItsFirstLine() throws IOException {
    String rack = out("predict", machine("gb200-tray"), "--nodes=4", "--sizes=1G", "-q");
    assertTrue(rack.contains("unless NVLink joins the nodes"), rack);
    assertTrue(
        out("tune", machine("gb300-tray"), "--nodes=2", "--collective=all_reduce", "-q")
            .contains("unless NVLink joins the nodes"));
    assertFalse(
        out("predict", machine("gb200-tray"), "--nodes=4", "--nvlink-domain=4", "--sizes=1G", "-q")
            .contains("unless"));
    Path leaves = folder.resolve("topology.conf");
    Files.writeString(
        leaves,
        "SwitchName=s0 Nodes=n[0-8]\nSwitchName=s1 Nodes=n[9-15]\nSwitchName=top Switches=s[0-1]\n");
    String fabric = "--fabric=" + leaves;
    assertTrue(
        out("predict", machine("dgx-h100"), "--nodes=12", fabric, "--sizes=1G", "-q")
            .contains("switches limit nothing"));
    assertTrue(
        out("predict", machine("dgx-h100"), fabric, "--hosts=n[0-8]", "--sizes=1G", "-q")
            .contains("on one node, where switches have no effect"));
  }

  /** Some clusters do not use LL128; no option says so. */
  @Test
  void aSlowerKindOfClusterIsInTheFirstLineOfCallsByLl128() throws IOException {
    String machine = machine("dgx-h100");
    String small = out("predict", machine, "--nodes=4", "--sizes=1M", "-q");
    assertTrue(small.matches("(?s).*\\(1 in \\d clusters takes 1\\.\\d times as long\\).*"), small);
    String large = out("predict", machine, "--nodes=4", "--sizes=1G", "-q");
    assertFalse(large.contains("clusters"), large);
    Path own = folder.resolve("mine.network");
    Files.writeString(
        own,
        NetworkFile.write(NetworkFile.shipped("rdma").orElseThrow().named("mine", "own runs")));
    String ofOwn = out("predict", machine, "--nodes=4", "--sizes=1M", "-q", "--network=" + own);
    assertFalse(ofOwn.contains("clusters"), ofOwn);
    String inNode = out("predict", machine, "--env=NCCL_PROTO=LL128", "--sizes=1M", "-q");
    assertFalse(inNode.contains("clusters"), inNode);
    assertTrue(
        out("predict", machine, "--nodes=4", "--sizes=1M").contains("note: by LL128 1 in"), small);
  }

  /** Eight H200 reached 482 GB/s; NCCL's own model says 800. */
  @Test
  void symmetricKernelsAreNoFasterThanMulticast() {
    String line =
        out(
            "predict",
            machine("hgx-h200"),
            "--nccl=2.30.4",
            "--buffers=symmetric",
            "--cuda-graph",
            "--collective=all_reduce",
            "--sizes=1G",
            "-q");
    assertTrue(line.contains(": 490 GB/s busbw by AllReduce_RSxLDMC_AGxSTMC"), line);
  }

  @Test
  void sendsOnPciHostsSayHowFarOffTheyMayBe() {
    String line =
        out("predict", machine("rtx-pro-6000-8"), "--collective=scatter", "--sizes=64M", "-q");
    assertTrue(line.contains("of PCI hosts one took 50 times as long"), line);
  }

  @Test
  void anOriginIsStatedOnceAndForThePredictionsThatRestOnIt() {
    String rack =
        out(
            "predict",
            machine("gb300-tray"),
            "--nodes=18",
            "--nvlink-domain=18",
            "--collective=all_gather,alltoall",
            "--sizes=1G");
    assertTrue(rack.contains("such machines for Ring;"), rack);
    assertTrue(rack.contains("another generation of GPUs for AlltoAll;"), rack);
    String tray =
        out(
            "predict",
            machine("gb200-tray"),
            "--nodes=18",
            "--nvlink-domain=18",
            "--collective=alltoall",
            "--sizes=1G",
            "-v");
    assertFalse(tray.contains("2 H200"), tray);
  }

  @Test
  void oneClassDecidesWhatIsNoChange() throws IOException {
    Pattern own =
        Pattern.compile(
            "relative\\(\\)[^;]*[<>]=? ?-?0?\\.\\d|(VISIBLE|TOLD|TELLS_APART|SMALLEST) =");
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file :
          files.filter(f -> f.toString().matches(".*/src/main/java/.*[.]java")).sorted().toList()) {
        own.matcher(Files.readString(file))
            .results()
            .map(MatchResult::group)
            .forEach(hit -> found.add(file + ": " + hit));
      }
    }
    assertEquals(List.of(), found, "expected TimeChange");
  }
}
