package dev.topo.visualizer.drawing;

/**
 * A place in a drawing.
 *
 * @param x pixels from the left
 * @param y pixels from the top
 */
public record Point(double x, double y) {
  /** The point of a part that moved. */
  Point moved(double dx, double dy) {
    return new Point(x + dx, y + dy);
  }
}
