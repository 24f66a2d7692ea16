package dev.topo.visualizer.study;

import dev.topo.model.io.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Rows of a table without the columns that say the same in all of them. */
final class NarrowTable {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  NarrowTable(String... header) {
    this.header = List.of(header);
  }

  NarrowTable row(Object... cells) {
    rows.add(IntStream.range(0, cells.length).mapToObj(i -> String.valueOf(cells[i])).toList());
    return this;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * The table.
   *
   * @param kept columns that stay in any case, from the first on
   */
  TextTable table(int kept) {
    List<Integer> columns =
        IntStream.range(0, header.size()).filter(i -> i < kept || differs(i)).boxed().toList();
    TextTable table = TextTable.atMargin();
    table.row(columns.stream().map(header::get).toArray());
    rows.forEach(row -> table.row(columns.stream().map(row::get).toArray()));
    return table;
  }

  private boolean differs(int column) {
    return rows.stream().map(row -> row.get(column)).distinct().count() > 1;
  }
}
