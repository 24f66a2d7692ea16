package dev.topo.inspect.measured;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/**
 * CSV table with a heading and columns in any order. Blank lines and lines that begin with # are
 * skipped. Errors state line and column.
 */
final class CsvTable {
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setIgnoreSurroundingSpaces(true).get();

  private final String file;
  private final Row heading;
  private final List<Row> rows;

  /**
   * Parses a text.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if there is no heading or a quote is not closed
   */
  CsvTable(String text, String file) {
    this.file = file;
    List<Row> lines = read(text, file);
    if (lines.isEmpty()) {
      throw new TopologyFormatException(file, "the file is empty: expected a heading");
    }
    heading = lines.get(0);
    rows = lines.subList(1, lines.size());
    if (heading.cells.size() == 1 && heading.cells.get(0).contains(";")) {
      throw wrong(heading, 0, "semicolons separate the columns, expected commas");
    }
    for (int c = 0; c < heading.cells.size(); c++) {
      if (heading.cells.indexOf(heading.cells.get(c)) != c) {
        throw wrong(heading, c, "the column " + heading.cells.get(c) + " stands twice");
      }
    }
  }

  private static List<Row> read(String text, String file) {
    List<String> lines = text.lines().toList();
    return IntStream.range(0, lines.size())
        .filter(line -> !lines.get(line).isBlank() && !lines.get(line).startsWith("#"))
        .mapToObj(line -> row(line + 1, lines.get(line), file))
        .toList();
  }

  private static Row row(int number, String line, String file) {
    try (CSVParser parser = CSVParser.parse(line, FORMAT)) {
      return new Row(number, line, parser.iterator().next().stream().map(String::strip).toList());
    } catch (IOException | UncheckedIOException e) {
      throw new TopologyFormatException(
          new SourceLocation(file, number, 1), "is not CSV: a quote is not closed", e);
    }
  }

  List<Row> rows() {
    return rows;
  }

  boolean has(String name) {
    return heading.cells.contains(name);
  }

  /** The first of these columns that the table has; empty if it has none of them. */
  Optional<String> column(List<String> names) {
    return names.stream().filter(this::has).findFirst();
  }

  /** Name of a column by its index, from 0. */
  String name(int column) {
    return heading.cells.get(column);
  }

  /** Rejects a row with more or fewer cells than the heading. */
  void checkWidth(Row row) {
    if (row.cells.size() != heading.cells.size()) {
      throw wrong(row, 0, row.cells.size() + " columns, the heading has " + heading.cells.size());
    }
  }

  /** Cell of a column; empty if the heading lacks the column or the row ends before it. */
  String cellIfAny(Row row, String name) {
    int index = heading.cells.indexOf(name);
    return index >= 0 && index < row.cells.size() ? row.cells.get(index) : "";
  }

  /** Cell of a required column. */
  String cell(Row row, String name) {
    return row.cells.get(column(name));
  }

  double number(Row row, String name) {
    String text = cell(row, name);
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw wrong(row, name, name + " \"" + text + "\" is not a number");
  }

  /**
   * Cell as a whole number in a range.
   *
   * @param range the expected range in words, as in {@code 1 or more}
   */
  long integer(Row row, String name, long min, long max, String range) {
    double value = number(row, name);
    if (value != Math.rint(value) || value < min || value > max) {
      throw wrong(
          row, name, name + " \"" + cell(row, name) + "\": expected a whole number, " + range);
    }
    return (long) value;
  }

  TopologyFormatException wrong(Row row, String name, String what) {
    return wrong(row, column(name), what);
  }

  /** Error for the cell at an index. */
  TopologyFormatException wrong(Row row, int index, String what) {
    return new TopologyFormatException(
        new SourceLocation(file, row.number(), row.position(index)), what);
  }

  private int column(String name) {
    int column = heading.cells.indexOf(name);
    if (column < 0) {
      throw wrong(heading, 0, "the heading has no column " + name);
    }
    return column;
  }

  /**
   * Line of the file.
   *
   * @param number line number, from 1
   * @param cells its values without quotes
   */
  public record Row(int number, String line, List<String> cells) {
    /** Start of a cell in the line, from 1. */
    private int position(int index) {
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
