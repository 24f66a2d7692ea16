package dev.topo.visualizer.chart;

import java.util.List;
import java.util.Optional;

/**
 * A chart of curves over the size of a call or over the number of nodes.
 *
 * @param title its title
 * @param axis the label of the vertical axis, with its unit
 * @param horizontal what the horizontal axis shows
 * @param curves the curves
 * @param shaded a shaded area between two curves, if any
 */
public record Chart(
    String title, String axis, Horizontal horizontal, List<Curve> curves, Optional<Shaded> shaded) {
  public Chart {
    curves = List.copyOf(curves);
  }

  /** Returns a chart over the size of a call. */
  public static Chart bySize(String title, String axis, List<Curve> curves) {
    return new Chart(title, axis, Horizontal.SIZE, curves, Optional.empty());
  }

  /** What the horizontal, logarithmic axis of a chart shows. */
  public enum Horizontal {
    /** The size of a call in bytes. */
    SIZE,
    /** The number of nodes of a job. */
    NODES
  }

  /**
   * A shaded area between two curves that have points at the same positions.
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
