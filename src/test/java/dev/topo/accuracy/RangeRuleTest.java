package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RangeRuleTest {
  private static final long LARGE = KnownSpread.LARGE;

  /** Times that are off by 1, 2, 3 % and so on. */
  private static double[] off(int times) {
    return IntStream.rangeClosed(1, times).mapToDouble(i -> i / 100.0).toArray();
  }

  private static double ofLarge(double[] off, double ofAll) {
    return RangeRule.part(Launch.EACH, LARGE, off, ofAll);
  }

  private static double ofGraph(double[] off, double ofAll) {
    return RangeRule.part(Launch.GRAPH, LARGE, off, ofAll);
  }

  @Test
  void fewTimesTakeTheRangeOfAllOperationsThatTheyDoNotContradict() {
    assertEquals(0.095, ofLarge(off(10), 0.095), 1e-12);
    assertEquals(0.5, ofLarge(off(7), 0.5), 1e-12);
  }

  @Test
  void aRangeThatFewTimesContradictBecomesTheNearestThatHoldsThem() {
    // Of 10 times 9 are in it: of 8 or 10 it would be too narrow or too wide.
    assertEquals(0.0945, ofLarge(off(10), 0.02), 1e-12);
    assertEquals(0.095, ofLarge(off(10), 0.5), 1e-12);
  }

  /** Of a range that holds nine in ten 6 or fewer of 10 times are in one of 78 cases. */
  @Test
  void whatChanceMayDoContradictsNoRange() {
    assertEquals(0.0945, ofGraph(off(10), 0.06), 1e-12);
    assertEquals(0.07, ofGraph(off(10), 0.07), 1e-12);
    assertEquals(0.5, ofGraph(off(10), 0.5), 1e-12);
    assertEquals(0.15, ofGraph(off(19), 0.15), 1e-12);
    assertEquals(0.175, ofGraph(off(20), 0.175), 1e-12);
    assertEquals(0.175, ofGraph(off(20), 0.16), 1e-12);
    assertEquals(0.195, ofGraph(off(20), 0.5), 1e-12);
    double own = RangeRule.usual(off(40));
    assertEquals(own, ofGraph(off(40), 0.16), 1e-12);
  }

  @Test
  void aTimeFarBeyondTheOthersDoesNotWidenTheRange() {
    double[] off = off(8);
    off[7] = 3;
    assertEquals(1.05 * 0.07, ofLarge(off, 0.02), 1e-12);
  }

  @Test
  void manyTimesDecideThemselves() {
    double own = RangeRule.usual(off(40));
    assertEquals(own, ofLarge(off(40), 0.01), 1e-12);
    assertEquals(own, ofLarge(off(40), 0.7), 1e-12);
  }

  @Test
  void whereHostsDifferMoreItIsNoNarrowerThanThatOfAllUnlessThatIsTooWide() {
    assertEquals(0.375, RangeRule.part(Launch.EACH, 0, off(40), 0.375), 1e-12);
    assertEquals(0.385, RangeRule.part(Launch.EACH, 0, off(40), 0.7), 1e-12);
  }

  @Test
  void everyNumberOfTimesHasARangeThatIsAsStated() {
    for (int times = RangeRule.LEAST_TIMES; times < 200; times++) {
      for (double ofAll : new double[] {0, 0.05, 0.5, 5}) {
        double part = RangeRule.part(Launch.EACH, (times % 2) * LARGE, off(times), ofAll);
        assertTrue(RangeRule.isAsStated(part, off(times)), times + " times: " + part);
      }
    }
    assertFalse(RangeRule.isAsStated(0.08, off(8)), "all of 8");
    assertFalse(RangeRule.isAsStated(0.06, off(8)), "6 of 8");
  }
}
