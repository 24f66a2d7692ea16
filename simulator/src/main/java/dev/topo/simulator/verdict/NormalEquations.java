package dev.topo.simulator.verdict;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The damped normal equations of a round of weighted least squares: {@code (JᵀWJ) step = -JᵀWr}.
 */
final class NormalEquations {
  private final DMatrixRMaj matrix;
  private final DMatrixRMaj gradient;

  /**
   * Creates the equations of some observations.
   *
   * @param jacobian derivatives of the residuals; a row for each observation, a column for each
   *     unknown
   */
  NormalEquations(DMatrixRMaj jacobian, double[] residuals, double[] weights) {
    DMatrixRMaj weighted = jacobian.copy();
    CommonOps_DDRM.multRows(weights, weighted);
    this.matrix = CommonOps_DDRM.multTransA(weighted, jacobian, null);
    this.gradient = CommonOps_DDRM.multTransA(weighted, new DMatrixRMaj(residuals), null);
  }

  /**
   * Adds a penalty that draws an unknown back to its start. Every unknown needs one, so that the
   * equations have a unique solution.
   *
   * @param strength square root of the weight of the penalty
   * @param distance distance of the unknown from its start
   */
  void addPenalty(int unknown, double strength, double distance) {
    matrix.add(unknown, unknown, strength * strength);
    gradient.add(unknown, 0, strength * strength * distance);
  }

  /** Solves for the step; more damping makes it shorter. */
  double[] step(double damping) {
    DMatrixRMaj damped = matrix.copy();
    for (int a = 0; a < damped.numRows; a++) {
      damped.set(a, a, damped.get(a, a) * (1 + damping));
    }
    DMatrixRMaj step = gradient.createLike();
    CommonOps_DDRM.solveSPD(damped, gradient, step);
    CommonOps_DDRM.changeSign(step);
    return step.data;
  }

  /** Returns the standard error of each unknown, given the standard deviation of an observation. */
  double[] standardErrors(double deviation) {
    DMatrixRMaj inverse = matrix.createLike();
    CommonOps_DDRM.invertSPD(matrix, inverse);
    DMatrixRMaj errors = CommonOps_DDRM.extractDiag(inverse, null);
    CommonOps_DDRM.elementPower(errors, 0.5, errors);
    CommonOps_DDRM.scale(deviation, errors);
    return errors.data;
  }
}
