package dev.topo.accuracy;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.topo.accuracy.OutsideRow.Cluster;
import dev.topo.model.Quantiles;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * docs/accuracy/outside.csv: what the command predicts for runs that no constant is fitted to. The
 * errors are stated, not bounded.
 */
@Tag("slow")
class OutsideTest {
  private static final long LARGE = 1 << 20;

  private static List<OutsideRow> rows(Predicate<OutsideRow> taken) {
    return OutsideRow.all().stream()
        .filter(row -> row.predictedUs().isPresent() && !row.contradicted())
        .filter(taken)
        .toList();
  }

  private static void add(AccuracyFile file, String counted, String set, List<OutsideRow> rows) {
    List<Double> errors = rows.stream().map(row -> Math.abs(row.ratio() - 1)).toList();
    List<OutsideRow> ranged = rows.stream().filter(row -> row.part().isPresent()).toList();
    long inside = ranged.stream().filter(OutsideRow::isInside).count();
    file.add(
        counted,
        set,
        rows.size(),
        String.format(
            Locale.ROOT, "%.2f", Quantiles.of(rows.stream().map(OutsideRow::ratio).toList(), 0.5)),
        AccuracyFile.percent(Quantiles.of(errors, 0.5)),
        AccuracyFile.percent(Quantiles.of(errors, 0.9)),
        ranged.size(),
        inside);
  }

  private static void addAll(
      AccuracyFile file, String counted, List<OutsideRow> rows, Function<OutsideRow, String> name) {
    rows.stream()
        .collect(groupingBy(name, LinkedHashMap::new, toList()))
        .forEach((set, of) -> add(file, counted, set, of));
  }

  private static String kind(OutsideRow row) {
    return row.nodes() == 1
        ? "one node"
        : row.bytes() < LARGE ? "nodes, below 1 MiB" : "nodes, from 1 MiB";
  }

  private static String nodes(OutsideRow row) {
    return row.nodes() <= 4
        ? "nodes: " + row.nodes()
        : row.nodes() <= 32 ? "nodes: 8 to 32" : "nodes: 64 and 128";
  }

  private static AccuracyFile file() {
    AccuracyFile file =
        new AccuracyFile(
            "counted,set,rows,predicted_to_measured,median_percent,p90_percent,with_range,in_range");
    List<OutsideRow> counted = rows(row -> row.cluster().isCounted());
    addAll(file, "yes", counted, OutsideTest::kind);
    addAll(file, "yes", counted, row -> row.cluster().name() + "; " + row.operation().label());
    addAll(file, "yes", counted, row -> row.operation().label());
    addAll(file, "yes", counted, OutsideTest::nodes);
    addAll(file, "yes", counted, OutsideTest::size);
    addAll(
        file,
        "no",
        rows(row -> !row.cluster().isCounted()),
        row -> row.cluster().name() + "; " + row.operation().label());
    return file;
  }

  private static String size(OutsideRow row) {
    long mib = row.bytes() >> 20;
    return mib < 1
        ? "64 to 512 KiB"
        : mib < 16 ? "1 to 8 MiB" : mib < 512 ? "16 to 256 MiB" : "512 MiB and more";
  }

  @Test
  void theFileIsWhatTheCommandPredicts() throws IOException {
    file().checkNearly("outside.csv");
  }

  @Test
  void everyClusterHasRowsAndASource() {
    Map<String, List<OutsideRow>> rows =
        OutsideRow.all().stream().collect(groupingBy(row -> row.cluster().name()));
    Set<String> names = rows.keySet();
    for (Cluster one : OutsideRow.clusters()) {
      assertEquals(true, names.contains(one.name()), one.name());
      assertFalse(one.source().isBlank(), one.name());
    }
  }
}
