package dev.topo.simulator.diagnosis;

import dev.topo.simulator.verdict.Cholesky;
import java.util.List;

/**
 * The likelihood of differences between measured and predicted times, in logarithms: a difference
 * of all sizes together, a smooth one over sizes, and noise of each measurement. Both of the former
 * are as large as the range of the prediction, so that the level of a curve counts little where the
 * range is wide, and its shape more. A Gaussian process (C. E. Rasmussen and C. K. I. Williams,
 * Gaussian Processes for Machine Learning, 2006, equation 2.30); single outliers have a wide noise,
 * each at the price of {@link #OUTLIER}. Cubic in the number of measurements.
 */
final class LogTimeFit {
  /** Part of the variance that all sizes share. */
  private static final double SHARED = 0.5;

  /** Sizes this many times two apart still differ from the prediction alike. */
  private static final double OCTAVES = 4;

  /** The part of a smooth difference that two collectives share. */
  private static final double OTHER_COLLECTIVE = 0.7;

  /** Every tenth run is off by more than the range, which 90 of 100 are within. */
  private static final double WIDE = 3;

  private static final double OF_WIDE = 0.12;

  /** Logarithm of how likely a measurement is an outlier. */
  private static final double OUTLIER = Math.log(0.03);

  /** Error of the model between out of place and in place, and how often it is larger. */
  private static final double OF_PLACES = 0.07;

  private static final double UNEVEN = 0.06;

  private static final double FAR = 3.5;

  /** One in so many measurements may be an outlier, and not more than some. */
  private static final int FEW = 5;

  private static final int MOST_OUTLIERS = 6;
  private static final double OUTLIER_NOISE = 0.5;

  /**
   * A measurement.
   *
   * @param collective its place in a list of collectives
   * @param octave logarithm of the size to base 2
   */
  record Point(int collective, double octave) {}

  /** The part of the range that two measurements share; below the diagonal. */
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
    double apart = (point.octave() - other.octave()) / OCTAVES;
    double alike = Math.exp(-apart * apart / 2);
    return point.collective() == other.collective() ? alike : alike * OTHER_COLLECTIVE;
  }

  /**
   * Logarithm of the likelihood.
   *
   * @param residuals logarithms of measured by predicted times
   * @param spreads standard deviations of the prediction's error, in logarithms
   * @param noises the same of each measurement
   */
  double logLikelihood(double[] residuals, double[] spreads, double[] noises) {
    double narrow = Math.log(1 - OF_WIDE) + robust(residuals, spreads, noises, 1);
    double wide = Math.log(OF_WIDE) + robust(residuals, spreads, noises, WIDE);
    double most = Math.max(narrow, wide);
    return most + Math.log(Math.exp(narrow - most) + Math.exp(wide - most));
  }

  /**
   * Logarithm of the likelihood of the differences between times out of place and in place, which
   * undisturbed runs have of themselves, too.
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

  /** Takes the farthest measurement for an outlier, as long as one is far and that is likelier. */
  private double robust(double[] residuals, double[] spreads, double[] usual, double wider) {
    double[] noises = usual.clone();
    Cholesky whole = Cholesky.of(covariance(spreads, noises, wider));
    double best = whole.logDensity(residuals);
    int most = Math.min(MOST_OUTLIERS, residuals.length / FEW);
    for (int outliers = 1; outliers <= most; outliers++) {
      int farthest = farthest(whole.leaveOneOut(residuals));
      if (farthest < 0) {
        break;
      }
      noises[farthest] = Math.max(usual[farthest], OUTLIER_NOISE);
      whole = Cholesky.of(covariance(spreads, noises, wider));
      best = Math.max(best, outliers * OUTLIER + whole.logDensity(residuals));
    }
    return best;
  }

  /** The place of the value that is farthest from 0, -1 if none is far. */
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
