package dev.topo.inspect.measured;

import dev.topo.inspect.measured.CsvTable.Row;
import dev.topo.inspect.measured.HostRun.Rate;
import dev.topo.model.io.TopologyFormatException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Table of pairs of hosts: a row for each pair ({@code a,b,bytes,busbw_gbps}), or a square with
 * hosts in the heading and the first column and rates in GB/s in its cells.
 */
final class HostRunTable {
  private static final List<String> FIRST =
      List.of("a", "host_a", "node_a", "src", "source", "from", "host1", "node1", "first");
  private static final List<String> SECOND =
      List.of("b", "host_b", "node_b", "dst", "destination", "to", "host2", "node2", "second");
  private static final List<String> RATES =
      List.of("busbw_gbps", "busbw", "algbw_gbps", "algbw", "bandwidth_gbps", "bw_gbps", "gbps");
  private static final List<String> PORTS = List.of("nic", "hca", "rail", "port");
  private static final List<String> FIRST_PORT = List.of("nic_a", "hca_a", "src_nic", "nic1");
  private static final List<String> SECOND_PORT = List.of("nic_b", "hca_b", "dst_nic", "nic2");
  private static final double BYTES_PER_US = 1e3;

  private final CsvTable table;
  private final String file;

  private HostRunTable(String text, String file) {
    this.table = new CsvTable(text, file);
    this.file = file;
  }

  /** True if a text looks like a table: its first line has a comma. */
  static boolean isOne(String text) {
    return RunReader.heading(text).contains(",");
  }

  static List<HostRun> read(String text, String file) {
    HostRunTable reader = new HostRunTable(text, file);
    Optional<String> first = reader.column(FIRST);
    Optional<String> second = reader.column(SECOND);
    List<HostRun> runs =
        first.isPresent() && second.isPresent()
            ? reader.rows(first.get(), second.get())
            : reader.square();
    if (runs.isEmpty()) {
      throw new TopologyFormatException(file, "has no row below the heading");
    }
    return runs;
  }

  private Optional<String> column(List<String> names) {
    return names.stream().filter(table::has).findFirst();
  }

  /** Values that the rows of one run have in common; each row is one size. */
  private record RunKey(String test, List<String> hosts, List<String> ports) {}

  /**
   * Returns the runs of the table; rows with the same test, hosts and ports are sizes of one run.
   */
  private List<HostRun> rows(String first, String second) {
    Map<RunKey, List<Rate>> rates = new LinkedHashMap<>();
    Map<RunKey, String> sources = new HashMap<>();
    for (Row row : table.rows()) {
      table.checkWidth(row);
      RunKey key =
          new RunKey(
              table.cellIfAny(row, "collective"),
              hosts(table.cell(row, first), table.cell(row, second)),
              ports(row, first, second));
      sources.putIfAbsent(key, file + ":" + row.number());
      List<Rate> ofRun = rates.computeIfAbsent(key, k -> new ArrayList<>());
      measured(row).ifPresent(ofRun::add);
    }
    return rates.entrySet().stream()
        .map(
            entry ->
                new HostRun(
                    Objects.requireNonNull(sources.get(entry.getKey())),
                    entry.getKey().test,
                    entry.getKey().hosts,
                    entry.getKey().ports,
                    entry.getValue(),
                    0))
        .toList();
  }

  /** Rate of a row; empty if it has none. */
  private Optional<Rate> measured(Row row) {
    Optional<String> rate = column(RATES);
    boolean hasTime = table.has("time_us");
    long bytes =
        table.has("bytes") ? table.integer(row, "bytes", 0, Long.MAX_VALUE, "0 or more") : 0;
    if (rate.isPresent()) {
      return isMissing(table.cell(row, rate.get()))
          ? Optional.empty()
          : Optional.of(rate(row, rate.get(), bytes, table.number(row, rate.get())));
    }
    if (!hasTime) {
      throw table.wrong(row, 0, "expected a column busbw_gbps or time_us");
    }
    return isMissing(table.cell(row, "time_us"))
        ? Optional.empty()
        : Optional.of(
            rate(
                row,
                "time_us",
                bytes,
                Math.max(1, bytes) / table.number(row, "time_us") / BYTES_PER_US));
  }

  private Rate rate(Row row, String column, long bytes, double gbps) {
    try {
      return new Rate(bytes, gbps);
    } catch (IllegalArgumentException e) {
      throw table.wrong(row, column, String.valueOf(e.getMessage()));
    }
  }

  private static List<String> hosts(String a, String b) {
    return a.equals(b) ? List.of(a) : List.of(a, b);
  }

  private List<String> ports(Row row, String first, String second) {
    Optional<String> ofFirst = column(FIRST_PORT);
    Optional<String> ofSecond = column(SECOND_PORT);
    if (ofFirst.isPresent() && ofSecond.isPresent()) {
      List<String> both = List.of(table.cell(row, ofFirst.get()), table.cell(row, ofSecond.get()));
      return table.cell(row, first).equals(table.cell(row, second)) ? both.subList(0, 1) : both;
    }
    return column(PORTS)
        .map(name -> table.cell(row, name))
        .filter(name -> !name.isEmpty())
        .map(List::of)
        .orElse(List.of());
  }

  private List<HostRun> square() {
    List<HostRun> runs = new ArrayList<>();
    List<List<String>> empty = new ArrayList<>();
    for (Row row : table.rows()) {
      table.checkWidth(row);
      String host = row.cells().get(0);
      if (!table.has(host)) {
        throw table.wrong(
            row,
            0,
            "\""
                + host
                + "\" is not a column: expected columns a, b and busbw_gbps or time_us, or a square table of hosts");
      }
      for (int c = 1; c < row.cells().size(); c++) {
        String other = table.name(c);
        String cell = row.cells().get(c);
        if (other.equals(host)) {
          continue;
        }
        if (cell.isEmpty()) {
          empty.add(List.of(host, other));
          continue;
        }
        List<Rate> rates =
            isMissing(cell) ? List.of() : List.of(rate(row, other, 0, table.number(row, other)));
        runs.add(cell(row.number(), List.of(host, other), rates));
      }
    }
    addHostsWithoutRuns(runs, empty);
    return runs;
  }

  private HostRun cell(int row, List<String> hosts, List<Rate> rates) {
    return new HostRun(file + ":" + row, "", hosts, List.of(), rates, 0);
  }

  /**
   * Adds failed runs for hosts with empty cells only; other empty cells are pairs that were not
   * run.
   */
  private void addHostsWithoutRuns(List<HostRun> runs, List<List<String>> empty) {
    Set<String> run = new HashSet<>();
    runs.forEach(other -> run.addAll(other.hosts()));
    empty.stream()
        .filter(pair -> !run.containsAll(pair))
        .forEach(pair -> runs.add(cell(1, pair, List.of())));
  }

  /**
   * True for a cell without a rate: empty, a word such as n/a, or 0, which means a failed run or a
   * rate that was rounded down.
   */
  private static boolean isMissing(String cell) {
    return cell.isEmpty()
        || cell.matches("(?i)-|x|nan|n/?a|none|null|fail\\w*|error|timeout|inf|0+(\\.0*)?");
  }
}
