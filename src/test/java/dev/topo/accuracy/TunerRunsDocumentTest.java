package dev.topo.accuracy;

import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the tuner file of {@code topo predict} gained and cost when real NCCL ran with it. */
class TunerRunsDocumentTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("topo.root")).resolve("src/test/resources/measured");
  private static final List<Long> MIDDLE =
      List.of(1L << 20, 2L << 20, 4L << 20, 8L << 20, 16L << 20);
  private static final List<Part> PARTS =
      List.of(
          new Part("four, 11-20", "h200-x4-tuner-plugin", "launched", "predicted", 4 << 20),
          new Part("four, 11-20", "h200-x4-tuner-plugin", "launched", "measured", 4 << 20),
          new Part("four, 11-20", "h200-x4-tuner-plugin", "graph", "predicted", 4 << 20),
          new Part("four, 11-22", "h200-x4-tuner-plugin-threads", "threads", "predicted", 1 << 20),
          new Part("four, 11-22", "h200-x4-tuner-plugin-threads", "graph", "predicted", 1 << 20),
          new Part("four, 11-22", "h200-x4-tuner-plugin-threads", "graph", "graph", 1 << 20),
          new Part("four, again", "h200-x4-tuner-plugin-again", "threads", "predicted", 1 << 20),
          new Part("four, again", "h200-x4-tuner-plugin-again", "graph", "graph", 1 << 20),
          new Part("two, 11-22", "h200-x2-tuner-plugin", "threads", "predicted", 2 << 20),
          new Part("two, 11-22", "h200-x2-tuner-plugin", "graph", "graph", 0));

  /** Runs with one file; those below a size say nothing of it, as launches decide their times. */
  private record Part(String name, String folder, String mode, String file, long leastBytes) {}

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
    StringBuilder table =
        new StringBuilder(
            "| H200, 2026 | calls | file | all-gather, % faster | most % slower | most % faster |\n"
                + "|---|---|---|---:|---:|---:|\n");
    for (Part part : PARTS) {
      List<Run> runs = Run.all(part.folder());
      double[] gains =
          with(runs, part.mode(), part.file())
              .filter(run -> run.bytes() >= part.leastBytes())
              .mapToDouble(run -> gain(runs, run))
              .sorted()
              .toArray();
      table.append(
          "| %s | %s | %s | %s | %s | %s |\n"
              .formatted(
                  part.name(),
                  part.mode(),
                  part.file(),
                  percent(ofAllGather(runs, part)),
                  percent(Math.max(1, 1 / gains[0])),
                  percent(Math.max(1, gains[gains.length - 1]))));
    }
    DocumentTables.check("docs/advise.md", Map.of("tuner files", table.toString()));
  }

  @Test
  void theFileHasEveryRun() throws IOException {
    StringBuilder csv =
        new StringBuilder("runs,calls,collective,bytes,file,without_us,with_us,faster_percent\n");
    for (String folder : PARTS.stream().map(Part::folder).distinct().toList()) {
      List<Run> runs = Run.all(folder);
      for (Run run : runs) {
        if (!run.file().equals("none")) {
          csv.append(
              String.format(
                  Locale.ROOT,
                  "%s,%s,%s,%d,%s,%.2f,%.2f,%s%n",
                  folder,
                  run.mode(),
                  run.collective(),
                  run.bytes(),
                  run.file(),
                  without(runs, run).medianUs(),
                  run.medianUs(),
                  percent(gain(runs, run))));
        }
      }
    }
    DocumentTables.checkFile("docs/advise/tuner-runs.csv", csv.toString());
  }

  private static Stream<Run> with(List<Run> runs, String mode, String file) {
    return runs.stream().filter(run -> run.mode().equals(mode) && run.file().equals(file));
  }

  /** The same call without the plugin. */
  private static Run without(List<Run> runs, Run run) {
    return find(runs, run.mode(), run.collective(), "none", run.bytes());
  }

  private static double gain(List<Run> runs, Run run) {
    return without(runs, run).medianUs() / run.medianUs();
  }

  /** The geometric mean of the gains of all-gather. */
  private static double ofAllGather(List<Run> runs, Part part) {
    double product = 1;
    for (long bytes : MIDDLE) {
      product *= gain(runs, find(runs, part.mode(), "all_gather", part.file(), bytes));
    }
    return Math.pow(product, 1.0 / MIDDLE.size());
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%.1f", (ratio - 1) * 100);
  }
}
