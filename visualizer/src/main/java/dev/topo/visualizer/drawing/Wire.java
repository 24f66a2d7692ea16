package dev.topo.visualizer.drawing;

import java.util.List;

/**
 * A line from one box to another or to the edge of the picture.
 *
 * @param kind the kind of link
 * @param points its corners
 * @param width in pixels
 * @param stress how prominent it is
 * @param flow the directions of data, shown as arrows on it
 * @param hint its tooltip
 */
public record Wire(
    WireKind kind, List<Point> points, double width, Stress stress, Flow flow, String hint) {
  public Wire {
    points = List.copyOf(points);
    if (points.size() < 2) {
      throw new IllegalArgumentException("a line has two ends");
    }
  }

  /** How prominent a line is. */
  public enum Stress {
    /** Normal prominence. */
    PLAIN,
    /** Not on the route that is shown. */
    FAINT,
    /** Full: no room for another channel. */
    FULL
  }

  /** Directions of data. */
  public enum Flow {
    /** No direction is shown. */
    NONE,
    /** From the first point to the last. */
    FORWARD,
    /** From the last point to the first. */
    BACKWARD,
    /** In both directions. */
    BOTH;

    /** Combines this with another direction. */
    public Flow and(Flow other) {
      if (this == NONE || this == other) {
        return other;
      }
      return other == NONE ? this : BOTH;
    }
  }

  /** Returns a line of normal prominence. */
  static Wire plain(WireKind kind, List<Point> points, double width, Flow flow, String hint) {
    return new Wire(kind, points, width, Stress.PLAIN, flow, hint);
  }
}
