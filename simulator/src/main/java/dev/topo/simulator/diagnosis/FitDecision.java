package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredOperation;
import dev.topo.model.Last;
import dev.topo.model.Quantiles;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Decision between fits to measurements.
 *
 * @param causes causes that fit, most likely first; empty if the healthy job fits
 * @param isSlower whether the measurements are slower than the range of the healthy job
 * @param slowdown factor by which the measurements took longer, at the sizes that are slower
 * @param median median relative excess of the measured over the predicted time
 * @param isOff whether calls with a narrow range are farther from the prediction than those of a
 *     healthy job
 * @param within number of calls within their range
 * @param summary reason, in a sentence
 */
record FitDecision(
    List<Cause> causes,
    boolean isSlower,
    double slowdown,
    double median,
    boolean isOff,
    long within,
    String summary) {
  /**
   * Least advantage of a fault over the healthy job, in log posterior: healthy runs of clusters
   * that no calibration covers also differ in shape from the prediction.
   */
  private static final double MARGIN = 4;

  /** One call in this many may exceed its range by chance. */
  private static final int CALLS_PER_CHANCE_OUTLIER = 10;

  /** Largest fraction of the differences that a fault may leave unexplained. */
  private static final double MOST_UNEXPLAINED = 0.65;

  /**
   * Largest median factor between the measured times and those of a fault, for the calls that the
   * fault slows down or that are slow.
   */
  private static final double MOST_ERROR_FACTOR = 1.8;

  /** The same for slow launches, whose time does not depend on the size. */
  private static final double MOST_FLOOR_ERROR_FACTOR = 1.25;

  /** Relative slowdown below which calls count as expected. */
  private static final double SLOWER = 0.15;

  /**
   * Calls that are slower than predicted by more than this many standard deviations are not
   * healthy.
   */
  private static final double HEALTHY_SIGMAS = 3.3;

  /** So many consecutive sizes are not slow by chance. */
  private static final int SLOW_IN_ROW = 3;

  /** Largest factor by which healthy nodes differ. */
  private static final double SLOWEST_NODE = 1.3;

  FitDecision {
    causes = List.copyOf(causes);
  }

  /** True if the measurements are consistent with the healthy job, as far as its ranges tell. */
  boolean isAsExpected() {
    return causes.isEmpty() && !isSlower && slowdown > 0;
  }

  /**
   * Decides between fits.
   *
   * @param fits the result of {@link JobFit#fits}: the healthy job first, the unknown cause last
   * @param onHost the same fits if no call takes less time than the launches of the run's host;
   *     they rank the causes
   * @param isBelowLinks whether the measurements are below the link bandwidth that every healthy
   *     run reaches
   * @param isNetwork whether the job has several nodes, whose own times are not known
   */
  static FitDecision of(
      List<Fit> fits,
      Supplier<List<Fit>> onHost,
      List<MeasuredOperation> measurements,
      boolean isBelowLinks,
      boolean isNetwork) {
    if (fits.isEmpty()) {
      return new FitDecision(
          List.of(),
          false,
          0,
          0,
          false,
          0,
          "NCCL would not run these calls on this machine, or no times are known");
    }
    Fit healthy = fits.get(0);
    Fit unknown = Last.of(fits);
    double slowdown = slowdown(healthy);
    double median = median(healthy);
    List<Fit> faults =
        fits.stream()
            .filter(fit -> fit.logPosterior() - healthy.logPosterior() > MARGIN)
            .filter(fit -> explains(healthy, fit))
            .filter(fit -> fit != unknown && isOutside(healthy))
            .toList();
    if (!faults.isEmpty()) {
      List<Cause> causes = new CauseRanking(measurements, fits, onHost.get()).causes(faults);
      return new FitDecision(
          causes,
          true,
          slowdown,
          median,
          false,
          0,
          TextWriter.format("up to %.1f times as long as expected", slowdown));
    }
    boolean isBeyond = isBelowLinks || !isNetwork && isBeyond(healthy, measurements);
    return new FitDecision(
        List.of(),
        isBeyond,
        slowdown,
        median,
        RangeSummary.isOff(healthy),
        RangeSummary.within(healthy),
        isBeyond
            ? TextWriter.format("up to %.1f times as long as expected", slowdown)
            : RangeSummary.of(measurements, healthy));
  }

  private static double median(Fit healthy) {
    return Math.expm1(Quantiles.median(healthy.residuals()));
  }

  private static double slowdown(Fit healthy) {
    return Math.exp(Arrays.stream(healthy.residuals()).max().orElse(0));
  }

  /**
   * True if at least half of the calls that the fault slows down are slow, three if there are
   * enough calls, and the fault comes near the measured times of these calls and of all other slow
   * ones. A fault that overshoots the times by as much as the healthy job falls short of them
   * explains nothing.
   */
  private static boolean explains(Fit healthy, Fit fault) {
    int slower = 0;
    int affected = 0;
    double healthyError = 0;
    double faultError = 0;
    List<Double> faultErrors = new ArrayList<>();
    for (int i = 0; i < healthy.residuals().length; i++) {
      boolean isSlower = healthy.residuals()[i] > Math.log1p(SLOWER);
      boolean isAffected = Math.log(fault.timesUs()[i] / healthy.timesUs()[i]) > Math.log1p(SLOWER);
      slower += isAffected && isSlower ? 1 : 0;
      affected += isAffected ? 1 : 0;
      if (isAffected || isSlower) {
        healthyError += Math.abs(healthy.residuals()[i]);
        faultError += Math.abs(fault.residuals()[i]);
        faultErrors.add(Math.abs(fault.residuals()[i]));
      }
    }
    int n = healthy.residuals().length;
    return slower >= Math.min(SLOW_IN_ROW, (n + SLOW_IN_ROW) / (SLOW_IN_ROW + 1))
        && 2 * slower >= affected
        && faultError < MOST_UNEXPLAINED * healthyError
        && Quantiles.median(faultErrors)
            < Math.log(
                fault.hypothesis().effect().floorUs() > 0
                    ? MOST_FLOOR_ERROR_FACTOR
                    : MOST_ERROR_FACTOR);
  }

  /**
   * True if a tenth of the calls, at least two if there are as many, are slower than the range of
   * their prediction.
   */
  private static boolean isOutside(Fit healthy) {
    int n = healthy.residuals().length;
    int outside = 0;
    for (int i = 0; i < n; i++) {
      outside += healthy.residuals()[i] > healthy.range(i) ? 1 : 0;
    }
    return outside >= Math.min(n, Math.max(2, n / CALLS_PER_CHANCE_OUTLIER));
  }

  /**
   * True if a quarter of the calls (at least two, if there are as many) or three consecutive sizes
   * of one operation are slower than any healthy job. Both times of such a call, out of place and
   * in place, must be slow: if one is as fast as expected, the cause does not last.
   */
  private static boolean isBeyond(Fit healthy, List<MeasuredOperation> measurements) {
    int beyond = 0;
    int inRow = 0;
    int longestRow = 0;
    int n = measurements.size();
    for (int i = 0; i < n; i++) {
      double allowed = Math.max(HEALTHY_SIGMAS * healthy.spreads()[i], Math.log(SLOWEST_NODE));
      boolean isBeyond = healthy.lastingResidual(i) > allowed;
      boolean isNext =
          i > 0 && measurements.get(i).operation() == measurements.get(i - 1).operation();
      beyond += isBeyond ? 1 : 0;
      inRow = isBeyond ? (isNext ? inRow : 0) + 1 : 0;
      longestRow = Math.max(longestRow, inRow);
    }
    return beyond >= Math.max(Math.min(2, n), n / 4) || longestRow >= SLOW_IN_ROW;
  }
}
