package dev.topo.inspect.matching;

import java.util.Arrays;

/**
 * Pairs rows with columns at the least total cost: the Hungarian method with potentials (Kuhn, "The
 * Hungarian method for the assignment problem", 1955), O(rows² × columns). Among answers of equal
 * cost always the same one.
 */
public final class Assignment {
  private final long[][] cost;
  private final int columns;

  /** Potentials of rows and columns, and the row of each column; place 0 stands for none. */
  private final long[] rowPotential;

  private final long[] columnPotential;
  private final int[] rowOf;

  private Assignment(long[][] cost) {
    this.cost = cost;
    this.columns = cost.length == 0 ? 0 : cost[0].length;
    this.rowPotential = new long[cost.length + 1];
    this.columnPotential = new long[columns + 1];
    this.rowOf = new int[columns + 1];
  }

  /**
   * The column of each row, different ones.
   *
   * @param cost by row and column, with at least as many columns as rows
   */
  public static int[] leastCost(long[][] cost) {
    Assignment assignment = new Assignment(cost);
    if (assignment.columns < cost.length) {
      throw new IllegalArgumentException(
          cost.length + " rows and " + assignment.columns + " columns: expected as many or more");
    }
    for (int row = 1; row <= cost.length; row++) {
      assignment.add(row);
    }
    return assignment.columnOf();
  }

  private int[] columnOf() {
    int[] columnOf = new int[cost.length];
    for (int column = 1; column <= columns; column++) {
      if (rowOf[column] != 0) {
        columnOf[rowOf[column] - 1] = column - 1;
      }
    }
    return columnOf;
  }

  /** Pairs one more row, changing pairs along the cheapest way to a free column. */
  private void add(int row) {
    long[] slack = new long[columns + 1];
    int[] cameFrom = new int[columns + 1];
    boolean[] done = new boolean[columns + 1];
    Arrays.fill(slack, Long.MAX_VALUE);
    rowOf[0] = row;
    int column = 0;
    while (rowOf[column] != 0) {
      done[column] = true;
      int next = 0;
      for (int c = 1; c <= columns; c++) {
        if (!done[c]) {
          long reduced =
              cost[rowOf[column] - 1][c - 1] - rowPotential[rowOf[column]] - columnPotential[c];
          if (reduced < slack[c]) {
            slack[c] = reduced;
            cameFrom[c] = column;
          }
          next = next == 0 || slack[c] < slack[next] ? c : next;
        }
      }
      shift(done, slack, slack[next]);
      column = next;
    }
    while (column != 0) {
      rowOf[column] = rowOf[cameFrom[column]];
      column = cameFrom[column];
    }
  }

  private void shift(boolean[] done, long[] slack, long by) {
    for (int c = 0; c <= columns; c++) {
      if (done[c]) {
        rowPotential[rowOf[c]] += by;
        columnPotential[c] -= by;
      } else {
        slack[c] -= by;
      }
    }
  }
}
