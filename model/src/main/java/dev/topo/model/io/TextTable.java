package dev.topo.model.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** A plain text table with aligned columns. */
public final class TextTable {
  private static final String GAP = "  ";

  private final String indent;
  private final List<List<String>> rows = new ArrayList<>();

  private TextTable(String indent) {
    this.indent = indent;
  }

  /** An empty table at the left margin. */
  public static TextTable atMargin() {
    return new TextTable("");
  }

  /** An empty table, indented by two blanks. */
  public static TextTable indented() {
    return new TextTable("  ");
  }

  /** Adds a header row from the comma-separated names of the columns. */
  public TextTable header(String names) {
    rows.add(List.of(names.split(",", -1)));
    return this;
  }

  /** Adds a row; it may be shorter than others. */
  public TextTable row(Object... cells) {
    rows.add(Arrays.stream(cells).map(String::valueOf).map(PlainText::oneLine).toList());
    return this;
  }

  /** Adds a row for each value. */
  public <T> TextTable rows(Collection<T> values, Function<? super T, List<?>> cells) {
    values.forEach(value -> row(cells.apply(value).toArray()));
    return this;
  }

  /** Number of rows, including the header. */
  public int size() {
    return rows.size();
  }

  /** The rows, each in a line. */
  @Override
  public String toString() {
    int[] width = new int[rows.stream().mapToInt(List::size).max().orElse(0)];
    for (List<String> row : rows) {
      for (int c = 0; c < row.size(); c++) {
        width[c] = Math.max(width[c], row.get(c).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int c = 0; c < row.size(); c++) {
        line.append(row.get(c)).append(" ".repeat(width[c] - row.get(c).length())).append(GAP);
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }
}
