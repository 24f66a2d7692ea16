package dev.topo.visualizer.drawing;

import dev.topo.model.Last;
import dev.topo.visualizer.drawing.VisitOrder.Visit;
import dev.topo.visualizer.drawing.Wire.Flow;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the visiting order of channels as strips: a box with the GPUs for each visit to a host.
 * Each instance is used once.
 */
final class ChannelStrips {
  private static final double TEXT_SIZE = 11;
  private static final double GAP = 14;
  private static final double ROW_GAP = 16;
  private static final double STRIP_GAP = 18;
  private static final double PADDING = 5;
  private static final double LINE_WIDTH = 2.5;

  /** Space left of the strips, for the line back to the first box. */
  private static final double LANE_WIDTH = 12;

  private final Canvas canvas;
  private final double left;
  private final double width;
  private final double cellWidth;
  private final double cellHeight;
  private final int drawn;
  private final boolean hasSeveral;

  private record Cell(BoxKind kind, List<TextLine> lines, String hint) {}

  private ChannelStrips(Canvas canvas, List<VisitOrder> orders, int drawn) {
    this.canvas = canvas;
    this.drawn = drawn;
    this.hasSeveral = orders.size() > 1;
    this.left = canvas.left() + LANE_WIDTH;
    this.width = canvas.width() - LANE_WIDTH;
    List<List<TextLine>> texts =
        orders.stream().flatMap(order -> cells(order).stream()).map(Cell::lines).toList();
    this.cellWidth = TextBlock.widestOf(texts) + 2 * PADDING;
    this.cellHeight = TextBlock.highestOf(texts) + PADDING;
  }

  /**
   * Adds strips one below the other, as wide as the content of the canvas.
   *
   * @param drawn the number of the channel that is drawn above them
   * @param top the upper edge of the first strip
   */
  static void add(Canvas canvas, List<VisitOrder> orders, int drawn, double top) {
    ChannelStrips strips = new ChannelStrips(canvas, orders, drawn);
    double y = top;
    for (VisitOrder order : orders) {
      y = strips.strip(order, y) + STRIP_GAP;
    }
  }

  private static List<Cell> cells(VisitOrder order) {
    List<Cell> cells = new ArrayList<>();
    order.in().ifPresent(port -> cells.add(port("in", port)));
    order.visits().forEach(visit -> cells.add(visit(visit)));
    order.out().ifPresent(port -> cells.add(port("out", port)));
    return cells;
  }

  private static Cell visit(Visit visit) {
    String gpus = visit.devs();
    return new Cell(
        BoxKind.GPU,
        List.of(TextLine.bold("host " + visit.host(), TEXT_SIZE), TextLine.plain(gpus, TEXT_SIZE)),
        "host " + visit.host() + ", GPUs " + gpus);
  }

  private static Cell port(String direction, String port) {
    String device = port.split(" ", -1)[0];
    return new Cell(
        BoxKind.NIC,
        List.of(TextLine.bold(direction, TEXT_SIZE), TextLine.plain(device, TEXT_SIZE)),
        direction + " by " + port);
  }

  /** Draws a strip and returns its bottom. */
  private double strip(VisitOrder order, double top) {
    boolean isDrawn = order.channels().contains(drawn);
    String note = isDrawn && hasSeveral ? " (drawn above)" : "";
    TextLine title = TextLine.bold(order.title() + note, TEXT_SIZE);
    double first = canvas.add(title, left - LANE_WIDTH, top) + 6;
    int perRow = Math.max(1, (int) ((width + GAP) / (cellWidth + GAP)));
    List<Cell> cells = cells(order);
    List<Area> areas = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      double x = left + i % perRow * (cellWidth + GAP);
      double y = first + i / perRow * (cellHeight + ROW_GAP);
      Area area = new Area(x, y, cellWidth, cellHeight);
      areas.add(area);
      canvas.add(new Box(cells.get(i).kind(), area, cells.get(i).lines(), cells.get(i).hint()));
    }
    if (!order.isStar()) {
      for (int i = 0; i + 1 < areas.size(); i++) {
        arrow(areas.get(i), areas.get(i + 1));
      }
    }
    Area last = Last.of(areas);
    if (order.isClosed()) {
      closing(last, areas.get(0));
      return last.bottom() + ROW_GAP / 2;
    }
    return last.bottom();
  }

  private void arrow(Area from, Area to) {
    if (from.y() == to.y()) {
      wire(new Point(from.right(), from.centerY()), new Point(to.x(), to.centerY()));
    } else {
      double middle = (from.bottom() + to.y()) / 2;
      wire(
          new Point(from.centerX(), from.bottom()),
          new Point(from.centerX(), middle),
          new Point(to.centerX(), middle),
          new Point(to.centerX(), to.y()));
    }
  }

  private void closing(Area last, Area first) {
    double below = last.bottom() + ROW_GAP / 2;
    wire(
        new Point(last.centerX(), last.bottom()),
        new Point(last.centerX(), below),
        new Point(left - LANE_WIDTH / 2, below),
        new Point(left - LANE_WIDTH / 2, first.centerY()),
        new Point(first.x(), first.centerY()));
  }

  private void wire(Point... points) {
    canvas.add(Wire.plain(WireKind.RING, List.of(points), LINE_WIDTH, Flow.FORWARD, ""));
  }
}
