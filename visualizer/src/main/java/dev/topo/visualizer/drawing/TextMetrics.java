package dev.topo.visualizer.drawing;

/**
 * Computes the width of a text from the advance widths of DejaVu Sans 2.37 for ASCII. Verdana has
 * nearly the same widths, Arial and Helvetica are narrower, so no text placed by this table is
 * wider in the reader's font.
 */
final class TextMetrics {
  private static final char FIRST = ' ';
  private static final double UNITS_PER_EM = 1000;

  /**
   * Width of characters outside ASCII, such as arrows; no character that the drawings use is wider.
   */
  private static final int OTHER = 838;

  private static final int MIDDLE_DOT = 318;
  private static final int BOLD_MIDDLE_DOT = 380;

  private static final int[] PLAIN = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
    500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
    635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838
  };

  private static final int[] BOLD = {
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365,
    696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580,
    1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850,
    733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500,
    500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687,
    716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838
  };

  private TextMetrics() {}

  /** Returns the width of a text in pixels. */
  static double width(String text, double size, boolean bold) {
    int[] widths = bold ? BOLD : PLAIN;
    int sum = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '·') {
        sum += bold ? BOLD_MIDDLE_DOT : MIDDLE_DOT;
      } else {
        int index = c - FIRST;
        sum += index >= 0 && index < widths.length ? widths[index] : OTHER;
      }
    }
    return sum * size / UNITS_PER_EM;
  }
}
