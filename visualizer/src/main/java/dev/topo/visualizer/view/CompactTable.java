package dev.topo.visualizer.view;

import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table without the columns that say the same in all rows: a line before it has these, so that it
 * stays narrow. Columns that say nothing at all are left out. A text that says elsewhere what all
 * rows have alike takes only {@link #differing}. Used once.
 */
public final class CompactTable {
  private final List<String> names;
  private final int keys;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * An empty table.
   *
   * @param keys columns from the left that always stay
   * @param names the headings of the columns
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

  /** Number of rows. */
  public int size() {
    return rows.size();
  }

  /** Writes the columns that differ, after a line of those that do not. */
  public void write(TextWriter out) {
    List<Integer> shown = new ArrayList<>();
    List<String> same = new ArrayList<>();
    for (int column = 0; column < names.size(); column++) {
      if (column < keys || isAlone(column) || differs(column)) {
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

  /** The keys and the columns that differ, from the margin on; nothing says what is the same. */
  public TextTable differing() {
    List<Integer> shown =
        IntStream.range(0, names.size())
            .filter(column -> column < keys || differs(column))
            .boxed()
            .toList();
    return columns(TextTable.atMargin(), shown);
  }

  /** True if the only row says something there. */
  private boolean isAlone(int column) {
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
