package dev.topo.model.edit;

import java.util.Arrays;

/**
 * Pairs as many things with as many others so that the values of the pairs sum up to the most: the
 * Hungarian method with potentials (Kuhn, "The Hungarian method for the assignment problem", 1955),
 * cubic in their number, deterministic.
 */
final class Assignment {
  private final int[][] value;
  private final int size;

  /** Potentials of rows and columns, and the row of each column; place 0 stands for none. */
  private final long[] rowPotential;

  private final long[] columnPotential;
  private final int[] rowOf;

  private Assignment(int[][] value) {
    this.value = value;
    this.size = value.length;
    this.rowPotential = new long[size + 1];
    this.columnPotential = new long[size + 1];
    this.rowOf = new int[size + 1];
  }

  /** The column of each row; {@code value} is square. */
  static int[] best(int[][] value) {
    Assignment assignment = new Assignment(value);
    for (int row = 1; row <= assignment.size; row++) {
      assignment.add(row);
    }
    int[] columnOf = new int[value.length];
    for (int column = 1; column <= value.length; column++) {
      columnOf[assignment.rowOf[column] - 1] = column - 1;
    }
    return columnOf;
  }

  /** Pairs one more row, changing pairs along the cheapest way to a free column. */
  private void add(int row) {
    long[] slack = new long[size + 1];
    int[] cameFrom = new int[size + 1];
    boolean[] done = new boolean[size + 1];
    Arrays.fill(slack, Long.MAX_VALUE);
    rowOf[0] = row;
    int column = 0;
    while (rowOf[column] != 0) {
      done[column] = true;
      int next = 0;
      for (int c = 1; c <= size; c++) {
        if (!done[c]) {
          long cost =
              -value[rowOf[column] - 1][c - 1] - rowPotential[rowOf[column]] - columnPotential[c];
          if (cost < slack[c]) {
            slack[c] = cost;
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
    for (int c = 0; c <= size; c++) {
      if (done[c]) {
        rowPotential[rowOf[c]] += by;
        columnPotential[c] -= by;
      } else {
        slack[c] -= by;
      }
    }
  }
}
