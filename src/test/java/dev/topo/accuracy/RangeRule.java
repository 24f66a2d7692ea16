package dev.topo.accuracy;

import dev.topo.model.Quantiles;
import java.util.Arrays;

/**
 * The range of an operation on some machines and sizes: that of all operations there, which rests
 * on more times, unless the operation's own times contradict it; then the nearest that holds as
 * many of them as a range is meant to.
 */
final class RangeRule {
  /** Of 100 times of a stratum its range holds so many at least. */
  private static final int LEAST_HELD = 85;

  /** A range that holds more of 100 is too wide. */
  private static final int MOST_HELD = 97;

  /** What a range is meant to hold. */
  static final double HELD = 0.9;

  /** Of fewer times a single one decides whether a range holds too few or too many. */
  static final int LEAST_TIMES = 8;

  /** A wider range reaches beyond the last time that it holds by this factor at most. */
  private static final double MARGIN = 1.05;

  private RangeRule() {}

  /** What 90 of 100 times are off by at most. */
  static double usual(double[] off) {
    return Quantiles.of(off, HELD);
  }

  /** Whether a range holds neither too few nor too many of some times, where their number tells. */
  static boolean isAsStated(long held, int times) {
    return times < LEAST_TIMES || held >= least(times) && held <= most(times);
  }

  /** Whether a range holds not too few of some times, to a whole number of them. */
  static boolean isWideEnough(long held, int times) {
    return held >= Math.round(LEAST_HELD / 100.0 * times);
  }

  /** The same of a range. */
  static boolean isAsStated(double part, double[] off) {
    return isAsStated(Arrays.stream(off).filter(one -> one <= part).count(), off.length);
  }

  /**
   * A range as it is, if it holds what it is meant to of some times, else the nearest one that
   * does, apart from both times that it separates.
   *
   * @param part the range, as a part
   * @param off what the times are off by
   */
  static double within(double part, double[] off) {
    if (isAsStated(part, off)) {
      return part;
    }
    double[] sorted = off.clone();
    Arrays.sort(sorted);
    int least = least(off.length);
    if (part < sorted[least - 1]) {
      return Math.min(MARGIN * sorted[least - 1], middle(sorted, least));
    }
    return middle(sorted, most(off.length));
  }

  /** Between the times of which some are held and others not. */
  private static double middle(double[] sorted, int held) {
    return (sorted[held - 1] + sorted[held]) / 2;
  }

  private static int least(int times) {
    return (LEAST_HELD * times + 99) / 100;
  }

  private static int most(int times) {
    return MOST_HELD * times / 100;
  }
}
