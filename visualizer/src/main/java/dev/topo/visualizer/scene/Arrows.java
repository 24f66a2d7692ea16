package dev.topo.visualizer.scene;

import java.util.ArrayList;
import java.util.List;

/** The arrow heads on a line: on its longest stretch, so that they do not touch corners. */
public final class Arrows {
  private static final double LENGTH = 8;
  private static final double HALF_WIDTH = 4.5;
  private static final double FORWARD_AT = 0.66;
  private static final double BACKWARD_AT = 0.34;

  private Arrows() {}

  /** The corners of each head, its tip first. */
  public static List<List<Point>> of(Wire wire) {
    Point from = wire.points().get(0);
    Point to = wire.points().get(1);
    for (int i = 1; i + 1 < wire.points().size(); i++) {
      Point a = wire.points().get(i);
      Point b = wire.points().get(i + 1);
      if (Math.hypot(b.x() - a.x(), b.y() - a.y())
          > Math.hypot(to.x() - from.x(), to.y() - from.y()) + 1) {
        from = a;
        to = b;
      }
    }
    List<List<Point>> heads = new ArrayList<>();
    switch (wire.flow()) {
      case NONE -> {}
      case FORWARD -> heads.add(head(from, to, FORWARD_AT));
      case BACKWARD -> heads.add(head(to, from, 1 - BACKWARD_AT));
      case BOTH -> {
        heads.add(head(from, to, FORWARD_AT));
        heads.add(head(to, from, FORWARD_AT));
      }
    }
    return heads;
  }

  private static List<Point> head(Point from, Point to, double at) {
    double length = Math.hypot(to.x() - from.x(), to.y() - from.y());
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
