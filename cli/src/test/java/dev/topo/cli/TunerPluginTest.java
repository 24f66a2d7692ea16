package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tuner file against what real NCCL chose on four H200 with its example plugin and that file.
 */
class TunerPluginTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final Path LOGS = ROOT.resolve("src/test/resources/measured/h200-x4-tuner-plugin");
  private static final Path TOPOLOGY = ROOT.resolve("src/test/resources/measured/h200-x4.topo.xml");
  private static final Pattern CHOICE =
      Pattern.compile("AllGather: ([0-9]+) Bytes -> Algo ([A-Z]+) proto ([A-Z0-9]+) channel");
  private static final int RANKS = 4;

  @ParameterizedTest
  @CsvSource({"default,''", "forced,all_gather:4M:8M:ring:ll128"})
  void ncclChoosesWhatTheFileSays(String run, String force) throws IOException {
    List<String> args =
        new ArrayList<>(
            List.of(
                "tune", TOPOLOGY.toString(), "--env", "NCCL_NVLS_ENABLE=0", "--format", "tuner"));
    if (!force.isEmpty()) {
      args.addAll(List.of("--force", force));
    }
    CliRun file = CliRun.of(args.toArray(String[]::new));
    assertEquals(0, file.status(), file.err());
    List<MatchResult> choices =
        CHOICE.matcher(Files.readString(LOGS.resolve(run + ".info.log"))).results().toList();
    assertTrue(choices.size() >= 6, choices.size() + " choices");
    int equal = 0;
    for (MatchResult choice : choices) {
      long bytes = Long.parseLong(choice.group(1)) * RANKS;
      String expected = (choice.group(2) + "/" + choice.group(3)).toLowerCase(Locale.ROOT);
      assertEquals(expected, firstRule(file.out(), "allgather", bytes), bytes + " bytes");
      equal++;
    }
    System.out.println("tuner plugin " + run + " on real NCCL " + equal + "/" + choices.size());
  }

  @Test
  void aForcedRuleIsOneThatNcclCanFollow() {
    String machine = ROOT.resolve("topologies/dgx-h100.xml").toString();
    String rule = "all_gather:4M:8M:ring:ll128";
    CliRun most = CliRun.of("tune", machine, "--format", "tuner", "--force", rule + ":24");
    assertEquals(0, most.status(), most.err());
    CliRun more = CliRun.of("tune", machine, "--format", "tuner", "--force", rule + ":25");
    assertEquals(2, more.status());
    assertEquals("topo: --force " + rule + ":25: 25 channels: NCCL has 24 here\n", more.err());
    CliRun text = CliRun.of("tune", machine, "--force", rule);
    assertEquals(2, text.status());
    assertEquals("", text.out());
    assertTrue(text.err().endsWith("expected --format tuner\n"), text.err());
  }

  /** What the plugin takes: the first rule that fits. */
  private static String firstRule(String csv, String collective, long bytes) {
    for (String line : csv.lines().filter(text -> !text.startsWith("#")).toList()) {
      List<String> cells = Arrays.asList(line.split(",", -1));
      boolean fits =
          cells.get(0).equals(collective)
              && Long.parseLong(cells.get(1)) <= bytes
              && bytes <= Long.parseLong(cells.get(2));
      if (fits) {
        return cells.get(3) + "/" + cells.get(4);
      }
    }
    return "none";
  }

  /** The calibrations of some runs were others: what they recommended is listed. */
  @ParameterizedTest
  @CsvSource({
    "h200-x4, h200-x4-tuner-plugin, predicted, --ranks-per-process=4, "
        + "allgather 16777216 ring/simple ring/ll128; broadcast 4194304 ring/ll128 ring/simple",
    "h200-x4, h200-x4-tuner-plugin, measured, --ranks-per-process=4, ''",
    "h200-x4, h200-x4-tuner-plugin-threads, predicted, --ranks-per-process=1, "
        + "broadcast 2097152 ring/simple ring/ll128",
    "h200-x4, h200-x4-tuner-plugin-threads, graph, --cuda-graph, ''",
    "h200-x4, h200-x4-tuner-plugin-again, predicted, --ranks-per-process=1, "
        + "reduce 2097152 ring/ll128 ring/simple",
    "h200-x4, h200-x4-tuner-plugin-again, graph, --cuda-graph, ''",
    "h200-x2, h200-x2-tuner-plugin, predicted, --ranks-per-process=1, ''",
    "h200-x2, h200-x2-tuner-plugin, graph, --cuda-graph, ''"
  })
  void whatRanOnGpusIsWhatTheCommandRecommends(
      String machine, String folder, String file, String processes, String otherwise)
      throws IOException {
    Path measured = ROOT.resolve("src/test/resources/measured");
    List<String> args =
        new ArrayList<>(
            List.of(
                "predict",
                measured.resolve(machine + ".topo.xml").toString(),
                "--env=NCCL_NVLS_ENABLE=0",
                "--format=tuner",
                processes));
    if (file.equals("measured")) {
      args.add("--measured=" + measured.resolve(machine + ".csv"));
    }
    CliRun run = CliRun.of(args.toArray(String[]::new));
    assertEquals(0, run.status(), run.err());
    String ran = Files.readString(measured.resolve(folder).resolve(file + ".csv"));
    List<String> differs = new ArrayList<>();
    for (String collective :
        List.of("allreduce", "allgather", "reducescatter", "broadcast", "reduce")) {
      for (long bytes = 64; bytes <= 1L << 32; bytes *= 2) {
        String then = firstRule(ran, collective, bytes);
        String now = firstRule(run.out(), collective, bytes);
        if (!then.equals(now)) {
          differs.add(String.join(" ", collective, Long.toString(bytes), then, now));
        }
      }
    }
    assertEquals(otherwise, String.join("; ", differs));
  }

  /** Below 1 MiB the file that ran on four GPUs leaves NCCL what it chooses anyhow. */
  @Test
  void smallCallsKeepTheirChoice() throws IOException {
    Path measured = ROOT.resolve("src/test/resources/measured");
    String ran =
        Files.readString(measured.resolve("h200-x4-tuner-plugin-threads").resolve("predicted.csv"));
    CliRun own =
        CliRun.of(
            "tune",
            measured.resolve("h200-x4.topo.xml").toString(),
            "--env=NCCL_NVLS_ENABLE=0",
            "--format=tuner");
    for (String collective :
        List.of("allreduce", "allgather", "reducescatter", "broadcast", "reduce")) {
      for (long bytes = 8; bytes < 1 << 20; bytes *= 2) {
        assertEquals(
            firstRule(own.out(), collective, bytes),
            firstRule(ran, collective, bytes),
            collective + " " + bytes);
      }
    }
  }

  @Test
  void aForcedRuleThatCannotRunIsRefused() {
    String machine = ROOT.resolve("topologies/l40s-4.xml").toString();
    CliRun run =
        CliRun.of("tune", machine, "--format", "tuner", "--force", "all_reduce:1M:2M:nvls:simple");
    assertEquals(2, run.status());
    assertTrue(run.err().contains("AllReduce cannot run with NVLS"), run.err());
    run = CliRun.of("tune", machine, "--format", "tuner", "--force", "all_reduce");
    assertEquals(2, run.status());
    assertTrue(run.err().contains("expected COLLECTIVE:MIN:MAX:ALGORITHM:PROTOCOL"), run.err());
  }
}
