package dev.topo.simulator.diagnosis;

import dev.topo.simulator.verdict.NormalDensity;
import java.util.List;

/**
 * Log-likelihood of differences between measured and predicted times: a difference of all sizes
 * together, a smooth one over sizes, and noise of each measurement. The first two are as large as
 * the range of the prediction, so that with a wide range the shape of a curve counts more than its
 * level. A Gaussian process (C. E. Rasmussen and C. K. I. Williams, Gaussian Processes for Machine
 * Learning, 2006, equation 2.30); single outliers get a wide noise, each at the price of {@link
 * #OUTLIER}. Cubic in the number of measurements.
 */
final class LogTimeFit {
  /** Fraction of the variance that all sizes share. */
  private static final double SHARED = 0.5;

  /** Correlation length of smooth differences, in doublings of the size. */
  private static final double OCTAVES = 4;

  /** Correlation of the smooth differences of two collectives. */
  private static final double OTHER_COLLECTIVE = 0.7;

  /** Factor of the wider range: every tenth run exceeds the usual one, which holds 90 of 100. */
  private static final double WIDE = 3;

  private static final double OF_WIDE = 0.12;

  /** Log-probability that a measurement is an outlier. */
  private static final double OUTLIER = Math.log(0.03);

  /** Error of the model between out of place and in place. */
  private static final double OF_PLACES = 0.07;

  private static final double UNEVEN = 0.06;

  private static final double FAR = 3.5;

  /** One in this many measurements may be an outlier, up to a limit. */
  private static final int FEW = 5;

  private static final int MOST_OUTLIERS = 6;
  private static final double OUTLIER_NOISE = 0.5;

  /**
   * Measurement.
   *
   * @param collective its index in a list of collectives
   * @param octave logarithm of the size to base 2
   */
  record Point(int collective, double octave) {}

  /** Covariance of each two measurements as a fraction of their ranges; lower triangle. */
  private final double[][] shared;

  LogTimeFit(List<Point> points) {
    this.shared = new double[points.size()][];
    for (int i = 0; i < shared.length; i++) {
      shared[i] = new double[i + 1];
      for (int j = 0; j <= i; j++) {
        shared[i][j] = SHARED + (1 - SHARED) * alike(points.get(i), points.get(j));
      }
    }
  }

  private static double alike(Point point, Point other) {
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
    double narrow = Math.log(1 - OF_WIDE) + robust(residuals, spreads, noises, 1);
    double wide = Math.log(OF_WIDE) + robust(residuals, spreads, noises, WIDE);
    double most = Math.max(narrow, wide);
    return most + Math.log(Math.exp(narrow - most) + Math.exp(wide - most));
  }

  /**
   * Log-likelihood of the differences between times out of place and in place, which undisturbed
   * runs have, too.
   */
  static double logLikelihood(double[] unevenness, double[] noises) {
    double sum = 0;
    for (int i = 0; i < noises.length; i++) {
      double variance = 2 * noises[i] * noises[i] + OF_PLACES * OF_PLACES;
      sum +=
          Math.log(
              (1 - UNEVEN) * density(unevenness[i], variance)
                  + UNEVEN * density(unevenness[i], OUTLIER_NOISE * OUTLIER_NOISE));
    }
    return sum;
  }

  private static double density(double value, double variance) {
    return Math.exp(-value * value / variance / 2) / Math.sqrt(2 * Math.PI * variance);
  }

  /**
   * Log-likelihood with the farthest measurements as outliers, as long as one is far off and that
   * is likelier.
   */
  private double robust(double[] residuals, double[] spreads, double[] usual, double wider) {
    double[] noises = usual.clone();
    NormalDensity density = NormalDensity.of(covariance(spreads, noises, wider));
    double best = density.log(residuals);
    int most = Math.min(MOST_OUTLIERS, residuals.length / FEW);
    for (int outliers = 1; outliers <= most; outliers++) {
      int farthest = farthest(density.leaveOneOut(residuals));
      if (farthest < 0) {
        break;
      }
      noises[farthest] = Math.max(usual[farthest], OUTLIER_NOISE);
      density = NormalDensity.of(covariance(spreads, noises, wider));
      best = Math.max(best, outliers * OUTLIER + density.log(residuals));
    }
    return best;
  }

  /** Index of the value farthest from 0; -1 if none is far. */
  private static int farthest(double[] values) {
    int farthest = -1;
    for (int i = 0; i < values.length; i++) {
      if (Math.abs(values[i]) > (farthest < 0 ? FAR : Math.abs(values[farthest]))) {
        farthest = i;
      }
    }
    return farthest;
  }

  private double[][] covariance(double[] spreads, double[] noises, double wider) {
    int n = shared.length;
    double[][] covariance = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double value = wider * wider * spreads[i] * spreads[j] * shared[i][j];
        covariance[i][j] = value + (i == j ? noises[i] * noises[i] : 0);
        covariance[j][i] = covariance[i][j];
      }
    }
    return covariance;
  }
}
