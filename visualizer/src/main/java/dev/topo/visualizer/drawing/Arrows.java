package dev.topo.visualizer.drawing;

import java.util.List;

/** The arrow heads on a line: on its longest stretch, so that they do not touch corners. */
public final class Arrows {
  private static final double LENGTH = 8;
  private static final double HALF_WIDTH = 4.5;
  private static final double FORWARD_AT = 0.66;
  private static final double BACKWARD_AT = 0.34;

  private Arrows() {}

  /** The corners of each head, its tip first. */
  public static List<List<Point>> of(List<Point> line, Wire.Flow flow) {
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
      case FORWARD -> List.of(head(from, to, FORWARD_AT));
      case BACKWARD -> List.of(head(to, from, 1 - BACKWARD_AT));
      case BOTH -> List.of(head(from, to, FORWARD_AT), head(to, from, FORWARD_AT));
    };
  }

  private static double length(Point from, Point to) {
    return Math.hypot(to.x() - from.x(), to.y() - from.y());
  }

  private static List<Point> head(Point from, Point to, double at) {
    double length = length(from, to);
    double ux = (to.x() - from.x()) / length;
    double uy = (to.y() - from.y()) / length;
    double middle = Math.max(Math.min(at * length, length), 0) + LENGTH / 2;
    double tip = Math.min(middle, length);
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
