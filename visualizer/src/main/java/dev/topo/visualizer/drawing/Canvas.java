package dev.topo.visualizer.drawing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Collects the elements of a picture in coordinates with any origin; heading and legend are added
 * last. Each instance is used once.
 */
final class Canvas {
  private static final double MARGIN = 16;
  private static final double MIN_WIDTH = 400;
  private static final double TITLE_SIZE = 15;
  private static final double TEXT_SIZE = 11;

  private final List<Box> boxes = new ArrayList<>();
  private final List<Wire> wires = new ArrayList<>();
  private final List<Caption> captions = new ArrayList<>();
  private double minX = Double.MAX_VALUE;
  private double minY = Double.MAX_VALUE;
  private double maxX = -Double.MAX_VALUE;
  private double maxY = -Double.MAX_VALUE;

  void add(Box box) {
    boxes.add(box);
    include(box.area());
  }

  void add(Wire wire) {
    wires.add(wire);
    for (int i = 0; i + 1 < wire.points().size(); i++) {
      include(Area.ofSegment(wire.points().get(i), wire.points().get(i + 1), wire.width()));
    }
  }

  void add(Caption caption) {
    captions.add(caption);
    include(caption.area());
  }

  /** Adds a line of text; returns its lower edge. */
  double add(TextLine line, double x, double y) {
    Caption caption = new Caption(line, x, y);
    add(caption);
    return caption.area().bottom();
  }

  private void include(Area area) {
    minX = Math.min(minX, area.x());
    minY = Math.min(minY, area.y());
    maxX = Math.max(maxX, area.right());
    maxY = Math.max(maxY, area.bottom());
  }

  List<Box> boxes() {
    return boxes;
  }

  List<Wire> wires() {
    return wires;
  }

  List<Caption> captions() {
    return captions;
  }

  /** The lower edge of the elements added so far. */
  double bottom() {
    return maxY;
  }

  /** The left edge of the elements added so far. */
  double left() {
    return minX;
  }

  /** The width of the elements added so far. */
  double width() {
    return maxX - minX;
  }

  /**
   * Adds the heading and the legend, and returns the picture moved to the origin.
   *
   * @param fillLegend adds samples and notes to the legend
   */
  Drawing finish(String title, List<String> subtitles, Consumer<Legend> fillLegend) {
    double width = Math.max(maxX - minX, MIN_WIDTH);
    double left = (minX + maxX - width) / 2;
    List<TextLine> heading = new ArrayList<>(TextBlock.wrap(title, TITLE_SIZE, true, width));
    for (String subtitle : subtitles) {
      heading.addAll(TextBlock.wrap(subtitle, TEXT_SIZE, false, width));
    }
    double top = minY - TextBlock.height(heading) - 12;
    captions.addAll(TextBlock.at(left, top, heading));
    Legend legend = new Legend(left, maxY + 16, width);
    fillLegend.accept(legend);
    wires.addAll(legend.wires());
    captions.addAll(legend.captions());
    double dx = MARGIN - left;
    double dy = MARGIN - top;
    return new Drawing(
        Math.ceil(width + 2 * MARGIN),
        Math.ceil(legend.bottom() - top + 2 * MARGIN),
        title,
        String.join(" ", subtitles),
        boxes.stream().map(box -> moved(box, dx, dy)).toList(),
        wires.stream().map(wire -> moved(wire, dx, dy)).toList(),
        captions.stream().map(c -> new Caption(c.line(), c.x() + dx, c.y() + dy)).toList());
  }

  private static Box moved(Box box, double dx, double dy) {
    return new Box(box.kind(), box.area().moved(dx, dy), box.lines(), box.hint());
  }

  private static Wire moved(Wire wire, double dx, double dy) {
    List<Point> points = wire.points().stream().map(point -> point.moved(dx, dy)).toList();
    return new Wire(wire.kind(), points, wire.width(), wire.stress(), wire.flow(), wire.hint());
  }
}
