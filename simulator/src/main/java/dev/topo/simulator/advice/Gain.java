package dev.topo.simulator.advice;

/**
 * The predicted saving of time of a call.
 *
 * @param ratio the time now by the other one
 * @param least the ratio that 95 of 100 measurements exceed
 * @param most the ratio that 5 of 100 measurements exceed
 */
public record Gain(double ratio, double least, double most) {
  /**
   * The difference that two medians of three processes of the same call do not exceed in nine of
   * ten cases from 1 MiB on, as a part (src/test/resources/measured/h200-x2-processes).
   */
  public static final double NOISE = 0.02;

  /** No gain. */
  public static final Gain NONE = new Gain(1, 1, 1);

  /**
   * A gain with a range.
   *
   * @param part what 90 of 100 such ratios are off by at most, as a part
   */
  public static Gain of(double ratio, double part) {
    return new Gain(ratio, ratio / (1 + part), ratio * (1 + part));
  }

  /** True if it is more than its range and what measurements scatter. */
  public boolean isCertain() {
    return least > 1 + NOISE;
  }

  /** In percent: 25 where the call takes 20 % less time. */
  public double percent() {
    return percent(ratio);
  }

  /** The gain at the lower end of the range. */
  public double leastPercent() {
    return percent(least);
  }

  /** The gain at the upper end of the range. */
  public double mostPercent() {
    return percent(most);
  }

  private static double percent(double ratio) {
    return 100 * (ratio - 1);
  }
}
