package dev.topo.visualizer.drawing;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Stacks network cards in columns. Each card has a line to its switch or CPU that no other line
 * touches: the nearest card has the innermost lane. Ports end in a stub at the right, which is the
 * edge to the network.
 */
final class CardStack {
  private static final int PER_COLUMN = 4;

  private static final double GAP = 9;
  private static final double MARGIN = 16;

  private final Topology topology;
  private final List<Edge> edges;
  private final NodeLabels text;
  private final double laneWidth;

  /** Distance from the innermost lane to the card; the bandwidth is written above this segment. */
  private final double labelSegment;

  private final double stub;
  private final double padding;
  private final double boxWidth;

  CardStack(Topology topology, List<Edge> edges, NodeLabels text) {
    this.topology = topology;
    this.edges = edges;
    this.text = text;
    this.laneWidth = text.sized(9, 6);
    this.labelSegment = text.sized(27, 6);
    this.stub = text.sized(12, 5);
    this.padding = text.sized(7, 3);
    this.boxWidth =
        IntStream.range(0, topology.size())
                .filter(node -> topology.node(node).type() == NodeType.NIC)
                .mapToDouble(card -> TextBlock.widest(boxLines(card)))
                .max()
                .orElse(0)
            + 2 * padding;
  }

  /** Space left of the cards of a switch, for the line from the switch to its parent. */
  double uplink() {
    return text.sized(22, 6);
  }

  /** The ports of a card. */
  List<Integer> ports(int card) {
    return edges.stream()
        .filter(edge -> edge.type() == LinkType.NET && edge.touches(card))
        .map(edge -> edge.other(card))
        .toList();
  }

  private double columnWidth(int count) {
    double gap = text.sized(GAP, 2);
    return Math.min(count, PER_COLUMN) * laneWidth + labelSegment + boxWidth + stub + gap;
  }

  /** The width of a stack of cards in pixels. */
  double width(List<Integer> cards) {
    if (cards.isEmpty()) {
      return 0;
    }
    int columns = (cards.size() + PER_COLUMN - 1) / PER_COLUMN;
    return columns * columnWidth(cards.size());
  }

  private double boxHeight(int card) {
    return TextBlock.boxHeight(boxLines(card)) + padding;
  }

  /** The height of a stack of cards in pixels, including margins. */
  double height(List<Integer> cards) {
    double highest =
        columns(cards).stream()
            .mapToDouble(column -> column.stream().mapToDouble(c -> boxHeight(c) + GAP).sum())
            .max()
            .orElse(0);
    return highest - GAP + 2 * MARGIN;
  }

  private static List<List<Integer>> columns(List<Integer> cards) {
    List<List<Integer>> columns = new ArrayList<>();
    for (int i = 0; i < cards.size(); i += PER_COLUMN) {
      columns.add(cards.subList(i, Math.min(i + PER_COLUMN, cards.size())));
    }
    return columns;
  }

  /** Places the cards of a switch below its bar. */
  List<RoutedEdge> below(Branch parent, Area bar, double left, Map<Integer, Area> areas) {
    return stack(parent, bar, left, areas, true);
  }

  /** Places the cards of a CPU above its bar. */
  List<RoutedEdge> above(Branch parent, Area bar, double left, Map<Integer, Area> areas) {
    return stack(parent, bar, left, areas, false);
  }

  /**
   * Places cards column by column, from the bar outwards. Cards above the bar keep their order from
   * top to bottom.
   */
  private List<RoutedEdge> stack(
      Branch parent, Area bar, double left, Map<Integer, Area> areas, boolean isBelow) {
    List<RoutedEdge> lines = new ArrayList<>();
    double x = left;
    for (List<Integer> column : columns(parent.cards())) {
      double y = isBelow ? bar.bottom() + MARGIN : bar.y() - MARGIN;
      for (int i = 0; i < column.size(); i++) {
        int card = column.get(isBelow ? i : column.size() - 1 - i);
        double height = boxHeight(card);
        Area box =
            new Area(
                x + Math.min(parent.cards().size(), PER_COLUMN) * laneWidth + labelSegment,
                isBelow ? y : y - height,
                boxWidth,
                height);
        areas.put(card, box);
        double barY = isBelow ? bar.bottom() : bar.y();
        lines.addAll(lines(card, parent.node(), box, box.x() - labelSegment - i * laneWidth, barY));
        y = isBelow ? box.bottom() + GAP : box.y() - GAP;
      }
      x += columnWidth(parent.cards().size());
    }
    return lines;
  }

  private List<RoutedEdge> lines(int card, int parent, Area box, double laneX, double barY) {
    List<RoutedEdge> lines = new ArrayList<>();
    Point end = new Point(box.x(), box.centerY());
    List<Point> toBar = List.of(end, new Point(laneX, box.centerY()), new Point(laneX, barY));
    lines.add(new RoutedEdge(Edge.between(edges, LinkType.PCI, card, parent), card, toBar, true));
    List<Integer> ports = ports(card);
    double step = box.height() / (ports.size() + 1);
    for (int i = 0; i < ports.size(); i++) {
      double y = box.y() + (i + 1) * step;
      List<Point> toNetwork = List.of(new Point(box.right(), y), new Point(box.right() + stub, y));
      Edge edge = Edge.between(edges, LinkType.NET, card, ports.get(i));
      lines.add(new RoutedEdge(edge, card, toNetwork, false));
    }
    return lines;
  }

  /** The text in the box of a node; that of a card has a line for each port. */
  List<TextLine> boxLines(int node) {
    return topology.node(node).type() == NodeType.NIC
        ? text.cardLines(node, ports(node))
        : text.lines(node);
  }
}
