package dev.topo.visualizer.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RangedNumberTest {
  @Test
  void digitsAreThoseThatTheRangeIsWorth() {
    assertEquals("330 (280 to 380)", RangedNumber.of(325.7, 280.8, 377.8).text());
    assertEquals("465 (440 to 490)", RangedNumber.of(464.8, 442.7, 488.1).text());
    assertEquals("6.4 (5.5 to 7.5)", RangedNumber.of(6.387, 5.506, 7.409).text());
    assertEquals("0.64 (0.55 to 0.75)", RangedNumber.of(0.6387, 0.5506, 0.7409).text());
  }

  @Test
  void wideRangesHaveTwoDigits() {
    assertEquals("84 (42 to 160)", RangedNumber.of(83.7, 42.6, 157.7).text());
    assertEquals("670 (330 to 1400)", RangedNumber.of(674.2, 331, 1373).text());
    assertEquals("130 (63 to 270)", RangedNumber.of(130.1, 63.2, 268).text());
    assertEquals("48 (0.12 to 180)", RangedNumber.of(48.3, 0.127, 178).text());
    assertEquals("12 (-5.2 to 30)", RangedNumber.of(12, -5.13, 30).text());
    assertEquals("12 (0 to 30)", RangedNumber.of(12, 0, 30).text());
  }

  @Test
  void withoutARangeTwoDigitsAreShown() {
    assertEquals("900", RangedNumber.withoutRange(898.27).text());
    assertEquals("64", RangedNumber.withoutRange(63.5).text());
    assertEquals("0.011", RangedNumber.withoutRange(0.01123).text());
    assertEquals("0", RangedNumber.withoutRange(0).text());
    assertEquals("not known", RangedNumber.withoutRange(1).range());
  }

  /** Constants of a damaged calibration give times that no number holds. */
  @Test
  void numbersWithoutAnEndAreShown() {
    double infinite = Double.POSITIVE_INFINITY;
    assertEquals("Infinity", RangedNumber.withoutRange(infinite).text());
    assertEquals("3.0 (1.0 to Infinity)", RangedNumber.of(3, 1, infinite).text());
    assertEquals("0 (0 to Infinity)", RangedNumber.of(0, 0, infinite).text());
    assertEquals("0", RangedNumber.withoutRange(Double.MIN_VALUE).text());
    assertEquals("NaN", RangedNumber.withoutRange(Double.NaN).text());
  }

  @Test
  void anExactRangeIsShownWithThreeDigits() {
    assertEquals("12.3 (12.3 to 12.3)", RangedNumber.of(12.34, 12.34, 12.34).text());
  }

  @Test
  void theShownRangeContainsTheRangeAndTheNumber() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      double value = Math.exp(20 * random.nextDouble() - 8);
      double low = value * (1 - random.nextDouble() * 0.99);
      double high = value * (1 + Math.exp(6 * random.nextDouble() - 3));
      RangedNumber number = RangedNumber.of(value, low, high);
      double shown = Double.parseDouble(number.number());
      String[] ends = number.range().split(" to ");
      double first = Double.parseDouble(ends[0]);
      double last = Double.parseDouble(ends[1]);
      assertTrue(Math.abs(shown - value) <= 0.05 * value, value + " shown as " + shown);
      String text = low + " to " + high + " shown as " + number.text();
      double error = 1e-8 * high;
      assertTrue(0 < first && first <= low + error && high - error <= last, text);
      assertTrue(first <= shown && shown <= last, text);
      assertTrue(low - first <= 0.1 * low + error && last - high <= 0.1 * high + error, text);
    }
  }
}
