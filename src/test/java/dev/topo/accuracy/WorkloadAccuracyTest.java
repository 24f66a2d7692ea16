package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.Quantiles;
import dev.topo.model.fixture.DocumentTables;
import dev.topo.model.io.Inputs;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.TraceMerger;
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
 * The table of docs/workload.md and docs/workload/accuracy.csv are what the model and the traces of
 * two H200 give, by the error of each call. {@code -Dgolden.update=true} writes them. The model has
 * seen these traces: the document says what of it.
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
              TraceMerger.join(TraceFiles.read(files, new Inputs(), () -> {}), 2), group -> both));
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

  private static final List<String> REASONS =
      List.of("first_of_its_kind", "beside_another", "nothing_expected");

  /** The first reason of several why calls are not compared. */
  private static Map<String, Long> leftOut(List<SiteComparison> sites) {
    Map<String, Long> calls = new LinkedHashMap<>();
    REASONS.forEach(reason -> calls.put(reason, 0L));
    for (SiteComparison one : sites) {
      long counted = one.site().isFirstOnly() ? 0 : one.site().countedUs().length;
      calls.merge(REASONS.get(0), one.site().count() - counted, Long::sum);
      if (!one.isComparable()) {
        calls.merge(REASONS.get(one.expected().isEmpty() ? 2 : 1), counted, Long::sum);
      }
    }
    return calls;
  }

  /** Calls, those that are compared, their errors, and those that are left out. */
  private static List<String> cells(List<SiteComparison> sites) {
    double[] errors = errors(sites, one -> true);
    List<String> cells = new ArrayList<>();
    cells.add(String.valueOf(sites.stream().mapToLong(one -> one.site().count()).sum()));
    cells.add(String.valueOf(errors.length));
    for (double part : new double[] {0.5, 0.9, 1}) {
      cells.add(
          errors.length == 0
              ? ""
              : String.format(Locale.ROOT, "%.1f", 100 * Quantiles.of(errors, part)));
    }
    leftOut(sites).values().forEach(calls -> cells.add(String.valueOf(calls)));
    return cells;
  }

  private static List<SiteComparison> part(List<SiteComparison> sites, boolean isLarge) {
    return sites.stream().filter(one -> isLarge(one) == isLarge).toList();
  }

  private static String table() {
    StringBuilder table = new StringBuilder();
    table.append("| size | calls | compared | median | 90 of 100 | largest |\n");
    table.append("|---|---:|---:|---:|---:|---:|\n");
    for (boolean isLarge : new boolean[] {true, false}) {
      List<String> cells = cells(part(all(), isLarge));
      table.append(
          "| %s | %s | %s | %s %% | %s %% | %s %% |\n"
              .formatted(
                  isLarge ? "from 1 MiB" : "below",
                  cells.get(0),
                  cells.get(1),
                  cells.get(2),
                  cells.get(3),
                  cells.get(4)));
    }
    return table.toString();
  }

  private static String csv() {
    StringBuilder csv = new StringBuilder();
    csv.append("job,size,calls,compared,median_percent,p90_percent,largest_percent,");
    csv.append(String.join(",", REASONS)).append('\n');
    JOBS.forEach(
        (job, comparison) -> {
          for (boolean isLarge : new boolean[] {true, false}) {
            List<SiteComparison> sites = part(comparison.sites(), isLarge);
            if (!sites.isEmpty()) {
              csv.append("%s,%s,".formatted(job, isLarge ? "from 1 MiB" : "below 1 MiB"));
              csv.append(String.join(",", cells(sites))).append('\n');
            }
          }
        });
    return csv.toString();
  }

  @Test
  void tablesAreUpToDate() throws IOException {
    DocumentTables.check("docs/workload.md", Map.of("calls that ran alone", table()));
    DocumentTables.checkFile("docs/workload/accuracy.csv", csv());
  }

  /** Every call of the traces is compared or left out for one reason. */
  @Test
  void everyCallIsCounted() {
    for (WorkloadComparison job : JOBS.values()) {
      long leftOut = leftOut(job.sites()).values().stream().mapToLong(calls -> calls).sum();
      assertEquals(
          job.sites().stream().mapToLong(one -> one.site().count()).sum(),
          errors(job.sites(), one -> true).length + leftOut);
    }
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
