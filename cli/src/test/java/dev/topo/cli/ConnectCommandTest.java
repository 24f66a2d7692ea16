package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.Growth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jobs, splits, switch maps and parts of {@code topo connect}. */
class ConnectCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String DGX_H100 = machine("dgx-h100");
  private static final String FAT_TREE =
      ROOT.resolve("topologies/fabric/fat-tree-64.conf").toString();
  private static final String WRONG_ORDER =
      "@" + ROOT.resolve("topologies/fabric/round-robin.hosts");

  @TempDir private Path folder;

  private static String machine(String name) {
    return ROOT.resolve("topologies/" + name + ".xml").toString();
  }

  private static List<String> lines(String... args) {
    CliRun run = CliRun.of(args);
    assertEquals(0, run.status(), run.err());
    return run.out().lines().toList();
  }

  @Test
  void aJobOfAHundredThousandGpusIsAnsweredForOneRank() {
    List<String> found =
        lines(
            "connect",
            DGX_H100,
            "--nodes",
            "12500",
            "--rank",
            "99999",
            "--channel",
            "0,15",
            "--format",
            "tsv");
    assertEquals(3, found.size());
    assertTrue(found.get(1).startsWith("0\t99999\t"), found.get(1));
  }

  @Test
  void machinesMayDiffer() {
    List<String> found =
        lines(
            "connect",
            "--node",
            machine("dgx-a100"),
            "--node",
            DGX_H100 + "*2",
            "--format",
            "text");
    assertTrue(
        found.get(0).startsWith("dgx-a100 + dgx-h100 x 2: 16 channels for rings and trees"),
        found.get(0));
  }

  @Test
  void splitMakesACommunicatorForEachColourAndFoldsEqualOnes() {
    List<String> found = lines("connect", DGX_H100, "--nodes", "16", "--split", "DIV 8");
    assertTrue(
        found.get(2).startsWith("communicator 0-15 · dgx-h100: 8 ranks on 1 node"), found.get(2));
    long communicators =
        lines("connect", DGX_H100, "--nodes", "4", "--split", "%8", "-v").stream()
            .skip(1)
            .filter(line -> line.startsWith("communicator "))
            .count();
    assertEquals(8, communicators);
    List<String> unequal = lines("connect", DGX_H100, "--nodes", "2", "--split", "DIV 6");
    List<Integer> starts = new ArrayList<>();
    for (int i = 1; i < unequal.size(); i++) {
      if (unequal.get(i).startsWith("communicator ")) {
        starts.add(i);
      }
    }
    assertEquals(3, starts.size());
    assertEquals("", unequal.get(starts.get(1) - 1));
    assertEquals("", unequal.get(starts.get(2) - 1));
    assertFalse(unequal.get(unequal.size() - 1).isEmpty());
    List<String> tsv =
        lines("connect", DGX_H100, "--nodes", "2", "--split", "MOD 8", "--format", "tsv");
    assertTrue(tsv.get(0).startsWith("split\tchannel\trank"), tsv.get(0));
  }

  /** It grows with the ranks, not with groups times machines. */
  @Test
  void theWorkForManyGroupsGrowsWithTheirNumber() {
    Growth.assertLinear(
        "bytes allocated for groups of one rank",
        2_000,
        nodes ->
            Growth.bytesAllocated(
                nodes,
                n -> lines("search", DGX_H100, "--nodes", String.valueOf(n), "--split", "DIV 1")));
  }

  @Test
  void aHundredThousandGroupsAreAnswered() {
    assertTrue(
        lines("search", DGX_H100, "--nodes", "12500", "--split", "DIV 1")
            .get(2)
            .startsWith("communicator 0,8,16,24,"));
  }

  @Test
  void graphsOfASplitAreThoseOfItsGpus() {
    List<String> split = lines("search", machine("dgx-1v"), "--split", "DIV 4");
    List<String> some = lines("search", machine("dgx-1v"), "--gpus", "0,1,2,3");
    assertEquals(some.get(4), split.get(4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--split;XOR 3;expected AND, OR, MOD or DIV",
        "--split;MOD 0;expected a number from 1",
        "--nodes;0;expected a number from 1 to 1000000",
        "--rank;8;--rank 8: expected a number from 0 to 7",
        "--channel;24;--channel 24: expected a number from 0 to 23",
        "--hosts;n[0-;--fabric",
      })
  void wrongOptionsAreUsageErrors(String option, String value, String message) {
    CliRun run =
        option.equals("--hosts")
            ? CliRun.of(
                "connect", DGX_H100, "--nodes", "64", "--fabric", "missing.conf", option, value)
            : CliRun.of("connect", DGX_H100, option, value);
    assertEquals(option.equals("--hosts") ? 3 : 2, run.status(), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(option.equals("--hosts") || run.err().contains(message), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "n[00-62],n99;--hosts: n99 is not a node of",
        "n[00-62],n00;--hosts: n00 is listed twice",
        "n[00-15];16 host names for 64 nodes",
      })
  void hostsAreNodesOfTheMapAndDiffer(String hosts, String message) {
    CliRun run =
        CliRun.of("connect", DGX_H100, "--nodes", "64", "--fabric", FAT_TREE, "--hosts", hosts);
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n00\\n|: 1 host names for 2 nodes, expected at least as many",
        "n00\\n  n99|:2:3: n99 is not a node of",
        "n00\\n# all\\n n00 slots=8|:3:2: n00 is listed twice",
        "n00\\nn[0-\\n|:2:1: 'n[0-': brackets do not match",
        "n00\\ngr\u00fcn|:2:3: is not UTF-8 text, expected host names"
      })
  void aWrongHostOfAFileIsBadInputAtItsPlace(String hosts, String message) throws IOException {
    Path file = folder.resolve("hosts");
    Files.write(file, hosts.replace("\\n", "\n").getBytes(StandardCharsets.ISO_8859_1));
    CliRun run =
        CliRun.of("connect", DGX_H100, "--nodes", "2", "--fabric", FAT_TREE, "--hosts", "@" + file);
    assertEquals(3, run.status(), run.err());
    assertTrue(run.err().startsWith("topo: " + file + message), run.err());
  }

  @Test
  void anIndentedHostCounts() throws IOException {
    Path file = Files.writeString(folder.resolve("hosts"), "\tn01\n  n00 slots=8\n");
    CliRun run =
        CliRun.of("connect", DGX_H100, "--nodes", "2", "--fabric", FAT_TREE, "--hosts", "@" + file);
    assertEquals(0, run.status(), run.err());
  }

  @Test
  void aPortThatTheMachineLacksIsBadInput() throws IOException {
    Path map = folder.resolve("fabric.csv");
    Files.writeString(map, "n0,mlx5_0,s0\nn0,1,s0\nn1,mlx5_0,s0\nn1, mlx5_77,s0\n");
    CliRun run = CliRun.of("connect", DGX_H100, "--nodes", "2", "--fabric", map.toString());
    assertEquals(3, run.status(), run.err());
    assertTrue(
        run.err()
            .startsWith(
                "topo: "
                    + map
                    + ":4:5: 'mlx5_77': the machine has no such network port, expected one of mlx5_0, "),
        run.err());
  }

  @Test
  void aFileOfHostsThatIsMissingIsBadInput() {
    CliRun run =
        CliRun.of("connect", DGX_H100, "--nodes", "2", "--fabric", FAT_TREE, "--hosts", "@none");
    assertEquals(3, run.status(), run.err());
    assertEquals("topo: none: no such file, expected host names\n", run.err());
  }

  @Test
  void hostsAreForAFabric() {
    CliRun run = CliRun.of("connect", DGX_H100, "--nodes", "2", "--hosts", "a,b");
    assertEquals(2, run.status(), run.err());
    assertTrue(run.err().contains("expected --fabric FILE"), run.err());
  }

  @Test
  void hostsAreTheNodesInRankOrder() {
    String[] call = {"connect", DGX_H100, "--nodes", "64", "--fabric", FAT_TREE, "--hosts"};
    List<String> wrong = lines(with(call, WRONG_ORDER));
    assertEquals("  n[00-63]", wrong.get(wrong.size() - 1));
    assertNotEquals(wrong, lines(with(call, "n[00-63]")));
  }

  private static String[] with(String[] call, String last) {
    String[] words = Arrays.copyOf(call, call.length + 1);
    words[call.length] = last;
    return words;
  }

  @Test
  void collNetNamesEveryRuleThatForbidsIt() {
    CliRun off = CliRun.of("connect", DGX_H100, "--nodes", "2", "--what", "collnet");
    assertEquals(1, off.status(), off.err());
    assertEquals(
        "topo: no CollNet: NCCL_COLLNET_ENABLE is not 1; no port of each node here has in-network reduction"
            + " (coll=\"1\" in the file)\n",
        off.err());
    List<String> one =
        lines(
            "connect",
            machine("hgx-h100-sharp"),
            "--what",
            "collnet,p2p",
            "--env",
            "NCCL_COLLNET_ENABLE=1");
    assertTrue(
        one.contains("no CollNet: 1 node, fewer than NCCL_COLLNET_NODE_THRESHOLD=2"),
        String.join("\n", one));
  }

  /** The trays of a rack send alike. */
  @Test
  void equalHostsOfADomainAreOneRow() {
    List<String> found =
        lines(
            "connect",
            machine("gb200-tray"),
            "--nodes",
            "36",
            "--nvlink-domain",
            "18",
            "--what",
            "nics");
    assertTrue(
        found.get(8).matches("  0,4,…,68 +mlx5_0 +mlx5_1 \\(GPU 1\\) .*"),
        String.join("\n", found));
    assertEquals(12, found.size());
  }

  @Test
  void rankIsForEveryPart() {
    String[] call = {"connect", DGX_H100, "--nodes", "4", "--what", "p2p", "--format", "tsv"};
    List<String> one = lines(with(call, "--rank=9"));
    assertEquals(33, one.size());
    assertTrue(one.stream().skip(1).allMatch(line -> line.startsWith("9\t")), one.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "nvls,p2p;tsv;--what nvls,p2p: expected one part with --format tsv, which is one table",
        "star;text;--what star: expected one of rings-trees, nvls, collnet, p2p, nics",
      })
  void wrongPartsAreUsageErrors(String what, String format, String message) {
    CliRun run = CliRun.of("connect", DGX_H100, "--nodes", "2", "--what", what, "--format", format);
    assertEquals(2, run.status(), run.err());
    assertEquals("topo: " + message + "\n", run.err());
  }
}
