package dev.topo.visualizer.drawing;

/**
 * A line of text with its position.
 *
 * @param line the text
 * @param x its left end
 * @param y its upper side
 */
public record Caption(TextLine line, double x, double y) {
  /** A line of text centered on a vertical axis. */
  public static Caption centered(TextLine line, double centerX, double y) {
    return new Caption(line, centerX - line.width() / 2, y);
  }

  /** The rectangle that it covers. */
  public Area area() {
    return new Area(x, y, line.width(), line.height());
  }
}
