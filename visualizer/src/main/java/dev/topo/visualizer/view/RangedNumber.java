package dev.topo.visualizer.view;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A number with the range that it is known to, in as many digits as that range is worth: it is
 * shown in steps of 1, 2 or 5 times a power of ten, at least a tenth of the range wide.
 *
 * @param value the number
 * @param low the lower end; empty where no range is known
 * @param high the upper end; empty where no range is known
 */
public record RangedNumber(double value, OptionalDouble low, OptionalDouble high) {
  private static final double STEPS_OF_RANGE = 10;

  /** Digits of a number without a range. */
  private static final int DIGITS = 2;

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
    return rounded(value);
  }

  /** From the lower to the upper end; "not known" without a range. */
  public String range() {
    return low.isEmpty()
        ? "not known"
        : rounded(low.getAsDouble()) + " to " + rounded(high.orElseThrow());
  }

  /** The number, then the range in brackets where one is known: {@code 325 (280 to 380)}. */
  public String text() {
    return low.isEmpty() ? number() : number() + " (" + range() + ")";
  }

  /** This number in another unit. */
  public RangedNumber times(double factor) {
    return new RangedNumber(
        value * factor,
        low.isEmpty() ? low : OptionalDouble.of(low.getAsDouble() * factor),
        high.isEmpty() ? high : OptionalDouble.of(high.getAsDouble() * factor));
  }

  private String rounded(double number) {
    double step = step();
    double shown = Math.round(number / step) * step;
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    return String.format(Locale.ROOT, "%." + decimals + "f", shown);
  }

  private double step() {
    double width = low.isEmpty() ? 0 : high.orElseThrow() - low.getAsDouble();
    if (!(width > 0)) {
      int digits = low.isEmpty() ? DIGITS : DIGITS + 1;
      return value == 0 ? 1 : Math.pow(10, Math.floor(Math.log10(Math.abs(value))) - digits + 1);
    }
    double least = width / STEPS_OF_RANGE;
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    return STEPS.stream().filter(step -> step * power >= least).findFirst().orElse(10.0) * power;
  }
}
