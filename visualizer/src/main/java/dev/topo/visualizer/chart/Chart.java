package dev.topo.visualizer.chart;

import java.util.List;
import java.util.Optional;

/**
 * Curves over the size of a call, or over the number of nodes.
 *
 * @param title its title
 * @param axis label of the values, with their unit
 * @param horizontal what the points are over
 * @param curves the curves
 * @param shaded the area between two curves that is shaded, if any
 */
public record Chart(
    String title, String axis, Horizontal horizontal, List<Curve> curves, Optional<Shaded> shaded) {
  public Chart {
    curves = List.copyOf(curves);
  }

  /** Curves over the size of a call. */
  public static Chart bySize(String title, String axis, List<Curve> curves) {
    return new Chart(title, axis, Horizontal.SIZE, curves, Optional.empty());
  }

  /** Values of the horizontal, logarithmic axis of a chart. */
  public enum Horizontal {
    /** The size of a call in bytes. */
    SIZE,
    /** The number of nodes of a job. */
    NODES
  }

  /**
   * An area between curves with the same sizes.
   *
   * @param name its name, for the legend
   * @param upper the upper border
   * @param lower the lower border
   */
  public record Shaded(String name, List<Curve.Point> upper, List<Curve.Point> lower) {
    public Shaded {
      upper = List.copyOf(upper);
      lower = List.copyOf(lower);
    }
  }
}
