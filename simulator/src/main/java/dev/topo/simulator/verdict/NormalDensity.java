package dev.topo.simulator.verdict;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.dense.row.mult.VectorVectorMult_DDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F64;

/** A multivariate normal distribution with mean 0. The cost is cubic in the number of values. */
public final class NormalDensity {
  /** The lower Cholesky factor of the covariance. */
  private final DMatrixRMaj factor;

  private NormalDensity(DMatrixRMaj factor) {
    this.factor = factor;
  }

  /**
   * Creates the distribution with a covariance.
   *
   * @throws IllegalArgumentException if the covariance is not positive definite
   */
  public static NormalDensity of(double[][] covariance) {
    CholeskyDecomposition_F64<DMatrixRMaj> factor =
        DecompositionFactory_DDRM.chol(covariance.length, true);
    if (!factor.decompose(new DMatrixRMaj(covariance))) {
      throw new IllegalArgumentException("the covariance is not positive definite");
    }
    return new NormalDensity(factor.getT(null));
  }

  /** The values as independent standard normal ones. */
  private DMatrixRMaj whitened(double[] values) {
    DMatrixRMaj white = new DMatrixRMaj(values);
    TriangularSolver_DDRM.solveL(factor.data, white.data, values.length);
    return white;
  }

  /** Returns the logarithm of the density. */
  public double log(double[] values) {
    DMatrixRMaj white = whitened(values);
    double sum = -VectorVectorMult_DDRM.innerProd(white, white) / 2;
    for (int i = 0; i < values.length; i++) {
      sum -= Math.log(factor.get(i, i)) + Math.log(2 * Math.PI) / 2;
    }
    return sum;
  }

  /**
   * Returns the signed distance of each value from its prediction by the other values, in standard
   * deviations (Rasmussen and Williams, equation 5.12).
   */
  public double[] leaveOneOut(double[] values) {
    DMatrixRMaj whitening = factor.copy();
    TriangularSolver_DDRM.invertLower(whitening.data, values.length);
    DMatrixRMaj distances = CommonOps_DDRM.multTransA(whitening, whitened(values), null);
    DMatrixRMaj precisions =
        CommonOps_DDRM.sumCols(CommonOps_DDRM.elementMult(whitening, whitening, null), null);
    for (int i = 0; i < values.length; i++) {
      distances.data[i] /= Math.sqrt(precisions.get(0, i));
    }
    return distances.data;
  }
}
