package dev.topo.visualizer.drawing;

/**
 * A line of text.
 *
 * @param text its text
 * @param size of the font in pixels
 * @param bold whether it is bold
 */
public record TextLine(String text, double size, boolean bold) {
  /** Distance from the upper side of a line to its baseline, in parts of the size of the font. */
  private static final double ASCENT = 0.93;

  /** Height of a line in parts of the size of the font. */
  private static final double HEIGHT = 1.17;

  /** A line in the usual weight. */
  public static TextLine plain(String text, double size) {
    return new TextLine(text, size, false);
  }

  /** A bold line. */
  public static TextLine bold(String text, double size) {
    return new TextLine(text, size, true);
  }

  /** Its width in pixels. */
  public double width() {
    return TextMetrics.width(text, size, bold);
  }

  /** Its height in pixels. */
  public double height() {
    return HEIGHT * size;
  }

  /** Pixels from its upper side to the baseline of its letters. */
  public double ascent() {
    return ASCENT * size;
  }
}
