package dev.topo.simulator.evaluate;

/**
 * The rule by which two predictions are compared, whoever compares them. Whether a change is worth
 * its cost is another question, with thresholds of its own: {@link
 * PredictedCall.ChoiceComparison#WORTH_CHANGING}, and those of plans in {@code advice}.
 */
public final class TimeChange {
  /**
   * Smaller parts of a time or of busbw are no change: the difference that two medians of three
   * processes of the same call do not exceed in nine of ten cases from 1 MiB on
   * (src/test/resources/measured/h200-x2-processes).
   */
  private static final double NOISE = 0.02;

  /** The threshold for people. */
  public static final String THRESHOLD = "2 %";

  private TimeChange() {}

  /** True if a change, as a part of what was, is none. */
  public static boolean isNone(double part) {
    return Math.abs(part) < NOISE;
  }

  /** True if a time or a busbw is larger than another by a change. */
  public static boolean isMore(double value, double than) {
    return value > than && !isNone(value / than - 1);
  }

  /**
   * True if both predict times, or neither does: NCCL's own model ranks algorithms only. Times by
   * the rules of two releases are comparable, with a caveat ({@code UpgradeNotes}).
   */
  public static boolean areComparable(Prediction before, Prediction after) {
    return before.source().predictsTimes() == after.source().predictsTimes();
  }

  /** True if each is within the range of the other, so that it is not known that they differ. */
  public static boolean isWithinRanges(Prediction before, Prediction after) {
    return holds(before, after.timeUs()) && holds(after, before.timeUs());
  }

  private static boolean holds(Prediction prediction, double timeUs) {
    return prediction.spread().isPresent()
        && timeUs >= prediction.shortestUs().getAsDouble()
        && timeUs <= prediction.longestUs().getAsDouble();
  }
}
