package dev.topo.visualizer.view;

import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table that stays narrow: columns with the same value in all rows are moved to a line before it,
 * and empty columns are dropped. A text that states common values elsewhere uses only {@link
 * #differing}. Each instance is used once.
 */
public final class CompactTable {
  private final List<String> names;
  private final int keys;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Creates an empty table.
   *
   * @param keys the number of leftmost columns that are always kept
   * @param names the column headings
   */
  public CompactTable(int keys, List<String> names) {
    this.keys = keys;
    this.names = List.copyOf(names);
  }

  /** Adds a row with a value for each column. */
  public CompactTable row(Object... values) {
    rows.add(Arrays.stream(values).map(String::valueOf).toList());
    return this;
  }

  /** The number of rows. */
  public int size() {
    return rows.size();
  }

  /** Writes the columns that differ, after a line with the common values. */
  public void write(TextWriter out) {
    List<Integer> shown = new ArrayList<>();
    List<String> same = new ArrayList<>();
    for (int column = 0; column < names.size(); column++) {
      if (column < keys || isOnlyValue(column) || differs(column)) {
        shown.add(column);
      } else if (!rows.isEmpty() && !rows.get(0).get(column).isEmpty()) {
        same.add((names.get(column) + " " + rows.get(0).get(column)).strip());
      }
    }
    if (!same.isEmpty()) {
      out.line("  all: %s", String.join(", ", same.stream().distinct().toList()));
    }
    out.table(columns(TextTable.indented(), shown));
  }

  /**
   * Returns the key columns and the columns that differ, starting at the margin; common values are
   * omitted.
   */
  public TextTable differing() {
    List<Integer> shown =
        IntStream.range(0, names.size())
            .filter(column -> column < keys || differs(column))
            .boxed()
            .toList();
    return columns(TextTable.atMargin(), shown);
  }

  /** True if there is only one row and it has a value in the column. */
  private boolean isOnlyValue(int column) {
    return rows.size() == 1 && !rows.get(0).get(column).isEmpty();
  }

  private boolean differs(int column) {
    return rows.stream().map(row -> row.get(column)).distinct().count() > 1;
  }

  private TextTable columns(TextTable table, List<Integer> shown) {
    table.row(shown.stream().map(names::get).toArray());
    rows.forEach(row -> table.row(shown.stream().map(row::get).toArray()));
    return table;
  }
}
