package dev.topo.property;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every question takes every operation, several nodes, NVLink domains, splits and releases, in all
 * of its formats.
 */
class CallMatrixTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String MACHINE = ROOT.resolve("topologies/gb200-tray.xml").toString();

  private static final Map<String, List<String>> QUESTIONS = questions();
  private static final Map<String, List<String>> OPTIONS = options();

  @TempDir private Path folder;

  private static Map<String, List<String>> questions() {
    Map<String, List<String>> questions = new LinkedHashMap<>();
    questions.put("predict", List.of(MACHINE));
    questions.put("whatif", List.of(MACHINE, "env NCCL_MAX_CTAS=8"));
    questions.put("tune", List.of(MACHINE));
    questions.put("explain", List.of(MACHINE));
    questions.put("advise", List.of(MACHINE));
    questions.put("chart", List.of("--machine", MACHINE));
    questions.put("upgrade", List.of(MACHINE));
    questions.put("report", List.of(MACHINE));
    questions.put("diff", List.of(MACHINE, MACHINE.replace("gb200", "gb300")));
    return questions;
  }

  private static Map<String, List<String>> options() {
    Map<String, List<String>> options = new LinkedHashMap<>();
    options.put("--nodes", List.of("--nodes", "2"));
    options.put("--nvlink-domain", List.of("--nodes", "2", "--nvlink-domain", "2"));
    options.put("--split", List.of("--nodes", "2", "--split", "0-2;3-7"));
    options.put("--nccl", List.of("--nccl", "2.27.5"));
    return options;
  }

  private static List<String> formats(String command) {
    return switch (command) {
      case "whatif", "explain", "diff" -> List.of("text", "json");
      case "predict", "tune", "advise" -> List.of("text", "json", "csv");
      case "upgrade" -> List.of("text", "json", "html");
      case "chart" -> List.of("svg");
      default -> List.of("");
    };
  }

  /** The predictions that a chart is drawn of. */
  private Path table() {
    Path table = folder.resolve("predicted.csv");
    if (!Files.exists(table)) {
      String operations =
          Operation.all().stream()
              .filter(operation -> operation != PeerOperation.HYPERCUBE)
              .map(Operation::ncclTestsName)
              .collect(Collectors.joining(","));
      CliRun.of(
          "predict",
          MACHINE,
          "--nodes=1,2",
          "--collective=" + operations,
          "--sizes=1M",
          "--format=csv",
          "-o",
          table.toString());
    }
    return table;
  }

  /** Whether a command refuses a call; a release of an upgrade is two. */
  private boolean isRefused(String command, String operation, String format, List<String> more) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(QUESTIONS.getOrDefault(command, List.of()));
    words.addAll(List.of("--collective", operation, "--sizes", "1M"));
    if (!format.isEmpty()) {
      words.addAll(List.of("--format", format));
    }
    if (command.equals("report")) {
      words.addAll(List.of("-o", folder.resolve("report.html").toString()));
    }
    words.addAll(more);
    if (command.equals("upgrade")) {
      words.removeAll(List.of("--nccl", "2.27.5"));
      words.addAll(List.of("--nccl", "2.27.5,2.28.9"));
    }
    CliRun run = CliRun.of(words.toArray(String[]::new));
    return run.status() > 1;
  }

  private TreeSet<String> refused() {
    TreeSet<String> refused = new TreeSet<>();
    for (String command : QUESTIONS.keySet()) {
      for (String format : formats(command)) {
        OPTIONS.forEach(
            (option, words) -> {
              if (isRefused(command, "all_reduce", format, words)) {
                refused.add(command + " " + option);
              }
            });
        for (Operation operation : Operation.all()) {
          String name = operation.ncclTestsName();
          if (operation != PeerOperation.HYPERCUBE && isRefused(command, name, format, List.of())) {
            refused.add(command + " --collective " + name);
          }
        }
      }
    }
    return refused;
  }

  @Test
  void nothingIsRefused() {
    assertEquals(new TreeSet<>(), refused(), "docs/questions.md says so");
  }

  @Test
  void tablesOfPredictionsAreDrawnOfAllOperations() {
    for (Operation operation : Operation.all()) {
      if (operation != PeerOperation.HYPERCUBE) {
        String name = operation.ncclTestsName();
        assertEquals(
            0, CliRun.of("chart", "--scaling", table().toString(), "--collective", name).status());
      }
    }
  }
}
