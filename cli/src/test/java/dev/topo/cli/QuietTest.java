package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Each command that answers a question prints the answer alone, and has it in its JSON. */
class QuietTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  /** A call of each command; {@code topo sweep show} needs results first. */
  private static final Map<String, String> CALLS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("advise", "topologies/dgx-h100.xml --sizes 64M"),
              Map.entry("check", "examples/one-nic.txt topologies/dgx-h100.xml --nodes 2"),
              Map.entry("connect", "topologies/dgx-h100.xml --nodes 2"),
              Map.entry("diagnose", "examples/one-nic.txt"),
              Map.entry("diff", "topologies/dgx-h100.xml topologies/hgx-h100-dualport.xml"),
              Map.entry("doctor", "--root examples"),
              Map.entry("explain", "topologies/dgx-h100.xml"),
              Map.entry("guest", "topologies/dgx-h100.xml --guest examples/vm.lspci"),
              Map.entry("lint", "topologies/hgx-h100-vm-flat.xml"),
              Map.entry("memory", "topologies/dgx-h100.xml"),
              Map.entry("paths", "topologies/dgx-1v.xml"),
              Map.entry(
                  "place",
                  "topologies/dgx-h100.xml --nodes 4 --fabric topologies/fabric/leaves-16.conf --group dp=%8"),
              Map.entry("predict", "topologies/dgx-h100.xml --sizes 64M"),
              Map.entry("search", "topologies/dgx-h100.xml"),
              Map.entry("show", "topologies/gh200.xml"),
              Map.entry("tune", "topologies/dgx-h100.xml"),
              Map.entry("upgrade", "topologies/dgx-h100.xml --from 2.21.5 --to 2.28.9"),
              Map.entry("whatif", "topologies/dgx-h100.xml env:NCCL_ALGO=Tree --sizes 64M"),
              Map.entry("workload", "examples/fsdp.rank0.json.gz --machine examples/h200-x2.xml")));

  /** Needs GPUs to answer. */
  private static final Set<String> ON_GPUS = Set.of("run", "verify");

  @TempDir private Path folder;

  @Test
  void everyCommandWithTheOptionIsTried() {
    Set<String> commands =
        CommandTable.NAMES.stream()
            .filter(name -> CliRun.of(name, "--help").out().contains("--quiet"))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> tried = new TreeSet<>(CALLS.keySet());
    tried.addAll(ON_GPUS);
    assertEquals(tried, commands);
  }

  @Test
  void theAnswerIsPrintedAloneAndIsInJson() {
    CALLS.forEach((name, call) -> isAlone(words(name, call)));
  }

  @Test
  void soIsThatOfASweep() {
    String results = folder.resolve("results").toString();
    assertEquals(
        0,
        CliRun.of("sweep", ROOT.resolve("docs/sweep/rails.yaml").toString(), "-o", results)
            .status());
    isAlone(List.of("sweep", "show", results));
  }

  private static List<String> words(String name, String call) {
    List<String> words = new ArrayList<>(List.of(name));
    for (String word : call.split(" ")) {
      boolean isFile = word.contains("/") || word.equals("examples");
      words.add(isFile ? ROOT.resolve(word).toString() : word.replace("env:", "env "));
    }
    return words;
  }

  private static void isAlone(List<String> call) {
    List<String> quiet = new ArrayList<>(call);
    quiet.addAll(List.of("--format", "text", "-q"));
    String sentence = CliRun.of(quiet.toArray(String[]::new)).out();
    assertEquals(1, sentence.lines().count(), call + ": " + sentence);
    assertTrue(sentence.endsWith(".\n"), sentence);
    List<String> json = new ArrayList<>(call);
    json.addAll(List.of("--format", "json"));
    String answer =
        JsonMapper.shared()
            .readTree(CliRun.of(json.toArray(String[]::new)).out())
            .path("answer")
            .asString();
    assertFalse(answer.isEmpty(), call.toString());
    assertEquals(sentence.strip(), answer, call.toString());
  }
}
