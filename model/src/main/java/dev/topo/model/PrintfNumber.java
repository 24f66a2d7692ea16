package dev.topo.model;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Numbers as C's {@code printf} writes them, for files and tables that NCCL or its users compare
 * with its own.
 */
public final class PrintfNumber {
  private static final int SIGNIFICANT_DIGITS = 6;
  private static final int SMALLEST_PLAIN_EXPONENT = -4;

  private PrintfNumber() {}

  /** The conversion {@code %g}: six significant digits, without zeros at the end. */
  public static String general(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value < 0 ? "-inf" : "inf";
    }
    if (value == 0) {
      return Double.compare(value, 0.0) < 0 ? "-0" : "0";
    }
    BigDecimal rounded =
        new BigDecimal(value)
            .round(new MathContext(SIGNIFICANT_DIGITS, RoundingMode.HALF_EVEN))
            .stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= SMALLEST_PLAIN_EXPONENT && exponent < SIGNIFICANT_DIGITS) {
      return rounded.toPlainString();
    }
    String digits = rounded.unscaledValue().abs().toString();
    String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    String sign = rounded.signum() < 0 ? "-" : "";
    return sign + mantissa + String.format(Locale.ROOT, "e%+03d", exponent);
  }

  /**
   * The conversion {@code %#lx} that NCCL uses for device numbers in graph files: {@code 0x1b}, but
   * {@code 0} for zero.
   */
  public static String hex(long value) {
    return value == 0 ? "0" : "0x" + Long.toHexString(value);
  }
}
