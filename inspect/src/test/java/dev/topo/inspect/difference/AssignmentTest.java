package dev.topo.inspect.difference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;

class AssignmentTest {
  private static long least(long[][] cost, int row, int used) {
    long least = row == cost.length ? 0 : Long.MAX_VALUE;
    for (int column = 0; row < cost.length && column < cost[row].length; column++) {
      if ((used & 1 << column) == 0) {
        least = Math.min(least, cost[row][column] + least(cost, row + 1, used | 1 << column));
      }
    }
    return least;
  }

  @Test
  void isAsGoodAsTheBestOfAll() {
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      int rows = 1 + random.nextInt(5);
      int columns = rows + random.nextInt(3);
      long[][] cost = new long[rows][columns];
      for (long[] row : cost) {
        for (int column = 0; column < columns; column++) {
          row[column] = random.nextInt(20) - 10;
        }
      }
      int[] columnOf = Assignment.leastCost(cost);
      long sum = 0;
      int used = 0;
      for (int row = 0; row < rows; row++) {
        sum += cost[row][columnOf[row]];
        used |= 1 << columnOf[row];
      }
      assertEquals(rows, Integer.bitCount(used), "case " + i);
      assertEquals(least(cost, 0, 0), sum, "case " + i);
    }
  }

  @Test
  void equalThingsKeepTheirOrder() {
    assertArrayEquals(new int[] {0, 1, 2, 3}, Assignment.leastCost(new long[4][4]));
    assertArrayEquals(new int[] {0, 1}, Assignment.leastCost(new long[2][3]));
    assertArrayEquals(
        new int[] {1, 2, 0}, Assignment.leastCost(new long[][] {{5, 1, 1}, {5, 1, 1}, {1, 1, 1}}));
  }

  @Test
  void pairsNothingAndOne() {
    assertArrayEquals(new int[0], Assignment.leastCost(new long[0][]));
    assertArrayEquals(new int[] {0}, Assignment.leastCost(new long[][] {{3}}));
    assertThrows(
        IllegalArgumentException.class, () -> Assignment.leastCost(new long[][] {{1}, {2}}));
  }
}
