package dev.topo.visualizer.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RangedNumberTest {
  /** Of the widest step that is possible for a range: 5 for a tenth just above 2. */
  private static final double WIDEST = 2.5;

  @Test
  void digitsAreThoseThatTheRangeIsWorth() {
    assertEquals("330 (280 to 380)", RangedNumber.of(325.7, 280.8, 377.8).text());
    assertEquals("465 (445 to 490)", RangedNumber.of(464.8, 442.7, 488.1).text());
    assertEquals("6.4 (5.6 to 7.4)", RangedNumber.of(6.387, 5.506, 7.409).text());
    assertEquals("0.64 (0.56 to 0.74)", RangedNumber.of(0.6387, 0.5506, 0.7409).text());
    assertEquals("80 (40 to 160)", RangedNumber.of(83.7, 42.6, 157.7).text());
  }

  @Test
  void withoutARangeTwoDigitsAreShown() {
    assertEquals("900", RangedNumber.withoutRange(898.27).text());
    assertEquals("64", RangedNumber.withoutRange(63.5).text());
    assertEquals("0.011", RangedNumber.withoutRange(0.01123).text());
    assertEquals("0", RangedNumber.withoutRange(0).text());
    assertEquals("not known", RangedNumber.withoutRange(1).range());
  }

  @Test
  void anExactRangeIsShownWithThreeDigits() {
    assertEquals("12.3 (12.3 to 12.3)", RangedNumber.of(12.34, 12.34, 12.34).text());
  }

  @Test
  void shownNumbersAreWithinHalfAStep() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      double value = Math.exp(20 * random.nextDouble() - 8);
      double low = value * (1 - random.nextDouble() * 0.9);
      double high = value * (1 + random.nextDouble());
      double shown = Double.parseDouble(RangedNumber.of(value, low, high).number());
      double step = WIDEST * (high - low) / 10;
      assertTrue(Math.abs(shown - value) <= step / 2 + 1e-9, value + " shown as " + shown);
    }
  }
}
