package dev.topo.model;

import java.util.List;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.descriptive.Quantile.EstimationMethod;

/**
 * Medians and quantiles of measured values, in the one definition of this project: between the
 * neighbours of place {@code part * (n - 1)} in their order, in proportion (type 7 of Hyndman and
 * Fan, Sample Quantiles in Statistical Packages, 1996; the default of R and NumPy). The median of
 * an even number is the mean of the two in the middle. The order of the values does not matter.
 */
public final class Quantiles {
  private static final Median MEDIAN = Median.withDefaults().withCopy(true);
  private static final Quantile QUANTILE =
      Quantile.withDefaults().withCopy(true).with(EstimationMethod.HF7);

  private Quantiles() {}

  /** The median; NaN of no values. */
  public static double median(double... values) {
    return MEDIAN.evaluate(values);
  }

  /** The median of the values from a place to before another; NaN of no values. */
  public static double median(double[] values, int from, int to) {
    return MEDIAN.evaluateRange(values, from, to);
  }

  /** The median; NaN of no values. */
  public static double median(List<Double> values) {
    return median(array(values));
  }

  /**
   * The value that a part of the values do not exceed; NaN of no values.
   *
   * @param part from 0 to 1
   */
  public static double of(double[] values, double part) {
    return QUANTILE.evaluate(values, part);
  }

  /** The value that a part of the values do not exceed; NaN of no values. */
  public static double of(List<Double> values, double part) {
    return of(array(values), part);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(value -> value).toArray();
  }
}
