package dev.topo.inspect.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class IntervalsTest {
  @Test
  void intervalsThatTouchOrOverlapAreOne() {
    Intervals intervals = new Intervals();
    intervals.add(5, 8);
    intervals.add(1, 3);
    intervals.add(3, 4);
    intervals.add(7, 9);
    assertEquals(2, intervals.size());
    assertEquals(7, intervals.total());
    assertEquals(2, intervals.covered(3, 6));
    assertEquals(0, intervals.covered(4, 5));
  }

  @Test
  void coveredTimeIsThatOfEachUnit() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Intervals intervals = new Intervals();
      boolean[] units = new boolean[60];
      for (int i = random.nextInt(20); i >= 0; i--) {
        int start = random.nextInt(50);
        int end = start + random.nextInt(10);
        if (end > start) {
          intervals.add(start, end);
        }
        for (int u = start; u < end; u++) {
          units[u] = true;
        }
      }
      int from = random.nextInt(50);
      int to = from + random.nextInt(10);
      int expected = 0;
      for (int u = from; u < to; u++) {
        expected += units[u] ? 1 : 0;
      }
      assertEquals(expected, intervals.covered(from, to), "seed " + seed);
    }
  }

  @Test
  void timesOfBothAreThoseThatEachOfThemCovers() {
    Intervals calls = of(0, 10, 12, 20, 30, 31);
    Intervals compute = of(3, 5, 8, 14, 15, 16, 20, 40);
    Intervals both = calls.intersection(compute);
    assertEquals(5, both.size());
    assertEquals(2 + 2 + 2 + 1 + 1, both.total());
    assertEquals(8, compute.intersection(calls).total());
    assertEquals(2, both.covered(9, 13));
    assertEquals(0, calls.intersection(new Intervals()).total());
  }

  private static Intervals of(double... bounds) {
    Intervals intervals = new Intervals();
    for (int i = 0; i < bounds.length; i += 2) {
      intervals.add(bounds[i], bounds[i + 1]);
    }
    return intervals;
  }
}
