package dev.topo.visualizer.drawing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Breaks texts into lines, and measures lines. */
final class TextBlock {
  private TextBlock() {}

  /** Breaks a text into lines between words. */
  static List<TextLine> wrap(String text, double size, boolean bold, double width) {
    List<TextLine> lines = new ArrayList<>();
    String line = "";
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty() && new TextLine(longer, size, bold).width() > width) {
        lines.add(new TextLine(line, size, bold));
        line = word;
      } else {
        line = longer;
      }
    }
    lines.add(new TextLine(line, size, bold));
    return lines;
  }

  /** Places lines one below the other. */
  static List<Caption> at(double x, double y, List<TextLine> lines) {
    List<Caption> captions = new ArrayList<>();
    double top = y;
    for (TextLine line : lines) {
      captions.add(new Caption(line, x, top));
      top += line.height() + 2;
    }
    return captions;
  }

  /** The width of the widest line in pixels; 0 without lines. */
  static double widest(Collection<TextLine> lines) {
    return lines.stream().mapToDouble(TextLine::width).max().orElse(0);
  }

  /** The width of the widest line of some boxes in pixels. */
  static double widestOf(Collection<List<TextLine>> boxes) {
    return boxes.stream().mapToDouble(TextBlock::widest).max().orElse(0);
  }

  /** The height of the lines of a box in pixels, without spacing. */
  static double boxHeight(Collection<TextLine> lines) {
    return lines.stream().mapToDouble(TextLine::height).sum();
  }

  /** The height of the tallest text of some boxes in pixels. */
  static double highestOf(Collection<List<TextLine>> boxes) {
    return boxes.stream().mapToDouble(TextBlock::boxHeight).max().orElse(0);
  }

  /** The height of lines outside of boxes in pixels, with spacing. */
  static double height(List<TextLine> lines) {
    return lines.stream().mapToDouble(line -> line.height() + 2).sum();
  }
}
