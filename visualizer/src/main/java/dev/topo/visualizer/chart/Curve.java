package dev.topo.visualizer.chart;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A curve in a chart.
 *
 * @param name the name, for the legend
 * @param look how the curve is drawn
 * @param points the points from left to right
 */
public record Curve(String name, Look look, List<Point> points) {
  public Curve {
    points = List.copyOf(points);
  }

  /**
   * How a curve is drawn. The colours are from the palette of Okabe and Ito; dots and dashes
   * distinguish curves without colour.
   */
  public enum Look {
    /** Measured: black with dots. */
    MEASURED,
    /** Predicted: blue. */
    PREDICTED,
    /** NCCL's own model: orange, dashed. */
    NCCL_MODEL,
    /**
     * One of several equivalent curves: the next colour and dash pattern; the same name has the
     * same look on a whole sheet.
     */
    NEXT,
    /** Marks without a line. */
    MARKS
  }

  /**
   * A point of a curve.
   *
   * @param at the size of the call in bytes, or the number of nodes
   * @param value the value in the unit of the chart
   */
  public record Point(long at, double value) {}

  /**
   * Returns a curve with a point for each item that has a value.
   *
   * @param at the horizontal position of an item, ascending
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
