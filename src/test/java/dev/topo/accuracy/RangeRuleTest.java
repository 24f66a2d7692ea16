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
  void fewTimesTakeTheRangeOfAllOperationsThatTheyDoNotContradict() {
    assertEquals(0.095, RangeRule.part(off(10), 0.095, false), 1e-12);
    assertEquals(0.5, RangeRule.part(off(7), 0.5, false), 1e-12);
  }

  @Test
  void aRangeThatFewTimesContradictBecomesTheNearestThatHoldsThem() {
    // Of 10 times 9 are in it: of 8 or 10 it would be too narrow or too wide.
    assertEquals(0.0945, RangeRule.part(off(10), 0.02, false), 1e-12);
    assertEquals(0.095, RangeRule.part(off(10), 0.5, false), 1e-12);
  }

  /** Of a range that holds nine in ten 6 or fewer of 10 times are in one of 78 cases. */
  @Test
  void whatChanceMayDoContradictsNoRange() {
    assertEquals(0.0945, RangeRule.unlessContradicted(off(10), 0.06, false), 1e-12);
    assertEquals(0.07, RangeRule.unlessContradicted(off(10), 0.07, false), 1e-12);
    assertEquals(0.5, RangeRule.unlessContradicted(off(10), 0.5, false), 1e-12);
    assertEquals(0.15, RangeRule.unlessContradicted(off(19), 0.15, false), 1e-12);
    assertEquals(0.175, RangeRule.unlessContradicted(off(20), 0.175, false), 1e-12);
    assertEquals(0.175, RangeRule.unlessContradicted(off(20), 0.16, false), 1e-12);
    assertEquals(0.195, RangeRule.unlessContradicted(off(20), 0.5, false), 1e-12);
    double own = RangeRule.usual(off(40));
    assertEquals(own, RangeRule.unlessContradicted(off(40), 0.16, false), 1e-12);
  }

  @Test
  void aTimeFarBeyondTheOthersDoesNotWidenTheRange() {
    double[] off = off(8);
    off[7] = 3;
    assertEquals(1.05 * 0.07, RangeRule.part(off, 0.02, false), 1e-12);
  }

  @Test
  void manyTimesDecideThemselves() {
    double own = RangeRule.usual(off(40));
    assertEquals(own, RangeRule.part(off(40), 0.01, false), 1e-12);
    assertEquals(own, RangeRule.part(off(40), 0.7, false), 1e-12);
  }

  @Test
  void whereHostsDifferMoreItIsNoNarrowerThanThatOfAllUnlessThatIsTooWide() {
    assertEquals(0.375, RangeRule.part(off(40), 0.375, true), 1e-12);
    assertEquals(0.385, RangeRule.part(off(40), 0.7, true), 1e-12);
  }

  @Test
  void everyNumberOfTimesHasARangeThatIsAsStated() {
    for (int times = RangeRule.LEAST_TIMES; times < 200; times++) {
      for (double ofAll : new double[] {0, 0.05, 0.5, 5}) {
        double part = RangeRule.part(off(times), ofAll, times % 2 == 0);
        assertTrue(RangeRule.isAsStated(part, off(times)), times + " times: " + part);
      }
    }
    assertFalse(RangeRule.isAsStated(0.08, off(8)), "all of 8");
    assertFalse(RangeRule.isAsStated(0.06, off(8)), "6 of 8");
  }
}
