package dev.topo.model.io;

import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers for JSON and CSV: six significant digits, without exponent. */
public final class PlainNumber {
  /** Measurements are not more precise. */
  private static final MathContext DIGITS = new MathContext(6);

  private PlainNumber() {}

  /**
   * A number in single precision with the digits that distinguish it from its neighbours: 370.8,
   * not 370.7999877929688.
   */
  public static BigDecimal of(float value) {
    return plain(new BigDecimal(Float.toString(value)));
  }

  public static BigDecimal of(double value) {
    return plain(new BigDecimal(value).round(DIGITS));
  }

  private static BigDecimal plain(BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }
}
