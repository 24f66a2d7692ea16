package dev.topo.simulator.verdict;

/**
 * The Cholesky factor of a positive definite matrix (G. H. Golub and C. F. Van Loan, Matrix
 * Computations, section 4.2). Cubic in its size.
 */
public final class Cholesky {
  private final double[][] lower;

  private Cholesky(double[][] lower) {
    this.lower = lower;
  }

  /**
   * Factors a symmetric matrix.
   *
   * @param matrix its lower half is read
   * @throws IllegalArgumentException if it is not positive definite
   */
  public static Cholesky of(double[][] matrix) {
    return of(matrix, 0);
  }

  /**
   * Factors a symmetric matrix that may be singular.
   *
   * @param least the smallest pivot: smaller ones become this; 0 rejects them
   */
  static Cholesky of(double[][] matrix, double least) {
    int n = matrix.length;
    double[][] lower = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = matrix[i][j];
        for (int k = 0; k < j; k++) {
          sum -= lower[i][k] * lower[j][k];
        }
        if (i == j) {
          if (least == 0 && !(sum > 0)) {
            throw new IllegalArgumentException("not positive definite at " + i);
          }
          lower[i][i] = Math.sqrt(Math.max(sum, least));
        } else {
          lower[i][j] = sum / lower[j][j];
        }
      }
    }
    return new Cholesky(lower);
  }

  /** The solution of the linear equations with this matrix. */
  double[] solve(double[] right) {
    double[] x = forward(right, 0);
    for (int i = x.length - 1; i >= 0; i--) {
      for (int k = i + 1; k < x.length; k++) {
        x[i] -= lower[k][i] * x[k];
      }
      x[i] /= lower[i][i];
    }
    return x;
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
  public double logDensity(double[] vector) {
    double sum = 0;
    double[] white = forward(vector, 0);
    for (int i = 0; i < white.length; i++) {
      sum -= white[i] * white[i] / 2 + Math.log(lower[i][i]) + Math.log(2 * Math.PI) / 2;
    }
    return sum;
  }

  /**
   * The distance of each value from the prediction by the others, in standard deviations (Rasmussen
   * and Williams, equation 5.12).
   */
  public double[] leaveOneOut(double[] vector) {
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
