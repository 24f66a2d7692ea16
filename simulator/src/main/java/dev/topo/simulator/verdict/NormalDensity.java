package dev.topo.simulator.verdict;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.dense.row.mult.VectorVectorMult_DDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F64;

/** A normal distribution of several values with mean 0. Cubic in their number. */
public final class NormalDensity {
  /** The inverse of the covariance's lower Cholesky factor: makes values independent. */
  private final DMatrixRMaj whitening;

  private NormalDensity(DMatrixRMaj whitening) {
    this.whitening = whitening;
  }

  /**
   * The distribution with a covariance.
   *
   * @throws IllegalArgumentException if it is not positive definite
   */
  public static NormalDensity of(double[][] covariance) {
    CholeskyDecomposition_F64<DMatrixRMaj> factor =
        DecompositionFactory_DDRM.chol(covariance.length, true);
    if (!factor.decompose(new DMatrixRMaj(covariance))) {
      throw new IllegalArgumentException("the covariance is not positive definite");
    }
    DMatrixRMaj lower = factor.getT(null);
    TriangularSolver_DDRM.invertLower(lower.data, covariance.length);
    return new NormalDensity(lower);
  }

  private DMatrixRMaj whitened(double[] values) {
    return CommonOps_DDRM.mult(whitening, new DMatrixRMaj(values), null);
  }

  /** Logarithm of the density. */
  public double log(double[] values) {
    DMatrixRMaj white = whitened(values);
    double sum = -VectorVectorMult_DDRM.innerProd(white, white) / 2;
    for (int i = 0; i < values.length; i++) {
      sum += Math.log(whitening.get(i, i)) - Math.log(2 * Math.PI) / 2;
    }
    return sum;
  }

  /**
   * The distance of each value from the prediction by the others, in standard deviations (Rasmussen
   * and Williams, equation 5.12).
   */
  public double[] leaveOneOut(double[] values) {
    DMatrixRMaj far = CommonOps_DDRM.multTransA(whitening, whitened(values), null);
    DMatrixRMaj precisions =
        CommonOps_DDRM.sumCols(CommonOps_DDRM.elementMult(whitening, whitening, null), null);
    for (int i = 0; i < values.length; i++) {
      far.data[i] /= Math.sqrt(precisions.get(0, i));
    }
    return far.data;
  }
}
