package dev.topo.accuracy;

import dev.topo.model.Quantiles;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import java.util.Arrays;

/**
 * The range of an operation on some machines and sizes. From many times it is what nine in ten of
 * them are off by; from fewer it is that of all operations there, which rests on more, unless the
 * operation's own times contradict it: then the nearest that holds as many of them as a range is
 * meant to.
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

  /** From so many times on an operation's own decide. */
  private static final int MANY_TIMES = 30;

  /** Of fewer times a range that holds nine in ten of many may hold fewer by chance. */
  private static final int FEW_TIMES = 20;

  /** Below this size calls wait for hosts and latency. */
  private static final long OF_HOSTS = 1 << 20;

  /** What happens less often is no chance. */
  private static final double CHANCE = 0.05;

  /** A wider range reaches beyond the last time that it holds by this factor at most. */
  private static final double MARGIN = 1.05;

  private RangeRule() {}

  /**
   * The range of an operation, as a part of the time. By launches other than {@link Launch#EACH}
   * fewer times are known: there it is that of all operations unless its own times contradict it by
   * more than chance, whatever their number.
   *
   * @param fromBytes where its sizes begin
   * @param off what its own times are off by
   * @param ofAll the range of all operations
   */
  static double part(Launch launch, long fromBytes, double[] off, double ofAll) {
    if (launch != Launch.EACH && isAsStated(launch, held(ofAll, off), off.length)) {
      return ofAll;
    }
    double own = off.length < MANY_TIMES ? ofAll : usual(off);
    // Hosts differ by launches more than operations do; graphs have none for each call.
    boolean isOfHosts = fromBytes < OF_HOSTS && launch != Launch.GRAPH;
    return within(isOfHosts ? Math.max(own, ofAll) : own, off);
  }

  /** Whether a range holds neither too few nor too many of some times, where their number tells. */
  static boolean isAsStated(Launch launch, long held, int times) {
    return isAsStated(held, times) || launch != Launch.EACH && isByChance(held, times);
  }

  private static long held(double part, double[] off) {
    return Arrays.stream(off).filter(one -> one <= part).count();
  }

  /** Whether times are so few that chance may leave so many in a range that holds nine in ten. */
  private static boolean isByChance(long held, int times) {
    return times < FEW_TIMES && held >= leastByChance(times);
  }

  /** What 90 of 100 times are off by at most. */
  static double usual(double[] off) {
    return Quantiles.of(off, HELD);
  }

  /** The same without regard to chance. */
  private static boolean isAsStated(long held, int times) {
    return times < LEAST_TIMES || held >= least(times) && held <= most(times);
  }

  /** Whether a range holds not too few of some times, to a whole number of them. */
  static boolean isWideEnough(long held, int times) {
    return held >= Math.round(LEAST_HELD / 100.0 * times);
  }

  /** The same of a range. */
  static boolean isAsStated(double part, double[] off) {
    return isAsStated(held(part, off), off.length);
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

  /** The least that chance leaves in a range that holds nine in ten: a binomial distribution. */
  private static int leastByChance(int times) {
    double one = Math.pow(1 - HELD, times);
    double atMost = one;
    int held = 0;
    while (atMost < CHANCE) {
      held++;
      one *= (times - held + 1) / (double) held * HELD / (1 - HELD);
      atMost += one;
    }
    return held;
  }

  private static int most(int times) {
    return MOST_HELD * times / 100;
  }
}
