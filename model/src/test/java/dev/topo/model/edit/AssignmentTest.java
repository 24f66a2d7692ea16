package dev.topo.model.edit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class AssignmentTest {
  private static int best(int[][] value, int row, int used) {
    int best = row == value.length ? 0 : Integer.MIN_VALUE;
    for (int column = 0; column < value.length && row < value.length; column++) {
      if ((used & 1 << column) == 0) {
        best = Math.max(best, value[row][column] + best(value, row + 1, used | 1 << column));
      }
    }
    return best;
  }

  @Test
  void isAsGoodAsTheBestOfAll() {
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      int size = 1 + random.nextInt(6);
      int[][] value = new int[size][size];
      for (int[] row : value) {
        for (int column = 0; column < size; column++) {
          row[column] = random.nextInt(10);
        }
      }
      int[] columns = Assignment.best(value);
      int sum = 0;
      int used = 0;
      for (int row = 0; row < size; row++) {
        sum += value[row][columns[row]];
        used |= 1 << columns[row];
      }
      assertEquals((1 << size) - 1, used, "case " + i);
      assertEquals(best(value, 0, 0), sum, "case " + i);
    }
  }

  @Test
  void pairsNothingAndOne() {
    assertArrayEquals(new int[0], Assignment.best(new int[0][]));
    assertArrayEquals(new int[] {0}, Assignment.best(new int[][] {{3}}));
  }
}
