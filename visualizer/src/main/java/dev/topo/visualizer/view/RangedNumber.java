package dev.topo.visualizer.view;

import dev.topo.model.io.TextWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A number with the range that it is known to, in as many digits as that range is worth: it is
 * shown in steps of 1, 2 or 5 times a power of ten, at least a tenth of the range wide, but in two
 * digits at least. The shown range contains the range.
 *
 * @param value the number
 * @param low the lower end; empty where no range is known
 * @param high the upper end; empty where no range is known
 */
public record RangedNumber(double value, OptionalDouble low, OptionalDouble high) {
  private static final double US_PER_MS = 1000;
  private static final double STEPS_OF_RANGE = 10;

  /** Digits of a number without a range, and the fewest of one that has a range. */
  private static final int DIGITS = 2;

  /** Errors of arithmetic, which widen no range. */
  private static final double EXACT = 1e-9;

  private static final List<Double> STEPS = List.of(1.0, 2.0, 5.0);

  /** A number with a range. */
  public static RangedNumber of(double value, double low, double high) {
    return new RangedNumber(value, OptionalDouble.of(low), OptionalDouble.of(high));
  }

  /** A number of which no range is known. */
  public static RangedNumber withoutRange(double value) {
    return new RangedNumber(value, OptionalDouble.empty(), OptionalDouble.empty());
  }

  /** The number alone. */
  public String number() {
    return rounded(value, RoundingMode.HALF_UP);
  }

  /** From the lower to the upper end, rounded outwards; "not known" without a range. */
  public String range() {
    if (low.isEmpty()) {
      return "not known";
    }
    double first = low.getAsDouble();
    double last = high.orElseThrow();
    return last > first
        ? rounded(first * (1 + Math.signum(first) * EXACT), RoundingMode.FLOOR)
            + " to "
            + rounded(last * (1 - Math.signum(last) * EXACT), RoundingMode.CEILING)
        : number() + " to " + number();
  }

  /** The number, then the range in brackets where one is known: {@code 325 (280 to 380)}. */
  public String text() {
    return number() + inBrackets("");
  }

  /**
   * This number of microseconds in us or ms; without a unit where it is not known.
   *
   * @param part what is shown of it
   */
  public String time(Function<RangedNumber, String> part) {
    boolean isLong = value >= US_PER_MS;
    String text = part.apply(isLong ? times(1 / US_PER_MS) : this);
    return text.startsWith("not") ? text : text + (isLong ? " ms" : " us");
  }

  /** The range behind a number: {@code (280 to 380)}; other words where none is known. */
  public String inBrackets(String unknown) {
    return low.isEmpty() ? unknown : " (" + range() + ")";
  }

  /** This number in another unit. */
  public RangedNumber times(double factor) {
    return new RangedNumber(
        value * factor,
        low.isEmpty() ? low : OptionalDouble.of(low.getAsDouble() * factor),
        high.isEmpty() ? high : OptionalDouble.of(high.getAsDouble() * factor));
  }

  private String rounded(double number, RoundingMode mode) {
    double worth = step(number);
    if (!Double.isFinite(number) || !Double.isFinite(worth) || worth == 0) {
      return TextWriter.format("%.0f", number);
    }
    BigDecimal step = BigDecimal.valueOf(worth).round(new MathContext(1));
    BigDecimal shown = BigDecimal.valueOf(number).divide(step, 0, mode).multiply(step);
    int decimals = Math.max(0, step.stripTrailingZeros().scale());
    return shown.setScale(decimals, RoundingMode.UNNECESSARY).toPlainString();
  }

  /** The finer one of the steps that the range and the number are worth. */
  private double step(double number) {
    double width = low.isEmpty() ? 0 : high.orElseThrow() - low.getAsDouble();
    if (!(width > 0)) {
      return ofDigits(number, low.isEmpty() ? DIGITS : DIGITS + 1);
    }
    double least = width / STEPS_OF_RANGE;
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    double ofRange =
        STEPS.stream().filter(step -> step * power >= least).findFirst().orElse(10.0) * power;
    return number == 0 ? ofRange : Math.min(ofRange, ofDigits(number, DIGITS));
  }

  private static double ofDigits(double number, int digits) {
    return number == 0 ? 1 : Math.pow(10, Math.floor(Math.log10(Math.abs(number))) - digits + 1);
  }
}
