package dev.topo.visualizer.drawing;

/**
 * A point in a drawing.
 *
 * @param x pixels from the left
 * @param y pixels from the top
 */
public record Point(double x, double y) {
  /** The point moved by an offset. */
  Point moved(double dx, double dy) {
    return new Point(x + dx, y + dy);
  }
}
