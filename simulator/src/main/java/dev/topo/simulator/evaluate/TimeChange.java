package dev.topo.simulator.evaluate;

/**
 * The rule by which all code compares two predictions. Whether a change is worth its cost is
 * another question, with thresholds of its own: {@link
 * PredictedCall.ChoiceComparison#WORTH_CHANGING}, and those of plans in {@code advice}.
 */
public final class TimeChange {
  /**
   * Relative changes of time or busbw below this are insignificant: the difference that two medians
   * of three processes of the same call do not exceed in nine of ten cases from 1 MiB on
   * (src/test/resources/measured/h200-x2-processes).
   */
  private static final double NOISE = 0.02;

  /** The threshold in words. */
  public static final String THRESHOLD = "2 %";

  private TimeChange() {}

  /** True if a relative change is insignificant. */
  public static boolean isNone(double part) {
    return Math.abs(part) < NOISE;
  }

  /** True if a time or a busbw is significantly larger than another. */
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

  /** True if each is within the range of the other: they may be equal. */
  public static boolean isWithinRanges(Prediction before, Prediction after) {
    return holds(before, after.timeUs()) && holds(after, before.timeUs());
  }

  private static boolean holds(Prediction prediction, double timeUs) {
    return prediction.spread().isPresent()
        && timeUs >= prediction.shortestUs().getAsDouble()
        && timeUs <= prediction.longestUs().getAsDouble();
  }
}
