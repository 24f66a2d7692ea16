package dev.topo.simulator.verdict;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** The linear equations of a round of least squares: {@code (JᵀWJ) step = -JᵀWr}. */
final class NormalEquations {
  private final DMatrixRMaj matrix;
  private final DMatrixRMaj gradient;

  /**
   * The equations of some observations.
   *
   * @param slopes a row for each observation, a column for each unknown
   */
  NormalEquations(DMatrixRMaj slopes, double[] residuals, double[] weights) {
    DMatrixRMaj weighted = slopes.copy();
    CommonOps_DDRM.multRows(weights, weighted);
    this.matrix = CommonOps_DDRM.multTransA(weighted, slopes, null);
    this.gradient = CommonOps_DDRM.multTransA(weighted, new DMatrixRMaj(residuals), null);
  }

  /** Draws an unknown back by a distance; all must be drawn, so that all are determined. */
  void draw(int unknown, double strength, double distance) {
    matrix.add(unknown, unknown, strength * strength);
    gradient.add(unknown, 0, strength * strength * distance);
  }

  /** The step, shorter for more damping. */
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

  /** Standard error of each unknown, given that of an observation. */
  double[] standardErrors(double scatter) {
    DMatrixRMaj inverse = matrix.createLike();
    CommonOps_DDRM.invertSPD(matrix, inverse);
    DMatrixRMaj errors = CommonOps_DDRM.extractDiag(inverse, null);
    CommonOps_DDRM.elementPower(errors, 0.5, errors);
    CommonOps_DDRM.scale(scatter, errors);
    return errors.data;
  }
}
