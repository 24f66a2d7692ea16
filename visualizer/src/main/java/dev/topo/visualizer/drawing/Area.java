package dev.topo.visualizer.drawing;

import java.util.Collection;

/**
 * An axis-aligned rectangle.
 *
 * @param x its left side
 * @param y its upper side
 * @param width extent to the right
 * @param height extent downwards
 */
public record Area(double x, double y, double width, double height) {
  /** The right side. */
  public double right() {
    return x + width;
  }

  /** The lower side. */
  public double bottom() {
    return y + height;
  }

  /** The middle between left and right. */
  public double centerX() {
    return x + width / 2;
  }

  /** The middle between top and bottom. */
  public double centerY() {
    return y + height / 2;
  }

  /** True if two rectangles share more than a border. */
  public boolean overlaps(Area other) {
    return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
  }

  /** The rectangle enlarged by a margin on each side; a negative margin shrinks it. */
  public Area grown(double margin) {
    return new Area(x - margin, y - margin, width + 2 * margin, height + 2 * margin);
  }

  /** The rectangle moved by an offset. */
  Area moved(double dx, double dy) {
    return new Area(x + dx, y + dy, width, height);
  }

  /** The smallest rectangle around others; empty without any. */
  static Area around(Collection<Area> areas) {
    double left = areas.stream().mapToDouble(Area::x).min().orElse(0);
    double right = areas.stream().mapToDouble(Area::right).max().orElse(0);
    double top = areas.stream().mapToDouble(Area::y).min().orElse(0);
    double bottom = areas.stream().mapToDouble(Area::bottom).max().orElse(0);
    return new Area(left, top, right - left, bottom - top);
  }

  /** The rectangle that a horizontal or vertical line of some width covers. */
  public static Area ofSegment(Point from, Point to, double lineWidth) {
    Area line =
        new Area(
            Math.min(from.x(), to.x()),
            Math.min(from.y(), to.y()),
            Math.abs(from.x() - to.x()),
            Math.abs(from.y() - to.y()));
    return line.grown(lineWidth / 2);
  }
}
