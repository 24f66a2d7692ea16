package dev.topo.cli.output;

import java.util.List;

/** Rows of cells with the columns under each other. */
public final class TextTable {
  private static final String GAP = "  ";

  private TextTable() {}

  /** Appends the rows, one in a line. */
  public static void append(StringBuilder out, List<List<String>> rows) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] width = new int[columns];
    for (List<String> row : rows) {
      for (int c = 0; c < row.size(); c++) {
        width[c] = Math.max(width[c], row.get(c).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < row.size(); c++) {
        line.append(row.get(c)).append(" ".repeat(width[c] - row.get(c).length())).append(GAP);
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
  }
}
