package dev.topo.model.compare;

import java.util.Arrays;

/**
 * Pairs rows with columns at the least total cost: the Hungarian method with potentials, after Kuhn
 * and Munkres, O(rows² × columns). Among answers of equal cost always the same one.
 */
final class Assignment {
  private Assignment() {}

  /**
   * The column of each row, different ones.
   *
   * @param cost by row and column, with at least as many columns as rows
   */
  static int[] solve(long[][] cost) {
    int rows = cost.length;
    int columns = rows == 0 ? 0 : cost[0].length;
    long[] rowPotential = new long[rows + 1];
    long[] columnPotential = new long[columns + 1];
    int[] rowOf = new int[columns + 1]; // 1-based, 0 for none
    int[] way = new int[columns + 1];
    for (int row = 1; row <= rows; row++) {
      rowOf[0] = row;
      int column = 0;
      long[] least = new long[columns + 1];
      Arrays.fill(least, Long.MAX_VALUE);
      boolean[] used = new boolean[columns + 1];
      do {
        used[column] = true;
        int from = rowOf[column];
        int next = 0;
        long delta = Long.MAX_VALUE;
        for (int c = 1; c <= columns; c++) {
          if (used[c]) {
            continue;
          }
          long reduced = cost[from - 1][c - 1] - rowPotential[from] - columnPotential[c];
          if (reduced < least[c]) {
            least[c] = reduced;
            way[c] = column;
          }
          if (least[c] < delta) {
            delta = least[c];
            next = c;
          }
        }
        for (int c = 0; c <= columns; c++) {
          if (used[c]) {
            rowPotential[rowOf[c]] += delta;
            columnPotential[c] -= delta;
          } else {
            least[c] -= delta;
          }
        }
        column = next;
      } while (rowOf[column] != 0);
      while (column != 0) {
        int before = way[column];
        rowOf[column] = rowOf[before];
        column = before;
      }
    }
    int[] columnOf = new int[rows];
    for (int c = 1; c <= columns; c++) {
      if (rowOf[c] != 0) {
        columnOf[rowOf[c] - 1] = c - 1;
      }
    }
    return columnOf;
  }
}
