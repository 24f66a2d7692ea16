package dev.topo.visualizer.layout;

import dev.topo.model.LinkType;
import dev.topo.model.Topology;
import dev.topo.model.node.NodeType;
import dev.topo.visualizer.scene.Area;
import dev.topo.visualizer.scene.Point;
import dev.topo.visualizer.scene.TextLine;
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
  /** Left of the cards of a switch, for its line to the next switch or CPU. */
  static final double UPLINK = 22;

  private static final int PER_COLUMN = 4;
  private static final double LANE = 9;

  /** From the innermost lane to the card; its bandwidth is written above. */
  private static final double RUN = 27;

  private static final double STUB = 12;
  private static final double GAP = 9;
  private static final double MARGIN = 16;
  private static final double PADDING = 7;

  private final List<Edge> edges;
  private final NodeText text;
  private final double boxWidth;

  CardStack(Topology topology, List<Edge> edges, NodeText text) {
    this.edges = edges;
    this.text = text;
    this.boxWidth =
        IntStream.range(0, topology.size())
                .filter(node -> topology.node(node).type() == NodeType.NIC)
                .mapToObj(card -> text.cardLines(card, ports(card)))
                .flatMap(List::stream)
                .mapToDouble(TextLine::width)
                .max()
                .orElse(0)
            + 2 * PADDING;
  }

  /** The ports of a card. */
  List<Integer> ports(int card) {
    return edges.stream()
        .filter(edge -> edge.type() == LinkType.NET && edge.touches(card))
        .map(edge -> edge.other(card))
        .toList();
  }

  private double columnWidth(int count) {
    return Math.min(count, PER_COLUMN) * LANE + RUN + boxWidth + STUB + GAP;
  }

  /** Pixels that some cards need from left to right. */
  double width(List<Integer> cards) {
    if (cards.isEmpty()) {
      return 0;
    }
    int columns = (cards.size() + PER_COLUMN - 1) / PER_COLUMN;
    return columns * columnWidth(cards.size());
  }

  private double boxHeight(int card) {
    return text.cardLines(card, ports(card)).stream().mapToDouble(TextLine::height).sum() + PADDING;
  }

  /** Pixels that some cards need from top to bottom, with the room to what is above and below. */
  double height(List<Integer> cards) {
    double highest = 0;
    for (List<Integer> column : columns(cards)) {
      double sum = column.stream().mapToDouble(card -> boxHeight(card) + GAP).sum();
      highest = Math.max(highest, sum);
    }
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
    List<RoutedEdge> lines = new ArrayList<>();
    double x = left;
    for (List<Integer> column : columns(parent.cards())) {
      double y = bar.bottom() + MARGIN;
      for (int i = 0; i < column.size(); i++) {
        int card = column.get(i);
        Area box = new Area(boxX(x, parent), y, boxWidth, boxHeight(card));
        areas.put(card, box);
        lines.addAll(lines(card, parent.node(), box, laneX(box, i), bar.bottom()));
        y = box.bottom() + GAP;
      }
      x += columnWidth(parent.cards().size());
    }
    return lines;
  }

  /** Places the cards of a CPU above its bar. */
  List<RoutedEdge> above(Branch parent, Area bar, double left, Map<Integer, Area> areas) {
    List<RoutedEdge> lines = new ArrayList<>();
    double x = left;
    for (List<Integer> column : columns(parent.cards())) {
      double bottom = bar.y() - MARGIN;
      for (int i = column.size() - 1; i >= 0; i--) {
        int card = column.get(i);
        double height = boxHeight(card);
        Area box = new Area(boxX(x, parent), bottom - height, boxWidth, height);
        areas.put(card, box);
        lines.addAll(lines(card, parent.node(), box, laneX(box, column.size() - 1 - i), bar.y()));
        bottom = box.y() - GAP;
      }
      x += columnWidth(parent.cards().size());
    }
    return lines;
  }

  private static double boxX(double columnX, Branch parent) {
    return columnX + Math.min(parent.cards().size(), PER_COLUMN) * LANE + RUN;
  }

  private static double laneX(Area box, int fromBar) {
    return box.x() - RUN - fromBar * LANE;
  }

  private List<RoutedEdge> lines(int card, int parent, Area box, double laneX, double barY) {
    List<RoutedEdge> lines = new ArrayList<>();
    Point corner = new Point(laneX, box.centerY());
    Edge pci =
        edges.stream()
            .filter(e -> e.type() == LinkType.PCI && e.touches(card) && e.touches(parent))
            .findFirst()
            .orElseThrow();
    lines.add(
        new RoutedEdge(
            pci,
            card,
            List.of(new Point(box.x(), box.centerY()), corner, new Point(laneX, barY)),
            true));
    List<Integer> ports = ports(card);
    double step = box.height() / (ports.size() + 1);
    for (int i = 0; i < ports.size(); i++) {
      int port = ports.get(i);
      double y = box.y() + (i + 1) * step;
      edges.stream()
          .filter(e -> e.type() == LinkType.NET && e.touches(card) && e.touches(port))
          .forEach(
              edge ->
                  lines.add(
                      new RoutedEdge(
                          edge,
                          card,
                          List.of(new Point(box.right(), y), new Point(box.right() + STUB, y)),
                          false)));
    }
    return lines;
  }

  /** The text in the box of a card. */
  List<TextLine> boxLines(int card) {
    return text.cardLines(card, ports(card));
  }
}
