package dev.topo.visualizer.view;

import dev.topo.model.io.TextWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A number with its range of uncertainty, shown with as many digits as the range justifies: rounded
 * to steps of 1, 2 or 5 times a power of ten that are at least a tenth of the range wide, but with
 * at least two digits. The shown range always contains the range.
 *
 * @param value the number
 * @param low the lower end; empty if no range is known
 * @param high the upper end; empty if no range is known
 */
public record RangedNumber(double value, OptionalDouble low, OptionalDouble high) {
  private static final double US_PER_MS = 1000;
  private static final double STEPS_PER_RANGE = 10;

  /** Number of significant digits without a range, and the minimum with one. */
  private static final int MIN_DIGITS = 2;

  /** Relative rounding error of the arithmetic, which must not widen a range. */
  private static final double ROUNDING_ERROR = 1e-9;

  private static final List<Double> STEPS = List.of(1.0, 2.0, 5.0);

  /** Returns a number with a range. */
  public static RangedNumber of(double value, double low, double high) {
    return new RangedNumber(value, OptionalDouble.of(low), OptionalDouble.of(high));
  }

  /** Returns a number without a known range. */
  public static RangedNumber withoutRange(double value) {
    return new RangedNumber(value, OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** Returns the number without its range. */
  public String number() {
    return rounded(value, RoundingMode.HALF_UP);
  }

  /** Returns the range, rounded outwards: {@code 280 to 380}; "not known" without a range. */
  public String range() {
    if (low.isEmpty()) {
      return "not known";
    }
    double first = low.getAsDouble();
    double last = high.orElseThrow();
    return last > first
        ? rounded(first * (1 + Math.signum(first) * ROUNDING_ERROR), RoundingMode.FLOOR)
            + " to "
            + rounded(last * (1 - Math.signum(last) * ROUNDING_ERROR), RoundingMode.CEILING)
        : number() + " to " + number();
  }

  /** Returns the number, followed by the range in brackets if known: {@code 325 (280 to 380)}. */
  public String text() {
    return number() + inBrackets("");
  }

  /**
   * Formats this number of microseconds in us or ms; without a unit if the shown part is not known.
   *
   * @param part which part of the number to show
   */
  public String time(Function<RangedNumber, String> part) {
    boolean isLong = value >= US_PER_MS;
    String text = part.apply(isLong ? times(1 / US_PER_MS) : this);
    return text.startsWith("not") ? text : text + (isLong ? " ms" : " us");
  }

  /**
   * Returns the range in brackets, to follow the number: {@code (280 to 380)}; {@code unknown}
   * without a range.
   */
  public String inBrackets(String unknown) {
    return low.isEmpty() ? unknown : " (" + range() + ")";
  }

  /** Returns this number and its range multiplied by a factor. */
  public RangedNumber times(double factor) {
    return new RangedNumber(
        value * factor,
        low.isEmpty() ? low : OptionalDouble.of(low.getAsDouble() * factor),
        high.isEmpty() ? high : OptionalDouble.of(high.getAsDouble() * factor));
  }

  private String rounded(double number, RoundingMode mode) {
    double exactStep = step(number);
    if (!Double.isFinite(number) || !Double.isFinite(exactStep) || exactStep == 0) {
      return TextWriter.format("%.0f", number);
    }
    BigDecimal step = BigDecimal.valueOf(exactStep).round(new MathContext(1));
    BigDecimal shown = BigDecimal.valueOf(number).divide(step, 0, mode).multiply(step);
    int decimals = Math.max(0, step.stripTrailingZeros().scale());
    return shown.setScale(decimals, RoundingMode.UNNECESSARY).toPlainString();
  }

  /** The finer of the two steps that the range and the number justify. */
  private double step(double number) {
    double width = low.isEmpty() ? 0 : high.orElseThrow() - low.getAsDouble();
    if (!(width > 0)) {
      return ofDigits(number, low.isEmpty() ? MIN_DIGITS : MIN_DIGITS + 1);
    }
    double minStep = width / STEPS_PER_RANGE;
    double power = Math.pow(10, Math.floor(Math.log10(minStep)));
    double ofRange =
        STEPS.stream().filter(step -> step * power >= minStep).findFirst().orElse(10.0) * power;
    return number == 0 ? ofRange : Math.min(ofRange, ofDigits(number, MIN_DIGITS));
  }

  private static double ofDigits(double number, int digits) {
    return number == 0 ? 1 : Math.pow(10, Math.floor(Math.log10(Math.abs(number))) - digits + 1);
  }
}
