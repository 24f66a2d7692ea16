package dev.topo.document;

import dev.topo.model.QuantityFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table of docs/expected.md: the large calls of three operations on each machine and number of
 * nodes. Machines, and numbers of nodes of a machine, with equal cells share a row; the names are
 * in the first row of each machine.
 */
final class ExpectedTable {
  /** First that which the limit and the published figures are about; the file has all six. */
  private static final List<String> OPERATIONS = List.of("all_reduce", "all_gather", "alltoall");

  /** The size whose busbw is usually published; the file has smaller ones. */
  private static final long LARGE = 1L << 30;

  /** Lies between its neighbours: shown where a figure was published, the file always has it. */
  private static final int BETWEEN = 8;

  /** By the first word of a limit, or by all of it. */
  private static final Map<String, String> KINDS =
      Map.of(
          "NIC", "NIC",
          "NVL", "NVLink",
          "PCI", "PCIe",
          "SYS", "SYS",
          "host", "host",
          "links in a node", "node");

  private final List<ExpectedRow> rows;
  private final List<PublishedFigure> published;

  /** Each with its number, from 1. */
  private final Map<String, Integer> sources = new LinkedHashMap<>();

  private ExpectedTable(List<ExpectedRow> rows, List<PublishedFigure> published) {
    this.rows = rows;
    this.published = published;
  }

  /** The table, and below it the sources of its published figures. */
  static String of(List<ExpectedRow> rows, List<PublishedFigure> published) {
    return new ExpectedTable(rows, published).text();
  }

  /** The numbers of nodes of a machine whose cells are equal. */
  private record Line(List<Integer> nodes, String cells) {}

  private String text() {
    StringBuilder table = new StringBuilder();
    table.append("| machine | nodes | all_reduce | all_gather | alltoall | limit | published |\n");
    table.append("|---|--:|--:|--:|--:|---|---|\n");
    Map<List<Line>, List<String>> machines = new LinkedHashMap<>();
    rows.stream()
        .map(ExpectedRow::machine)
        .distinct()
        .forEach(
            machine ->
                machines.computeIfAbsent(lines(machine), key -> new ArrayList<>()).add(machine));
    machines.forEach(
        (lines, names) ->
            lines.stream()
                .filter(line -> isShown(names, line))
                .forEach(line -> table.append(markdown(names, line, line == lines.get(0)))));
    String list =
        sources.entrySet().stream()
            .map(source -> "[%d] %s".formatted(source.getValue(), source.getKey()))
            .collect(Collectors.joining("; "));
    return table.append("\nPublished: ").append(list).append(".\n").toString();
  }

  private boolean isShown(List<String> machines, Line line) {
    return !line.nodes.equals(List.of(BETWEEN))
        || machines.stream().anyMatch(name -> published(name, BETWEEN).findAny().isPresent());
  }

  private List<Line> lines(String machine) {
    List<Line> lines = new ArrayList<>();
    TreeSet<Integer> nodes =
        rows.stream()
            .filter(row -> row.machine().equals(machine))
            .map(ExpectedRow::nodes)
            .collect(Collectors.toCollection(TreeSet::new));
    for (int count : nodes) {
      String cells = cells(machine, count);
      Line last = lines.isEmpty() ? new Line(List.of(), "") : lines.get(lines.size() - 1);
      if (last.cells.equals(cells)) {
        lines.set(
            lines.size() - 1,
            new Line(Stream.concat(last.nodes.stream(), Stream.of(count)).toList(), cells));
      } else {
        lines.add(new Line(List.of(count), cells));
      }
    }
    return lines;
  }

  private String cells(String machine, int nodes) {
    List<String> cells = new ArrayList<>();
    for (String operation : OPERATIONS) {
      cells.add(row(machine, nodes, operation, LARGE).map(ExpectedRow::busbwInRange).orElse("-"));
    }
    String limit =
        row(machine, nodes, OPERATIONS.get(0), LARGE).map(ExpectedRow::limit).orElse("-");
    String kind = KINDS.getOrDefault(limit.split(" ", -1)[0], limit);
    cells.add(KINDS.getOrDefault(limit, kind));
    return String.join(" | ", cells);
  }

  private Optional<ExpectedRow> row(String machine, int nodes, String operation, long bytes) {
    return rows.stream()
        .filter(row -> row.machine().equals(machine) && row.nodes() == nodes)
        .filter(row -> row.operation().equals(operation) && row.bytes() == bytes)
        .findFirst();
  }

  private String markdown(List<String> machines, Line line, boolean isFirst) {
    String names =
        isFirst ? machines.stream().map("`%s`"::formatted).collect(Collectors.joining(", ")) : "";
    int first = line.nodes.get(0);
    int last = line.nodes.get(line.nodes.size() - 1);
    String nodes = first == last ? String.valueOf(first) : first + "–" + last;
    String figures =
        machines.stream()
            .flatMap(machine -> line.nodes.stream().flatMap(count -> figures(machine, count)))
            .collect(Collectors.joining(", "));
    // Empty cells at the end of a row can be left out.
    String end = figures.isEmpty() ? "" : " " + figures + " |";
    return "| %s | %s | %s |%s\n".formatted(names, nodes, line.cells, end);
  }

  /** What was published of the large AllReduce, with the number of its source. */
  private Stream<String> figures(String machine, int nodes) {
    return published(machine, nodes)
        .map(
            figure -> {
              String source = figure.source().split("[:;,] ", -1)[0];
              int number = sources.computeIfAbsent(source, key -> sources.size() + 1);
              return "%s[%d]".formatted(QuantityFormat.bandwidth(figure.busbwGBps()), number);
            });
  }

  private Stream<PublishedFigure> published(String machine, int nodes) {
    return row(machine, nodes, OPERATIONS.get(0), LARGE).stream()
        .flatMap(row -> published.stream().filter(figure -> figure.isOf(row)));
  }
}
