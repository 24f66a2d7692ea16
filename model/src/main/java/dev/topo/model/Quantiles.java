package dev.topo.model;

import java.util.List;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.descriptive.Quantile.EstimationMethod;

/**
 * Medians and quantiles of measured values, by one definition throughout the project: linear
 * interpolation at position {@code part * (n - 1)} of the sorted values (type 7 of Hyndman and Fan,
 * Sample Quantiles in Statistical Packages, 1996; the default of R and NumPy). The median of an
 * even number of values is the mean of the two middle ones. Values need not be sorted.
 */
public final class Quantiles {
  private static final Median MEDIAN = Median.withDefaults().withCopy(true);
  private static final Quantile QUANTILE =
      Quantile.withDefaults().withCopy(true).with(EstimationMethod.HF7);

  private Quantiles() {}

  /** The median; NaN without values. */
  public static double median(double... values) {
    return MEDIAN.evaluate(values);
  }

  /** The median of the values from index {@code from} to before {@code to}; NaN without values. */
  public static double median(double[] values, int from, int to) {
    return MEDIAN.evaluateRange(values, from, to);
  }

  /** The median; NaN without values. */
  public static double median(List<Double> values) {
    return median(array(values));
  }

  /**
   * The value that the fraction {@code part} of the values do not exceed; NaN without values.
   *
   * @param part from 0 to 1
   */
  public static double of(double[] values, double part) {
    return QUANTILE.evaluate(values, part);
  }

  /** The value that the fraction {@code part} of the values do not exceed; NaN without values. */
  public static double of(List<Double> values, double part) {
    return of(array(values), part);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(value -> value).toArray();
  }
}
