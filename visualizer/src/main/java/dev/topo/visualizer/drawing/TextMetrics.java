package dev.topo.visualizer.drawing;

import dev.topo.model.io.ResourceTable;
import java.util.HashMap;
import java.util.Map;

/**
 * Computes the width of a text from the advance widths of DejaVu Sans 2.37 for ASCII. Verdana has
 * nearly the same widths, Arial and Helvetica are narrower, so no text placed by this table is
 * wider in the reader's font.
 */
final class TextMetrics {
  private static final double UNITS_PER_EM = 1000;

  /**
   * Width of characters outside the table, such as arrows; no character that the drawings use is
   * wider.
   */
  private static final int OTHER = 838;

  private static final Map<Character, Integer> PLAIN = widths("plain");
  private static final Map<Character, Integer> BOLD = widths("bold");

  private TextMetrics() {}

  private static Map<Character, Integer> widths(String weight) {
    Map<Character, Integer> widths = new HashMap<>();
    char next = ' ';
    for (String width : ResourceTable.rows(TextMetrics.class, "widths.txt", weight).get(0)) {
      widths.put(next > '~' ? '·' : next, Integer.valueOf(width));
      next++;
    }
    return widths;
  }

  /** Returns the width of a text in pixels. */
  static double width(String text, double size, boolean bold) {
    Map<Character, Integer> widths = bold ? BOLD : PLAIN;
    return text.chars().map(c -> widths.getOrDefault((char) c, OTHER)).sum() * size / UNITS_PER_EM;
  }
}
