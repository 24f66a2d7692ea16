package dev.topo.visualizer.drawing;

import dev.topo.visualizer.drawing.Wire.Flow;
import java.util.List;

/** Computes the arrow heads on a line. They lie on its longest segment, away from corners. */
public final class Arrows {
  private static final double LENGTH = 8;
  private static final double HALF_WIDTH = 4.5;

  /** The position of the middle of a head, as a fraction of its segment. */
  private static final double POSITION = 0.66;

  private Arrows() {}

  /** Returns the corners of each head, starting with its tip. */
  public static List<List<Point>> of(List<Point> line, Flow flow) {
    Point from = line.get(0);
    Point to = line.get(1);
    for (int i = 1; i + 1 < line.size(); i++) {
      if (length(line.get(i), line.get(i + 1)) > length(from, to) + 1) {
        from = line.get(i);
        to = line.get(i + 1);
      }
    }
    return switch (flow) {
      case NONE -> List.of();
      case FORWARD -> List.of(head(from, to));
      case BACKWARD -> List.of(head(to, from));
      case BOTH -> List.of(head(from, to), head(to, from));
    };
  }

  private static double length(Point from, Point to) {
    return Math.hypot(to.x() - from.x(), to.y() - from.y());
  }

  private static List<Point> head(Point from, Point to) {
    double length = length(from, to);
    double ux = (to.x() - from.x()) / length;
    double uy = (to.y() - from.y()) / length;
    double tip = Math.min(POSITION * length + LENGTH / 2, length);
    double tipX = from.x() + ux * tip;
    double tipY = from.y() + uy * tip;
    double backX = tipX - ux * LENGTH;
    double backY = tipY - uy * LENGTH;
    return List.of(
        new Point(tipX, tipY),
        new Point(backX - uy * HALF_WIDTH, backY + ux * HALF_WIDTH),
        new Point(backX + uy * HALF_WIDTH, backY - ux * HALF_WIDTH));
  }
}
