package dev.topo.accuracy;

import dev.topo.model.fixture.DocumentTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The first table of docs/accuracy.md is what the files of docs/accuracy say, which other tests
 * keep up to date. {@code -Dgolden.update=true} writes it, in a run after the one that writes the
 * files.
 */
class AccuracySummaryTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("topo.root")).resolve("docs/accuracy");

  private static final Map<String, String> NETWORKS =
      Map.of("rdma", "InfiniBand/RoCE", "slingshot", "Slingshot", "efa", "EFA");

  /** A row of a file, by the names of its columns. */
  private record Row(Map<String, String> cells) {
    String get(String column) {
      String cell = cells.get(column);
      if (cell == null) {
        throw new IllegalArgumentException("no column " + column + " in " + cells.keySet());
      }
      return cell;
    }

    boolean is(String column, String value) {
      return get(column).equals(value);
    }

    /** The last cells of a line: times, errors and range. */
    String line(String times, String range) {
      return "%s | %s | %s | %s |\n"
          .formatted(get(times), get("median_percent"), get("p90_percent"), range);
    }

    /** How many of the times with a range it holds. */
    String inRange() {
      double with = Double.parseDouble(get("with_range"));
      return with == 0
          ? "none stated"
          : String.format(Locale.ROOT, "%.0f", 100 * Double.parseDouble(get("in_range")) / with);
    }
  }

  private static Stream<Row> rows(String name) throws IOException {
    List<String> columns =
        Files.readAllLines(FOLDER.resolve(name))
            .get(0)
            .lines()
            .flatMap(line -> Stream.of(line.split(",", -1)))
            .toList();
    List<Row> rows = new ArrayList<>();
    for (List<String> cells : AccuracyFile.rows(name)) {
      Map<String, String> row = new HashMap<>();
      for (int i = 0; i < cells.size(); i++) {
        row.put(columns.get(i), cells.get(i));
      }
      rows.add(new Row(row));
    }
    return rows.stream();
  }

  private static String h200() throws IOException {
    StringBuilder text = new StringBuilder();
    rows("h200-series.csv")
        .filter(row -> row.is("set", "4 GPUs, 18 series, 8 B to 4 GiB"))
        .map(row -> "| 4 H200, one process | all | none: fitted | " + row.line("times", "-"))
        .forEach(text::append);
    rows("h200-processes.csv")
        .filter(row -> row.is("runs", "default.csv") && row.is("operation", "all"))
        .filter(row -> row.is("place", "out of place"))
        .map(row -> "| 2 H200, a process each | all | the size | " + row.line("left_out", "-"))
        .forEach(text::append);
    rows("h200-other-machines.csv")
        .filter(row -> row.is("runs", "launches-known.csv") && row.is("launched_by", "processes"))
        .map(
            row ->
                "| 2 H200, another host, launch stated | %s | all | %s"
                    .formatted(row.get("sizes"), row.line("times", row.inRange())))
        .forEach(text::append);
    return text.toString();
  }

  private static String generations() throws IOException {
    return rows("generations-errors.csv")
        .filter(row -> row.is("left_out", "size") && row.is("operation", "all"))
        .filter(row -> row.is("sizes", "from 256 KiB") || row.is("sizes", "below 256 KiB"))
        .map(
            row ->
                "| %s | %s | the size | %s"
                    .formatted(
                        row.get("system"),
                        row.get("sizes"),
                        row.line("times", rounded(row.get("in_range_percent")))))
        .collect(Collectors.joining());
  }

  private static String rounded(String percent) {
    return String.format(Locale.ROOT, "%.0f", Double.parseDouble(percent));
  }

  private static String networks() throws IOException {
    return rows("networks-simpler.csv")
            .filter(row -> NETWORKS.containsKey(row.get("network")))
            .map(
                row ->
                    "| nodes, %s | %s | the cluster | %s"
                        .formatted(
                            NETWORKS.get(row.get("network")),
                            row.get("sizes"),
                            row.line("rows", row.inRange())))
            .collect(Collectors.joining())
        + rows("outside.csv")
            .filter(row -> row.is("set", "one node"))
            .map(
                row ->
                    "| collected afterwards: one node | all | all | "
                        + row.line("rows", row.inRange()))
            .collect(Collectors.joining())
        + rows("networks.csv")
            .filter(row -> row.is("network", "sockets"))
            .map(
                row ->
                    "| nodes, TCP, %s | all | %s | %s"
                        .formatted(
                            row.get("cluster"),
                            row.is("sizes", "all") ? "all" : "the size",
                            row.line("rows", "none stated")))
            .collect(Collectors.joining());
  }

  @Test
  void theSummaryIsWhatTheFilesSay() throws IOException {
    DocumentTables.check(
        "docs/accuracy.md",
        Map.of(
            "summary",
            "| machine | sizes | not seen by the fit | times | median | 90th percentile | % in range |\n"
                + "|---|---|---|---:|---:|---:|---:|\n"
                + h200()
                + generations()
                + networks()));
  }
}
