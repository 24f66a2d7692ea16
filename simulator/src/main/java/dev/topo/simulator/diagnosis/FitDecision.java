package dev.topo.simulator.diagnosis;

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
 * @param isOff whether calls with a narrow range are off by more than a healthy job's
 * @param summary reason, in a sentence
 */
record FitDecision(
    List<Cause> causes,
    boolean isSlower,
    double slowdown,
    double median,
    boolean isOff,
    String summary) {
  /**
   * Least advantage in log-likelihood of a fault over the healthy job: healthy runs of clusters
   * that no calibration has seen differ from it in shape, too.
   */
  private static final double MARGIN = 4;

  /** One call in this many may exceed its range by chance. */
  private static final int FEW = 10;

  /** Largest fraction of the differences that a cause may leave unexplained. */
  private static final double LEFT = 0.65;

  /**
   * Largest factor between measured times and those of a cause, for half of the calls that it slows
   * down.
   */
  private static final double NEAR = 1.8;

  /** The same for calls that wait for launches, whose time does not depend on the size. */
  private static final double NEAR_FLOOR = 1.25;

  /** Relative slowdown below which calls count as expected. */
  private static final double SLOWER = 0.15;

  /** Standard deviations beyond the prediction from which on nothing known explains a call. */
  private static final double BEYOND = 3.3;

  /** Number of consecutive sizes that are not off by chance. */
  private static final int IN_ROW = 3;

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
   * @param fits result of {@link JobFit#fits}
   * @param onHost the same for a host that may launch slowly, for the order of the causes
   * @param isBelowLinks whether the measurements are below the link bandwidth that every healthy
   *     run reaches
   * @param isNetwork whether the job has several nodes
   */
  static FitDecision of(
      List<Fit> fits,
      Supplier<List<Fit>> onHost,
      List<TimedCall> measurements,
      boolean isBelowLinks,
      boolean isNetwork) {
    if (fits.isEmpty()) {
      return new FitDecision(
          List.of(),
          false,
          0,
          0,
          false,
          "NCCL would not run these calls on this machine, or no times are known");
    }
    Fit healthy = fits.get(0);
    Fit unknown = fits.get(fits.size() - 1);
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
          TextWriter.format("up to %.1f times as long as expected", slowdown));
    }
    boolean isBeyond = isBelowLinks || !isNetwork && isBeyond(healthy, measurements);
    return new FitDecision(
        List.of(),
        isBeyond,
        slowdown,
        median,
        RangeSummary.isOff(healthy),
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
   * True if most calls that the fault slows down are slower, and it comes near these times and all
   * slower ones. A fault as far from them as the healthy job, on the other side, is not an
   * explanation.
   */
  private static boolean explains(Fit healthy, Fit fault) {
    int slower = 0;
    int affected = 0;
    double before = 0;
    double after = 0;
    List<Double> off = new ArrayList<>();
    for (int i = 0; i < healthy.residuals().length; i++) {
      boolean isSlower = healthy.residuals()[i] > Math.log1p(SLOWER);
      boolean isAffected = Math.log(fault.timesUs()[i] / healthy.timesUs()[i]) > Math.log1p(SLOWER);
      slower += isAffected && isSlower ? 1 : 0;
      affected += isAffected ? 1 : 0;
      if (isAffected || isSlower) {
        before += Math.abs(healthy.residuals()[i]);
        after += Math.abs(fault.residuals()[i]);
        off.add(Math.abs(fault.residuals()[i]));
      }
    }
    return slower > 0
        && 2 * slower >= affected
        && after < LEFT * before
        && Quantiles.median(off)
            < Math.log(fault.hypothesis().effect().floorUs() > 0 ? NEAR_FLOOR : NEAR);
  }

  /** True if some calls, at least two, are slower than the range of their prediction. */
  private static boolean isOutside(Fit healthy) {
    int n = healthy.residuals().length;
    int outside = 0;
    for (int i = 0; i < n; i++) {
      outside += healthy.residuals()[i] > healthy.range(i) ? 1 : 0;
    }
    return outside >= Math.min(n, Math.max(2, n / FEW));
  }

  /**
   * True if a quarter of the calls, at least two, are slower than any range allows, or three
   * consecutive sizes of an operation. Both times of a call have to be: if one of two runs was as
   * fast as expected, the cause does not last.
   */
  private static boolean isBeyond(Fit healthy, List<TimedCall> measurements) {
    int beyond = 0;
    int inRow = 0;
    int most = 0;
    int n = measurements.size();
    for (int i = 0; i < n; i++) {
      double allowed = Math.max(BEYOND * healthy.spreads()[i], Math.log(SLOWEST_NODE));
      boolean isBeyond = healthy.lastingResidual(i) > allowed;
      boolean isNext =
          i > 0
              && measurements.get(i).call().operation()
                  == measurements.get(i - 1).call().operation();
      beyond += isBeyond ? 1 : 0;
      inRow = isBeyond ? (isNext ? inRow : 0) + 1 : 0;
      most = Math.max(most, inRow);
    }
    return beyond >= Math.max(Math.min(2, n), n / 4) || most >= IN_ROW;
  }
}
