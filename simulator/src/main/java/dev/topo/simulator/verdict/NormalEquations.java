package dev.topo.simulator.verdict;

import java.util.Arrays;

/**
 * The linear equations of a round of least squares: {@code (JᵀWJ) step = -JᵀWr}. Solved by
 * Cholesky's method.
 */
final class NormalEquations {
  private final double[][] matrix;
  private final double[] gradient;

  NormalEquations(int unknowns) {
    matrix = new double[unknowns][unknowns];
    gradient = new double[unknowns];
  }

  void add(double[] slopes, double residual, double weight) {
    for (int a = 0; a < gradient.length; a++) {
      double slope = weight * slopes[a];
      if (slope != 0) {
        gradient[a] += slope * residual;
        for (int b = 0; b <= a; b++) {
          matrix[a][b] += slope * slopes[b];
        }
      }
    }
  }

  /** Draws an unknown back by a distance. */
  void draw(int unknown, double strength, double distance) {
    matrix[unknown][unknown] += strength * strength;
    gradient[unknown] += strength * strength * distance;
  }

  /** The step, shorter for more damping. */
  double[] step(double damping) {
    return solve(cholesky(damping), Arrays.stream(gradient).map(slope -> -slope).toArray());
  }

  /** Standard error of each unknown, given that of an observation. */
  double[] standardErrors(double scatter) {
    double[][] factor = cholesky(0);
    double[] errors = new double[gradient.length];
    for (int a = 0; a < errors.length; a++) {
      double[] unit = new double[errors.length];
      unit[a] = 1;
      errors[a] = scatter * Math.sqrt(solve(factor, unit)[a]);
    }
    return errors;
  }

  private double[][] cholesky(double damping) {
    int n = gradient.length;
    double[][] factor = new double[n][n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b <= a; b++) {
        double sum = a == b ? matrix[a][a] * (1 + damping) : matrix[a][b];
        for (int k = 0; k < b; k++) {
          sum -= factor[a][k] * factor[b][k];
        }
        factor[a][b] = a == b ? Math.sqrt(Math.max(sum, 1e-12)) : sum / factor[b][b];
      }
    }
    return factor;
  }

  private static double[] solve(double[][] factor, double[] right) {
    int n = right.length;
    double[] x = right.clone();
    for (int a = 0; a < n; a++) {
      for (int k = 0; k < a; k++) {
        x[a] -= factor[a][k] * x[k];
      }
      x[a] /= factor[a][a];
    }
    for (int a = n - 1; a >= 0; a--) {
      for (int k = a + 1; k < n; k++) {
        x[a] -= factor[k][a] * x[k];
      }
      x[a] /= factor[a][a];
    }
    return x;
  }
}
