package dev.topo.simulator.diagnosis;

/**
 * The Cholesky factor of a positive definite matrix (G. H. Golub and C. F. Van Loan, Matrix
 * Computations, section 4.2). Cubic in its size.
 */
final class Cholesky {
  private final double[][] lower;

  /**
   * Factors a symmetric matrix.
   *
   * @throws IllegalArgumentException if it is not positive definite
   */
  Cholesky(double[][] matrix) {
    int n = matrix.length;
    lower = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = matrix[i][j];
        for (int k = 0; k < j; k++) {
          sum -= lower[i][k] * lower[j][k];
        }
        if (i == j) {
          if (!(sum > 0)) {
            throw new IllegalArgumentException("not positive definite at " + i);
          }
          lower[i][i] = Math.sqrt(sum);
        } else {
          lower[i][j] = sum / lower[j][j];
        }
      }
    }
  }

  /** The lower factor's inverse by a vector that is 0 before a place. */
  private double[] forward(double[] vector, int first) {
    double[] solved = new double[vector.length];
    for (int i = first; i < vector.length; i++) {
      double[] row = lower[i];
      double sum = vector[i];
      for (int k = first; k < i; k++) {
        sum -= row[k] * solved[k];
      }
      solved[i] = sum / row[i];
    }
    return solved;
  }

  /** Logarithm of the density of a normal distribution with this covariance and mean 0. */
  double logDensity(double[] vector) {
    double sum = 0;
    double[] white = forward(vector, 0);
    for (int i = 0; i < white.length; i++) {
      sum -= white[i] * white[i] / 2 + Math.log(lower[i][i]) + Math.log(2 * Math.PI) / 2;
    }
    return sum;
  }

  /**
   * How many standard deviations each value is from what the others predict (Rasmussen and
   * Williams, equation 5.12).
   */
  double[] leaveOneOut(double[] vector) {
    int n = vector.length;
    double[] white = forward(vector, 0);
    double[] far = new double[n];
    for (int i = 0; i < n; i++) {
      double[] unit = new double[n];
      unit[i] = 1;
      double[] column = forward(unit, i);
      double variance = 0;
      double weighted = 0;
      for (int k = i; k < n; k++) {
        variance += column[k] * column[k];
        weighted += column[k] * white[k];
      }
      far[i] = weighted / Math.sqrt(variance);
    }
    return far;
  }
}
