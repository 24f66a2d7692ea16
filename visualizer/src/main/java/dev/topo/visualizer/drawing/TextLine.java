package dev.topo.visualizer.drawing;

/**
 * A line of text.
 *
 * @param text its text
 * @param size the font size in pixels
 * @param bold whether it is bold
 */
public record TextLine(String text, double size, boolean bold) {
  /** Distance from the top of a line to its baseline, as a fraction of the font size. */
  private static final double ASCENT = 0.93;

  /** Height of a line as a fraction of the font size. */
  private static final double HEIGHT = 1.17;

  /** A line in the usual weight. */
  public static TextLine plain(String text, double size) {
    return new TextLine(text, size, false);
  }

  /** A bold line. */
  public static TextLine bold(String text, double size) {
    return new TextLine(text, size, true);
  }

  /** The width in pixels. */
  public double width() {
    return TextMetrics.width(text, size, bold);
  }

  /** The height in pixels. */
  public double height() {
    return HEIGHT * size;
  }

  /** The distance in pixels from the top to the baseline. */
  public double ascent() {
    return ASCENT * size;
  }
}
