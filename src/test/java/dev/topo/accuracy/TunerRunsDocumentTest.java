package dev.topo.accuracy;

import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the tuner file of {@code topo predict} gained and cost when real NCCL ran with it. */
class TunerRunsDocumentTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/measured");
  private static final List<Long> MIDDLE =
      List.of(1L << 20, 2L << 20, 4L << 20, 8L << 20, 16L << 20);
  private static final List<String> COLLECTIVES =
      List.of("all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce");

  private record Run(
      String mode, String collective, String file, long bytes, double fastestUs, double medianUs) {
    static List<Run> all(String folder) throws IOException {
      return Files.readAllLines(FOLDER.resolve(folder).resolve("runs.csv")).stream()
          .skip(1)
          .map(line -> line.split(",", -1))
          .map(
              cell ->
                  new Run(
                      cell[0],
                      cell[1],
                      cell[2],
                      Long.parseLong(cell[3]),
                      Double.parseDouble(cell[5]),
                      Double.parseDouble(cell[6])))
          .toList();
    }
  }

  private static Run find(List<Run> runs, String mode, String collective, String file, long bytes) {
    return runs.stream()
        .filter(run -> run.mode().equals(mode) && run.file().equals(file))
        .filter(run -> run.collective().equals(collective) && run.bytes() == bytes)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theDocumentSaysWhatWasMeasured() throws IOException {
    List<Run> runs = Run.all("h200-x4-tuner-plugin");
    List<Run> again = Run.all("h200-x4-tuner-plugin-again");
    DocumentTables.check(
        "docs/tuner-plugin.md",
        Map.of(
            "all-gather again",
            allGather(again),
            "2 MiB again",
            atTwoMebibytes(again),
            "all-gather",
            allGather(runs),
            "others",
            others(runs, Map.of("launched", 4L << 20, "graph", 4L << 20)),
            "all-gather by threads",
            allGather(Run.all("h200-x4-tuner-plugin-threads")),
            "four GPUs",
            others(
                Run.all("h200-x4-tuner-plugin-threads"),
                Map.of("threads", 1L << 20, "graph", 1L << 20)),
            "two GPUs",
            others(Run.all("h200-x2-tuner-plugin"), Map.of("threads", 2L << 20, "graph", 0L))));
  }

  private static String allGather(List<Run> runs) {
    StringBuilder table =
        new StringBuilder(
            "| calls | file | 1 MiB | 2 MiB | 4 MiB | 8 MiB | 16 MiB | faster, geometric mean |\n"
                + "|---|---|---:|---:|---:|---:|---:|---:|\n");
    for (String mode : List.of("launched", "threads", "graph")) {
      for (String file : List.of("none", "predicted", "graph", "measured")) {
        if (runs.stream().anyMatch(run -> run.mode().equals(mode) && run.file().equals(file))) {
          List<String> cells = new ArrayList<>(List.of(mode, file));
          for (long bytes : MIDDLE) {
            cells.add(us(find(runs, mode, "all_gather", file, bytes).medianUs()));
          }
          cells.add(file.equals("none") ? "" : percent(gain(runs, mode, file)));
          table.append("| ").append(String.join(" | ", cells)).append(" |\n");
        }
      }
    }
    return table.toString();
  }

  private static double gain(List<Run> runs, String mode, String file) {
    double product = 1;
    for (long bytes : MIDDLE) {
      product *=
          find(runs, mode, "all_gather", "none", bytes).medianUs()
              / find(runs, mode, "all_gather", file, bytes).medianUs();
    }
    return Math.pow(product, 1.0 / MIDDLE.size());
  }

  /** How far calls of the least size and above are off, at most, by the mode of the calls. */
  private static String others(List<Run> runs, Map<String, Long> leastBytes) {
    StringBuilder table =
        new StringBuilder(
            "| collective | calls | at most slower | at most faster |\n|---|---|---:|---:|\n");
    for (String collective : COLLECTIVES) {
      for (String mode : List.of("launched", "threads", "graph")) {
        Long least = leastBytes.get(mode);
        if (least == null) {
          continue;
        }
        String file = fileOf(runs, mode);
        List<Double> gains =
            runs.stream()
                .filter(run -> run.mode().equals(mode) && run.file().equals(file))
                .filter(run -> run.collective().equals(collective) && run.bytes() >= least)
                .map(
                    run ->
                        find(runs, mode, collective, "none", run.bytes()).medianUs()
                            / run.medianUs())
                .sorted()
                .toList();
        table.append(
            String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s |%n",
                collective,
                mode,
                percent(Math.max(1, 1 / gains.get(0))),
                percent(Math.max(1, gains.get(gains.size() - 1)))));
      }
    }
    return table.toString();
  }

  /** Some replays ran with the file for replays only. */
  private static String fileOf(List<Run> runs, String mode) {
    boolean predicted =
        runs.stream().anyMatch(run -> run.mode().equals(mode) && run.file().equals("predicted"));
    return predicted ? "predicted" : "graph";
  }

  /** Calls of which that file had another choice, a thread for each GPU. */
  private static String atTwoMebibytes(List<Run> runs) {
    StringBuilder table = new StringBuilder("| 2 MiB | none | by LL128 |\n|---|---:|---:|\n");
    for (String collective : List.of("broadcast", "reduce")) {
      List<String> cells = new ArrayList<>(List.of(collective));
      for (String file : List.of("none", "predicted")) {
        cells.add(us(find(runs, "threads", collective, file, 2L << 20).medianUs()));
      }
      table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
    return table.toString();
  }

  private static String us(double value) {
    return String.format(Locale.ROOT, "%.1f us", value);
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%.1f %%", (ratio - 1) * 100);
  }
}
