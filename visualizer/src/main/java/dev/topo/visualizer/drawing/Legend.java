package dev.topo.visualizer.drawing;

import java.util.ArrayList;
import java.util.List;

/**
 * The meaning of the lines of a picture: samples with their labels, in as many rows as the width
 * requires.
 */
final class Legend {
  private static final double SIZE = 10;
  private static final double SAMPLE = 28;
  private static final double GAP = 18;
  private static final double ROW = 17;

  private final List<Wire> wires = new ArrayList<>();
  private final List<Caption> captions = new ArrayList<>();
  private final double left;
  private final double width;
  private double x;
  private double y;

  /** A legend without samples whose upper left corner is here. */
  Legend(double left, double top, double width) {
    this.left = left;
    this.width = width;
    this.x = left;
    this.y = top;
  }

  /** A sample of a usual line with its meaning. */
  void sample(WireKind kind, Wire.Flow flow, String meaning) {
    sample(kind, Wire.Stress.PLAIN, flow, meaning);
  }

  /** A sample of a line with its meaning. */
  void sample(WireKind kind, Wire.Stress stress, Wire.Flow flow, String meaning) {
    TextLine text = TextLine.plain(meaning, SIZE);
    double needed = SAMPLE + 6 + text.width();
    if (x > left && x + needed > left + width) {
      x = left;
      y += ROW;
    }
    double middle = y + text.height() / 2;
    wires.add(
        new Wire(
            kind,
            List.of(new Point(x, middle), new Point(x + SAMPLE, middle)),
            4,
            stress,
            flow,
            ""));
    captions.add(new Caption(text, x + SAMPLE + 6, y));
    x += needed + GAP;
  }

  /** A sentence in rows of its own. */
  void note(String text) {
    if (x > left) {
      x = left;
      y += ROW;
    }
    for (TextLine line : TextBlock.wrap(text, SIZE, false, width)) {
      captions.add(new Caption(line, left, y));
      y += line.height() + 2;
    }
  }

  List<Wire> wires() {
    return wires;
  }

  List<Caption> captions() {
    return captions;
  }

  /** Below the last row. */
  double bottom() {
    return y + (x > left ? ROW : 0);
  }
}
