package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.simulator.diagnosis.LogTimeFit.Point;
import dev.topo.simulator.verdict.NormalDensity;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogTimeFitTest {
  private static final int SIZES = 12;
  private static final List<Point> POINTS =
      IntStream.range(0, SIZES).mapToObj(i -> new Point(0, 10 + 2.0 * i)).toList();

  private static double[] all(double value) {
    double[] values = new double[SIZES];
    Arrays.fill(values, value);
    return values;
  }

  private static double fit(double[] residuals, double spread) {
    return new LogTimeFit(POINTS).logLikelihood(residuals, all(spread), all(0.04));
  }

  @Test
  void theLevelCountsLessThanTheShapeWhereTheRangeIsWide() {
    double[] level = all(0.4);
    double[] shape = all(0);
    for (int i = 0; i < SIZES; i++) {
      shape[i] = i % 2 == 0 ? 0.4 : -0.4;
    }
    assertTrue(fit(level, 0.5) > fit(all(0), 0.5) - 2);
    assertTrue(fit(shape, 0.5) < fit(level, 0.5) - 10);
  }

  @Test
  void aLevelFarBeyondTheRangeIsUnlikely() {
    assertTrue(fit(all(1.5), 0.08) < fit(all(0), 0.08) - 10);
  }

  @Test
  void aSingleOutlierCostsLittle() {
    double[] outlier = all(0);
    outlier[5] = 0.9;
    double[] slower = all(0);
    Arrays.fill(slower, 5, SIZES, 0.9);
    assertTrue(fit(outlier, 0.08) > fit(all(0), 0.08) - 12);
    assertTrue(fit(slower, 0.08) < fit(outlier, 0.08));
  }

  @Test
  void unevenTimesFitABusyNetwork() {
    double[] uneven = {0.3, -0.25, 0.4, -0.35, 0.2};
    double[] quiet = {0.04, 0.04, 0.04, 0.04, 0.04};
    double[] busy = {0.25, 0.25, 0.25, 0.25, 0.25};
    assertTrue(
        LogTimeFit.logLikelihood(uneven, busy) > LogTimeFit.logLikelihood(uneven, quiet) + 2);
    double[] even = {0.01, 0, -0.02, 0.03, 0};
    assertTrue(LogTimeFit.logLikelihood(even, busy) < LogTimeFit.logLikelihood(even, quiet) - 2);
  }

  @Test
  void theDensityIsThatOfANormalDistribution() {
    NormalDensity density = NormalDensity.of(new double[][] {{4, 2}, {2, 3}});
    // Determinant 8; the inverse by (1, 2) is (-1/8, 6/8), by (1, 2) again 11/8.
    double expected = -11.0 / 16 - Math.log(8) / 2 - Math.log(2 * Math.PI);
    assertEquals(expected, density.log(new double[] {1, 2}), 1e-12);
    // Of the second given the first: mean 0.5, variance 2.
    assertEquals(1.5 / Math.sqrt(2), density.leaveOneOut(new double[] {1, 2})[1], 1e-12);
    assertThrows(
        IllegalArgumentException.class, () -> NormalDensity.of(new double[][] {{1, 2}, {2, 1}}));
  }
}
