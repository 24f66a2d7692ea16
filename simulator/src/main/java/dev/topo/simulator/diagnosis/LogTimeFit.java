package dev.topo.simulator.diagnosis;

import dev.topo.simulator.verdict.NormalDensity;
import java.util.List;

/**
 * Log-likelihood of the differences between measured and predicted times. A difference has three
 * parts: one that all sizes share, one that varies smoothly with the size, and the noise of each
 * measurement. The first two are as large as the range of the prediction, so that with a wide range
 * the shape of a curve counts more than its level. The model is a Gaussian process (C. E. Rasmussen
 * and C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, equation 2.30); single
 * outliers may have a wide noise, each at the price of {@link #OUTLIER}. The cost is cubic in the
 * number of measurements.
 */
final class LogTimeFit {
  /** Fraction of the prediction's variance that all sizes share. */
  private static final double SHARED = 0.5;

  /** Correlation length of smooth differences, in doublings of the size. */
  private static final double OCTAVES = 4;

  /** Correlation of the smooth differences between two operations. */
  private static final double OTHER_COLLECTIVE = 0.7;

  /** Factor of a wider range: one run in ten exceeds the usual range, which holds 90 of 100. */
  private static final double WIDE = 3;

  /** Prior probability of the wider range. */
  private static final double WIDE_PRIOR = 0.12;

  /** Log-probability that a measurement is an outlier. */
  private static final double OUTLIER = Math.log(0.03);

  /**
   * Standard deviation of the model's error in the ratio of the times out of place and in place, in
   * logarithms.
   */
  private static final double PLACE_ERROR = 0.07;

  /** Fraction of calls that are disturbed in one of their two times. */
  private static final double UNEVEN_FRACTION = 0.06;

  /**
   * Leave-one-out distance in standard deviations from which on a measurement may be an outlier.
   */
  private static final double OUTLIER_DISTANCE = 3.5;

  /** At most one in this many measurements is an outlier. */
  private static final int CALLS_PER_OUTLIER = 5;

  private static final int MOST_OUTLIERS = 6;
  private static final double OUTLIER_NOISE = 0.5;

  /**
   * Measurement.
   *
   * @param collective index of its operation
   * @param octave logarithm of the size to base 2
   */
  record Point(int collective, double octave) {}

  /**
   * Covariance of each two measurements relative to the product of their spreads; lower triangle.
   */
  private final double[][] shared;

  LogTimeFit(List<Point> points) {
    this.shared = new double[points.size()][];
    for (int i = 0; i < shared.length; i++) {
      shared[i] = new double[i + 1];
      for (int j = 0; j <= i; j++) {
        shared[i][j] = SHARED + (1 - SHARED) * correlation(points.get(i), points.get(j));
      }
    }
  }

  private static double correlation(Point point, Point other) {
    double distance = (point.octave() - other.octave()) / OCTAVES;
    double correlation = Math.exp(-distance * distance / 2);
    return point.collective() == other.collective() ? correlation : correlation * OTHER_COLLECTIVE;
  }

  /**
   * Log-likelihood of residuals.
   *
   * @param residuals logarithms of the ratios of measured to predicted times
   * @param spreads standard deviations of the prediction's error, in logarithms
   * @param noises standard deviations of each measurement's noise, in logarithms
   */
  double logLikelihood(double[] residuals, double[] spreads, double[] noises) {
    double narrow = Math.log(1 - WIDE_PRIOR) + robustLogLikelihood(residuals, spreads, noises, 1);
    double wide = Math.log(WIDE_PRIOR) + robustLogLikelihood(residuals, spreads, noises, WIDE);
    double larger = Math.max(narrow, wide);
    return larger + Math.log(Math.exp(narrow - larger) + Math.exp(wide - larger));
  }

  /**
   * Log-likelihood of the differences between times out of place and in place, which undisturbed
   * runs have, too.
   */
  static double logLikelihood(double[] unevenness, double[] noises) {
    double sum = 0;
    for (int i = 0; i < noises.length; i++) {
      double variance = 2 * noises[i] * noises[i] + PLACE_ERROR * PLACE_ERROR;
      sum +=
          Math.log(
              (1 - UNEVEN_FRACTION) * density(unevenness[i], variance)
                  + UNEVEN_FRACTION * density(unevenness[i], OUTLIER_NOISE * OUTLIER_NOISE));
    }
    return sum;
  }

  private static double density(double value, double variance) {
    return Math.exp(-value * value / variance / 2) / Math.sqrt(2 * Math.PI * variance);
  }

  /**
   * Largest log-likelihood over the numbers of outliers. The measurement farthest from what the
   * others predict becomes the next outlier, as long as one is far enough.
   */
  private double robustLogLikelihood(
      double[] residuals, double[] spreads, double[] usualNoises, double spreadFactor) {
    double[] noises = usualNoises.clone();
    NormalDensity density = NormalDensity.of(covariance(spreads, noises, spreadFactor));
    double best = density.log(residuals);
    int mostOutliers = Math.min(MOST_OUTLIERS, residuals.length / CALLS_PER_OUTLIER);
    for (int outliers = 1; outliers <= mostOutliers; outliers++) {
      int farthest = farthest(density.leaveOneOut(residuals));
      if (farthest < 0) {
        break;
      }
      noises[farthest] = Math.max(usualNoises[farthest], OUTLIER_NOISE);
      density = NormalDensity.of(covariance(spreads, noises, spreadFactor));
      best = Math.max(best, outliers * OUTLIER + density.log(residuals));
    }
    return best;
  }

  /** Index of the value farthest from 0; -1 if all are within {@link #OUTLIER_DISTANCE}. */
  private static int farthest(double[] values) {
    int farthest = -1;
    for (int i = 0; i < values.length; i++) {
      if (Math.abs(values[i]) > (farthest < 0 ? OUTLIER_DISTANCE : Math.abs(values[farthest]))) {
        farthest = i;
      }
    }
    return farthest;
  }

  private double[][] covariance(double[] spreads, double[] noises, double spreadFactor) {
    int n = shared.length;
    double[][] covariance = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double value = spreadFactor * spreadFactor * spreads[i] * spreads[j] * shared[i][j];
        covariance[i][j] = value + (i == j ? noises[i] * noises[i] : 0);
        covariance[j][i] = covariance[i][j];
      }
    }
    return covariance;
  }
}
