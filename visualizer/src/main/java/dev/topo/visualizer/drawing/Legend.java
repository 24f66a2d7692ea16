package dev.topo.visualizer.drawing;

import dev.topo.visualizer.drawing.Wire.Flow;
import dev.topo.visualizer.drawing.Wire.Stress;
import java.util.ArrayList;
import java.util.List;

/** Explains the lines of a picture: samples with labels, in as many rows as the width requires. */
final class Legend {
  private static final double TEXT_SIZE = 11;
  private static final double SAMPLE_WIDTH = 28;
  private static final double GAP = 18;
  private static final double ROW_HEIGHT = 17;

  private final List<Wire> wires = new ArrayList<>();
  private final List<Caption> captions = new ArrayList<>();
  private final double left;
  private final double width;
  private double x;
  private double y;

  /** Creates an empty legend with its upper left corner at the given position. */
  Legend(double left, double top, double width) {
    this.left = left;
    this.width = width;
    this.x = left;
    this.y = top;
  }

  /** Adds a sample of a line of normal prominence with its meaning. */
  void sample(WireKind kind, Flow flow, String meaning) {
    sample(kind, Stress.PLAIN, flow, meaning);
  }

  /** Adds a sample of a line with its meaning. */
  void sample(WireKind kind, Stress stress, Flow flow, String meaning) {
    TextLine text = TextLine.plain(meaning, TEXT_SIZE);
    double needed = SAMPLE_WIDTH + 6 + text.width();
    if (x > left && x + needed > left + width) {
      x = left;
      y += ROW_HEIGHT;
    }
    double middle = y + text.height() / 2;
    wires.add(
        new Wire(
            kind,
            List.of(new Point(x, middle), new Point(x + SAMPLE_WIDTH, middle)),
            4,
            stress,
            flow,
            ""));
    captions.add(new Caption(text, x + SAMPLE_WIDTH + 6, y));
    x += needed + GAP;
  }

  /** Adds a sentence in rows of its own. */
  void note(String text) {
    if (x > left) {
      x = left;
      y += ROW_HEIGHT;
    }
    for (TextLine line : TextBlock.wrap(text, TEXT_SIZE, false, width)) {
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

  /** The lower edge of the last row. */
  double bottom() {
    return y + (x > left ? ROW_HEIGHT : 0);
  }
}
