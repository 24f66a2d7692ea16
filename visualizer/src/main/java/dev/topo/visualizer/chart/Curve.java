package dev.topo.visualizer.chart;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A line in a chart.
 *
 * @param name its name, for the legend
 * @param look how it is drawn
 * @param points its points, from left to right
 */
public record Curve(String name, Look look, List<Point> points) {
  public Curve {
    points = List.copyOf(points);
  }

  /** How a line is drawn; colours of Okabe and Ito, distinguishable by shape without colour. */
  public enum Look {
    /** Measured: black with dots. */
    MEASURED,
    /** Predicted: blue. */
    PREDICTED,
    /** NCCL's own model: orange, dashed. */
    NCCL_MODEL,
    /** One of several curves: the next colour and dash, the same for a name in all of a sheet. */
    NEXT,
    /** Marks without a line. */
    MARKS
  }

  /**
   * A point.
   *
   * @param at the size of the call in bytes, or the number of nodes
   * @param value in the unit of the chart
   */
  public record Point(long at, double value) {}

  /**
   * A curve of those items that have a value.
   *
   * @param at where an item is, in ascending order
   */
  public static <T> Curve of(
      String name,
      Look look,
      List<T> items,
      ToLongFunction<T> at,
      Function<T, Optional<Double>> value) {
    return new Curve(
        name,
        look,
        items.stream()
            .flatMap(
                item -> value.apply(item).stream().map(one -> new Point(at.applyAsLong(item), one)))
            .toList());
  }
}
