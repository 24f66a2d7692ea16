package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Quantiles;
import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Replays of traced jobs by {@code topo run --workload} on a real GPU, beside the traces. {@code
 * src/test/gpu/collect-replays.sh} makes the archive.
 */
class ReplaysOnGpusTest {
  private static final long MIB = 1 << 20;
  private static final double BOUND = 0.05;
  private static final List<String> REPLAYS = List.of("1", "2", "gaps");
  private static final Map<String, String> JOBS = new LinkedHashMap<>();
  private static Map<String, String> files = Map.of();

  static {
    JOBS.put("tensor", "tensor parallel");
    JOBS.put("sequence", "sequence parallel");
    JOBS.put("pipeline", "pipeline parallel");
    JOBS.put("mix", "four groups in a step");
  }

  /** By which parts the times of calls in the trace and in the replay differ, by size. */
  private record Errors(List<Double> large, List<Double> small) {
    Errors() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(Errors other) {
      large.addAll(other.large);
      small.addAll(other.small);
    }
  }

  @BeforeAll
  static void read() throws IOException {
    files = CheckedArchive.unpacked("h200-replays.tar.gz");
  }

  @Test
  void theDocumentSaysHowFarReplaysAreFromTraces() throws IOException {
    AccuracyFile file =
        new AccuracyFile(
            "ranks,job,calls,from_1_mib_median_percent,from_1_mib_p90_percent,below_median_percent,below_p90_percent");
    StringBuilder table =
        new StringBuilder("| ranks | calls | from 1 MiB | below |\n|---|---|---|---|\n");
    addRuns(file, table, "a GPU for each", onTwoGpus());
    addRuns(file, table, "both on one GPU", List.of(files));
    file.check("replays.csv");
    DocumentTables.check(
        "src/test/resources/checked/README.md", Map.of("replays", table.toString()));
  }

  /** The runs on two GPUs, each with traces of its own. */
  private static List<Map<String, String>> onTwoGpus() throws IOException {
    return List.of(
        CheckedArchive.unpacked("h200-x2-replays.tar.gz"),
        CheckedArchive.unpacked("h200-x2-replays-again.tar.gz"));
  }

  /** A row of the file for each job, and one of the page for all of them. */
  private static void addRuns(
      AccuracyFile file, StringBuilder table, String ranks, List<Map<String, String>> runs) {
    Errors all = new Errors();
    for (Map.Entry<String, String> job : JOBS.entrySet()) {
      Errors errors = new Errors();
      for (Map<String, String> run : runs) {
        REPLAYS.forEach(replay -> errors.add(errors(run, job.getKey() + "." + replay + ".json")));
      }
      add(file, ranks, job.getValue(), errors);
      all.add(errors);
    }
    add(file, ranks, "all", all);
    table.append(row(ranks, all));
    assertTrue(Quantiles.of(all.large, 0.5) <= BOUND, table.toString());
  }

  private static void add(AccuracyFile file, String ranks, String job, Errors errors) {
    file.add(
        ranks,
        job,
        errors.large.size() + errors.small.size(),
        AccuracyFile.percent(Quantiles.of(errors.large, 0.5)),
        AccuracyFile.percent(Quantiles.of(errors.large, 0.9)),
        AccuracyFile.percent(Quantiles.of(errors.small, 0.5)),
        AccuracyFile.percent(Quantiles.of(errors.small, 0.9)));
  }

  /** Both ranks had the GPU's memory between them, not the network. */
  @Test
  void theRanksSentByP2p() {
    List<String> lines = files.get("transports.txt").lines().toList();
    assertEquals(24, lines.stream().filter(line -> line.contains("/0 : 0[0] -> 1[0]")).count());
    assertTrue(lines.stream().allMatch(line -> line.endsWith("via P2P/CUMEM")), lines.toString());
  }

  private static Errors errors(Map<String, String> run, String file) {
    Errors errors = new Errors();
    for (JsonNode call : new JsonMapper().readTree(run.get(file)).get("calls")) {
      boolean isAlone =
          !call.get("overlapped").asBoolean()
              && !call.get("concurrent").asBoolean()
              && !call.get("waitingIncluded").asBoolean();
      if (isAlone && !call.get("tracedToReplayed").isNull()) {
        List<Double> of = call.get("bytes").asLong() >= MIB ? errors.large : errors.small;
        double error = Math.abs(call.get("tracedToReplayed").asDouble() - 1);
        of.addAll(Collections.nCopies(call.get("count").asInt(), error));
      }
    }
    return errors;
  }

  private static String row(String job, Errors errors) {
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %s | %s |\n",
        job,
        errors.large.size() + errors.small.size(),
        percents(errors.large),
        percents(errors.small));
  }

  private static String percents(List<Double> errors) {
    return String.format(
        Locale.ROOT,
        "%.1f, %.1f %%",
        100 * Quantiles.of(errors, 0.5),
        100 * Quantiles.of(errors, 0.9));
  }
}
