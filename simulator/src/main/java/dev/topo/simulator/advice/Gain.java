package dev.topo.simulator.advice;

import dev.topo.simulator.evaluate.TimeChange;

/**
 * The predicted saving of time of a call.
 *
 * @param ratio present time divided by the other time
 * @param least the ratio that 95 of 100 measurements exceed
 * @param most the ratio that 5 of 100 measurements exceed
 */
public record Gain(double ratio, double least, double most) {
  /** No gain. */
  public static final Gain NONE = new Gain(1, 1, 1);

  /**
   * Creates a gain with a range.
   *
   * @param part relative error that 90 of 100 such ratios do not exceed
   */
  public static Gain of(double ratio, double part) {
    return new Gain(ratio, ratio / (1 + part), ratio * (1 + part));
  }

  /** True if even the lower end of the range is a gain that exceeds the scatter of measurements. */
  public boolean isCertain() {
    return TimeChange.isMore(least, 1);
  }

  /** The gain in percent: 25 if the call takes 20 % less time. */
  public double percent() {
    return percent(ratio);
  }

  /** The gain at the lower end of the range, in percent. */
  public double leastPercent() {
    return percent(least);
  }

  /** The gain at the upper end of the range, in percent. */
  public double mostPercent() {
    return percent(most);
  }

  private static double percent(double ratio) {
    return 100 * (ratio - 1);
  }
}
