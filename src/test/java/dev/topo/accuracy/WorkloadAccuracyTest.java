package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.Quantiles;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.io.Inputs;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.workload.CallJoiner;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.WorkloadComparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The tables of docs/workload.md are what the model and the traces of two H200 give, by the error
 * of each call. {@code -Dgolden.update=true} writes them. The model has seen these traces: the
 * document says what of it.
 */
class WorkloadAccuracyTest {
  private static final Path TRACES =
      Path.of(System.getProperty("topo.root"), "src/test/resources/measured/h200-x2-workloads");
  private static final long MIB = 1 << 20;

  private static final Map<String, WorkloadComparison> JOBS = new LinkedHashMap<>();

  @BeforeAll
  static void read() {
    JobResult both = new JobEvaluator().evaluate(LeverRuns.request());
    for (String job : List.of("ddp", "fsdp", "moe", "tp", "sp", "pp", "mix")) {
      List<Path> files =
          IntStream.range(0, 2)
              .mapToObj(rank -> TRACES.resolve(job + ".rank" + rank + ".json.gz"))
              .toList();
      JOBS.put(
          job,
          WorkloadComparison.of(
              CallJoiner.join(TraceFiles.read(files, new Inputs(), () -> {}), 2), group -> both));
    }
  }

  private static List<SiteComparison> all() {
    return JOBS.values().stream().flatMap(job -> job.sites().stream()).toList();
  }

  private static double[] errors(List<SiteComparison> sites, Predicate<SiteComparison> which) {
    return sites.stream()
        .filter(SiteComparison::isComparable)
        .filter(which)
        .flatMapToDouble(SiteComparison::errors)
        .sorted()
        .toArray();
  }

  private static boolean isLarge(SiteComparison one) {
    return one.site().kind().bytes() >= MIB;
  }

  private static String row(String name, double[] errors) {
    return errors.length == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "| %s | %d | %.1f %% | %.1f %% | %.1f %% |%n",
            name,
            errors.length,
            100 * Quantiles.of(errors, 0.5),
            100 * Quantiles.of(errors, 0.9),
            100 * errors[errors.length - 1]);
  }

  private static String table() {
    StringBuilder table = new StringBuilder();
    table.append("| calls | number | median | 90 of 100 | largest |\n|---|---:|---:|---:|---:|\n");
    table.append(row("from 1 MiB", errors(all(), WorkloadAccuracyTest::isLarge)));
    table.append(row("below", errors(all(), one -> !isLarge(one))));
    JOBS.forEach(
        (job, comparison) -> {
          List<SiteComparison> sites = comparison.sites();
          table.append(row(job + ", from 1 MiB", errors(sites, WorkloadAccuracyTest::isLarge)));
          table.append(row(job + ", below", errors(sites, one -> !isLarge(one))));
        });
    return table.toString();
  }

  /** Every call of the traces is in one row, the first reason of several. */
  private static String leftOut() {
    Map<String, long[]> rows = new LinkedHashMap<>();
    for (String name :
        List.of(
            "compared",
            "the first call of its kind",
            "beside computation or another call",
            "nothing is expected")) {
      rows.put(name, new long[2]);
    }
    for (SiteComparison one : all()) {
      long counted = one.site().countedUs().length;
      boolean isFirst = one.site().isFirstOnly();
      boolean isBeside = one.site().isOverlapped() || one.site().isConcurrent();
      String why =
          one.isComparable()
              ? "compared"
              : one.expected().isEmpty()
                  ? "nothing is expected"
                  : isBeside ? "beside computation or another call" : "the first call of its kind";
      int size = isLarge(one) ? 0 : 1;
      rows.get(why)[size] += isFirst ? 0 : counted;
      rows.get("the first call of its kind")[size] +=
          isFirst ? counted : one.site().count() - counted;
    }
    StringBuilder table = new StringBuilder();
    table.append("| calls of the traces | from 1 MiB | below |\n|---|---:|---:|\n");
    rows.forEach(
        (name, counts) -> table.append("| %s | %d | %d |\n".formatted(name, counts[0], counts[1])));
    return table.toString();
  }

  @Test
  void tablesAreUpToDate() throws IOException {
    Map<String, String> tables = new LinkedHashMap<>();
    tables.put("calls that ran alone", table());
    tables.put("calls left out", leftOut());
    DocumentTables.check("docs/workload.md", tables);
  }

  @Test
  void callsThatRanAloneTookWhatWasExpected() {
    double[] large = errors(all(), WorkloadAccuracyTest::isLarge);
    double[] small = errors(all(), one -> !isLarge(one));
    assertTrue(Quantiles.of(large, 0.5) < 0.06 && Quantiles.of(large, 0.9) < 0.15, table());
    assertTrue(Quantiles.of(small, 0.9) < 0.25, table());
    List<Boolean> launches = new ArrayList<>();
    all().forEach(one -> one.isChoiceExpected().ifPresent(launches::add));
    assertTrue(launches.stream().allMatch(same -> same), launches.toString());
  }
}
