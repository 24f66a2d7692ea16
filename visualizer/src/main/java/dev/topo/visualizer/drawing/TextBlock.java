package dev.topo.visualizer.drawing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Texts that are broken into lines where they are wider than a picture. */
final class TextBlock {
  private TextBlock() {}

  /** The lines of a text, broken between words. */
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

  /** Lines below each other. */
  static List<Caption> at(double x, double y, List<TextLine> lines) {
    List<Caption> captions = new ArrayList<>();
    double top = y;
    for (TextLine line : lines) {
      captions.add(new Caption(line, x, top));
      top += line.height() + 2;
    }
    return captions;
  }

  /** Pixels that the widest of some lines takes; none without lines. */
  static double widest(Collection<TextLine> lines) {
    return lines.stream().mapToDouble(TextLine::width).max().orElse(0);
  }

  /** Pixels that the widest of the lines of some boxes takes. */
  static double widestOf(Collection<List<TextLine>> boxes) {
    return boxes.stream().mapToDouble(TextBlock::widest).max().orElse(0);
  }

  /** Pixels from the first line of a box to the last, which has no distances between. */
  static double boxHeight(Collection<TextLine> lines) {
    return lines.stream().mapToDouble(TextLine::height).sum();
  }

  /** Pixels that the highest lines of some boxes take. */
  static double highestOf(Collection<List<TextLine>> boxes) {
    return boxes.stream().mapToDouble(TextBlock::boxHeight).max().orElse(0);
  }

  /** Pixels from the first line to below the last. */
  static double height(List<TextLine> lines) {
    return lines.stream().mapToDouble(line -> line.height() + 2).sum();
  }
}
