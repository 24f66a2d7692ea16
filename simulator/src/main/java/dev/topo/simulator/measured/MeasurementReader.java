package dev.topo.simulator.measured;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.settings.NcclSettings;
import dev.topo.simulator.measured.Measurement.Pair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/**
 * Reads measurements from CSV with a heading: {@code gpus, collective} (nccl-tests' names), {@code
 * forced_algorithm, forced_protocol} (empty for NCCL's choice), {@code bytes, time_us,
 * time_inplace_us}, in any order, and, if channels were forced, {@code channels}; further columns,
 * blank lines and those that begin with # are passed over, and so are sends and receives and sizes
 * of 0.
 */
public final class MeasurementReader {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setIgnoreSurroundingSpaces(true).get();

  private final String file;
  private final Row heading;

  private MeasurementReader(String file, Row heading) {
    this.file = file;
    this.heading = heading;
    if (heading.cells.size() == 1 && heading.cells.get(0).contains(";")) {
      throw wrong(heading, 0, "semicolons separate the columns, expected commas");
    }
    for (int c = 0; c < heading.cells.size(); c++) {
      if (heading.cells.indexOf(heading.cells.get(c)) != c) {
        throw wrong(heading, c, "the column " + heading.cells.get(c) + " stands twice");
      }
    }
  }

  /**
   * The measurements in a text, in its order.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if a line is not what the heading says
   */
  public static MeasuredRun read(String text, String file) {
    List<Row> rows = rows(text, file);
    if (rows.isEmpty()) {
      throw new TopologyFormatException(
          SourceLocation.of(file), "the file is empty: expected a heading");
    }
    MeasurementReader reader = new MeasurementReader(file, rows.get(0));
    List<Measurement> measurements =
        rows.stream()
            .skip(1)
            .filter(row -> !reader.isPassedOver(row))
            .map(reader::measurement)
            .toList();
    return new MeasuredRun(
        file,
        RunOrigin.of(text),
        OptionalInt.empty(),
        OptionalInt.empty(),
        NcclSettings.DEFAULTS,
        List.of(),
        measurements,
        List.of(),
        rows.size() - 1 - measurements.size(),
        List.of());
  }

  /** Rows that are neither blank nor comments. */
  private static List<Row> rows(String text, String file) {
    List<String> lines = text.lines().toList();
    List<Row> rows = new ArrayList<>();
    for (int line = 0; line < lines.size(); line++) {
      if (!lines.get(line).isBlank() && !lines.get(line).startsWith("#")) {
        rows.add(row(line + 1, lines.get(line), file));
      }
    }
    return rows;
  }

  private static Row row(int number, String line, String file) {
    try (CSVParser parser = CSVParser.parse(line, FORMAT)) {
      return new Row(number, line, parser.iterator().next().stream().map(String::strip).toList());
    } catch (IOException | UncheckedIOException e) {
      throw new TopologyFormatException(
          new SourceLocation(file, number, 1), "is not CSV: a quote is not closed", e);
    }
  }

  /** Whether a row is no measurement of a collective that has algorithms. */
  private boolean isPassedOver(Row row) {
    return TestedCollective.isPeerToPeer(cellIfAny(row, "collective"))
        || cellIfAny(row, "bytes").equals("0");
  }

  private String cellIfAny(Row row, String name) {
    int index = heading.cells.indexOf(name);
    return index >= 0 && index < row.cells.size() ? row.cells.get(index) : "";
  }

  private Measurement measurement(Row row) {
    if (row.cells.size() != heading.cells.size()) {
      throw wrong(row, 0, row.cells.size() + " columns, the heading has " + heading.cells.size());
    }
    try {
      return new Measurement(
          (int) integer(row, "gpus", 1, Integer.MAX_VALUE),
          collective(row),
          forced(row),
          channels(row),
          integer(row, "bytes", 0, Long.MAX_VALUE),
          number(row, "time_us"),
          number(row, "time_inplace_us"));
    } catch (IllegalArgumentException e) {
      throw wrong(row, 0, String.valueOf(e.getMessage()));
    }
  }

  private Collective collective(Row row) {
    String name = cell(row, "collective");
    return TestedCollective.of(name)
        .orElseThrow(
            () ->
                wrong(
                    row,
                    column("collective"),
                    "collective \""
                        + name
                        + "\" is not one of all_reduce, all_gather,"
                        + " reduce_scatter, broadcast, reduce"));
  }

  private Optional<Pair> forced(Row row) {
    String algorithm = cell(row, "forced_algorithm");
    String protocol = cell(row, "forced_protocol");
    if (algorithm.isEmpty() && protocol.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Pair(
            Algorithm.ofLabel(algorithm)
                .orElseThrow(() -> unknown("forced_algorithm", algorithm, row)),
            Protocol.ofLabel(protocol)
                .orElseThrow(() -> unknown("forced_protocol", protocol, row))));
  }

  private OptionalInt channels(Row row) {
    return cellIfAny(row, "channels").isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of((int) integer(row, "channels", 1, ChannelGraph.MAX_CHANNELS));
  }

  private TopologyFormatException unknown(String name, String value, Row row) {
    return wrong(
        row,
        column(name),
        name + " \"" + value + "\" is not known; both pair columns must be filled, or none");
  }

  private long integer(Row row, String name, long least, long most) {
    double value = number(row, name);
    if (value != Math.rint(value) || value < least || value > most) {
      String upTo = most == ChannelGraph.MAX_CHANNELS ? " to " + most : " or more";
      throw wrong(
          row,
          column(name),
          name + " \"" + cell(row, name) + "\": expected a whole number, " + least + upTo);
    }
    return (long) value;
  }

  private double number(Row row, String name) {
    String text = cell(row, name);
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw wrong(row, column(name), name + " \"" + text + "\" is not a number");
  }

  private String cell(Row row, String name) {
    return row.cells.get(column(name));
  }

  private int column(String name) {
    int column = heading.cells.indexOf(name);
    if (column < 0) {
      throw wrong(heading, 0, "the heading has no column " + name);
    }
    return column;
  }

  private TopologyFormatException wrong(Row row, int index, String what) {
    return new TopologyFormatException(
        new SourceLocation(file, row.number(), row.position(index)), what);
  }

  /** A line of the file, its number from 1, and its values without quotes. */
  private record Row(int number, String line, List<String> cells) {
    /** Where a cell begins in the line, from 1. */
    int position(int index) {
      int cell = 0;
      boolean isQuoted = false;
      for (int at = 0; at < line.length(); at++) {
        if (cell == index) {
          return at + 1;
        }
        isQuoted ^= line.charAt(at) == '"';
        if (line.charAt(at) == ',' && !isQuoted) {
          cell++;
        }
      }
      return line.length() + 1;
    }
  }
}
