package dev.topo.simulator.verdict;

import java.util.Arrays;

/**
 * The linear equations of a round of least squares: {@code (JᵀWJ) step = -JᵀWr}. Solved by
 * Cholesky's method.
 */
final class NormalEquations {
  /** Constants that the data do not determine have a large step instead of none. */
  private static final double LEAST_PIVOT = 1e-12;

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
    return factor(damping).solve(Arrays.stream(gradient).map(slope -> -slope).toArray());
  }

  /** Standard error of each unknown, given that of an observation. */
  double[] standardErrors(double scatter) {
    Cholesky factor = factor(0);
    double[] errors = new double[gradient.length];
    for (int a = 0; a < errors.length; a++) {
      double[] unit = new double[errors.length];
      unit[a] = 1;
      errors[a] = scatter * Math.sqrt(factor.solve(unit)[a]);
    }
    return errors;
  }

  private Cholesky factor(double damping) {
    double[][] damped = new double[gradient.length][];
    for (int a = 0; a < damped.length; a++) {
      damped[a] = matrix[a].clone();
      damped[a][a] *= 1 + damping;
    }
    return Cholesky.of(damped, LEAST_PIVOT);
  }
}
