package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RangeRuleTest {
  /** Times that are off by 1, 2, 3 % and so on. */
  private static double[] off(int times) {
    return IntStream.rangeClosed(1, times).mapToDouble(i -> i / 100.0).toArray();
  }

  @Test
  void anOperationTakesTheRangeOfAllThatItsTimesDoNotContradict() {
    assertEquals(0.095, RangeRule.within(0.095, off(10)), 1e-12);
    assertEquals(0.5, RangeRule.within(0.5, off(7)), 1e-12);
  }

  @Test
  void aRangeThatItsTimesContradictBecomesTheNearestThatHoldsThem() {
    // Of 10 times 9 are in it: of 8 or 10 it would be too narrow or too wide.
    assertEquals(0.0945, RangeRule.within(0.02, off(10)), 1e-12);
    assertEquals(0.095, RangeRule.within(0.5, off(10)), 1e-12);
  }

  @Test
  void aTimeFarBeyondTheOthersDoesNotWidenTheRange() {
    double[] off = off(8);
    off[7] = 3;
    assertEquals(1.05 * 0.07, RangeRule.within(0.02, off), 1e-12);
  }

  @Test
  void everyNumberOfTimesHasARangeThatIsAsStated() {
    for (int times = RangeRule.LEAST_TIMES; times < 200; times++) {
      for (double ofAll : new double[] {0, 0.05, 0.5, 5}) {
        double part = RangeRule.within(ofAll, off(times));
        assertTrue(RangeRule.isAsStated(part, off(times)), times + " times: " + part);
      }
    }
    assertFalse(RangeRule.isAsStated(0.08, off(8)), "all of 8");
    assertFalse(RangeRule.isAsStated(0.06, off(8)), "6 of 8");
  }
}
