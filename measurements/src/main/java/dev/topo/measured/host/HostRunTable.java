package dev.topo.measured.host;

import dev.topo.measured.format.CsvTable;
import dev.topo.measured.format.CsvTable.Row;
import dev.topo.measured.host.HostRun.Rate;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Pairs of hosts in a table: a row for each pair ({@code a,b,bytes,busbw_gbps}), or a square whose
 * heading and first column name the hosts and whose cells are rates in GB/s.
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

  /** Whether the first line of a text is a heading. */
  static boolean isOne(String text) {
    return text.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .findFirst()
        .filter(line -> line.contains(","))
        .isPresent();
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
      throw new TopologyFormatException(SourceLocation.of(file), "has no row below the heading");
    }
    return runs;
  }

  private Optional<String> column(List<String> names) {
    return names.stream().filter(table::has).findFirst();
  }

  private List<HostRun> rows(String first, String second) {
    Optional<String> rate = column(RATES);
    boolean hasTime = table.has("time_us");
    List<HostRun> runs = new ArrayList<>();
    for (Row row : table.rows()) {
      table.checkWidth(row);
      long bytes =
          table.has("bytes") ? table.integer(row, "bytes", 0, Long.MAX_VALUE, "0 or more") : 0;
      Optional<Rate> measured = Optional.empty();
      if (rate.isPresent() && !isMissing(table.cell(row, rate.get()))) {
        measured = Optional.of(rate(row, rate.get(), bytes, table.number(row, rate.get())));
      } else if (rate.isEmpty() && hasTime && !isMissing(table.cell(row, "time_us"))) {
        double us = table.number(row, "time_us");
        measured = Optional.of(rate(row, "time_us", bytes, Math.max(1, bytes) / us / BYTES_PER_US));
      } else if (rate.isEmpty() && !hasTime) {
        throw table.wrong(row, 0, "expected a column busbw_gbps or time_us");
      }
      String test = table.cellIfAny(row, "collective");
      runs.add(
          new HostRun(
              file + ":" + row.number(),
              test,
              hosts(table.cell(row, first), table.cell(row, second)),
              ports(row, first, second),
              measured.map(List::of).orElse(List.of()),
              0));
    }
    return runs;
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
        if (!other.equals(host) && !isMissing(cell)) {
          double gbps = table.number(row, other);
          runs.add(
              new HostRun(
                  file + ":" + row.number(),
                  "",
                  List.of(host, other),
                  List.of(),
                  List.of(rate(row, other, 0, gbps)),
                  0));
        }
      }
    }
    return runs;
  }

  private static boolean isMissing(String cell) {
    return cell.isEmpty() || cell.matches("(?i)-|x|nan|n/?a|none|null|fail\\w*|timeout|inf");
  }
}
