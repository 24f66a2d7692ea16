package dev.topo.visualizer.drawing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Routes links between boxes of one row on tracks above or below the row: up, along, down. Each
 * link has ports of its own, and links share a track only if they do not overlap. Short links are
 * nearest to the row; the ports of a box are ordered so that links on the same side of it do not
 * cross.
 *
 * @param boxes the boxes of the row, by node
 * @param upwards whether tracks are above the row instead of below it
 * @param keepsCenter whether the middle of each box stays free for another link
 */
record TrackRouter(Map<Integer, Area> boxes, boolean upwards, boolean keepsCenter) {
  /** Distance between tracks; a label fits in between. */
  static final double TRACK = 26;

  private static final double MAX_PORT_STEP = 14;
  private static final double BOX_MARGIN = 5;
  private static final double CLEARANCE = 6;

  private record Span(Edge edge, int left, int right, double length) {}

  /** One end of a link; a link from a box to itself has both ends at one box. */
  private record Port(Span span, boolean isLeft) {}

  private record Taken(double from, double to) {}

  /** Routes some edges; the lines have the order of the edges. */
  List<RoutedEdge> route(List<Edge> edges) {
    List<Span> spans = edges.stream().map(this::span).toList();
    Map<Port, Double> ports = ports(spans);
    List<List<Taken>> levels = new ArrayList<>();
    Map<Span, Integer> levelOf = new HashMap<>();
    spans.stream()
        .sorted(Comparator.comparingDouble(Span::length).thenComparing(s -> area(s.left).x()))
        .forEach(
            span -> {
              Taken wanted =
                  new Taken(
                      Math.min(port(ports, span, true), port(ports, span, false)) - CLEARANCE,
                      Math.max(port(ports, span, true), port(ports, span, false)) + CLEARANCE);
              levelOf.put(span, level(levels, wanted));
            });
    return spans.stream()
        .map(span -> line(span, ports, Objects.requireNonNull(levelOf.get(span))))
        .toList();
  }

  /** The number of tracks that routed lines use. */
  static int tracks(List<RoutedEdge> lines) {
    return (int) lines.stream().mapToDouble(line -> line.points().get(1).y()).distinct().count();
  }

  private Area area(int node) {
    return Objects.requireNonNull(boxes.get(node));
  }

  private Span span(Edge edge) {
    boolean inOrder = area(edge.a()).x() <= area(edge.b()).x();
    int left = inOrder ? edge.a() : edge.b();
    int right = inOrder ? edge.b() : edge.a();
    return new Span(edge, left, right, area(right).centerX() - area(left).centerX());
  }

  private static double port(Map<Port, Double> ports, Span span, boolean isLeft) {
    return Objects.requireNonNull(ports.get(new Port(span, isLeft)));
  }

  private Map<Port, Double> ports(List<Span> spans) {
    Map<Port, Double> ports = new HashMap<>();
    boxes.forEach(
        (node, box) -> {
          List<Span> toLeft =
              spans.stream()
                  .filter(span -> span.right == node)
                  .sorted(Comparator.comparingDouble(Span::length))
                  .toList();
          List<Span> toRight =
              spans.stream()
                  .filter(span -> span.left == node)
                  .sorted(Comparator.comparingDouble(Span::length).reversed())
                  .toList();
          int slots = toLeft.size() + toRight.size() + (keepsCenter ? 1 : 0);
          double step = Math.min(MAX_PORT_STEP, (box.width() - 2 * BOX_MARGIN) / slots);
          double x = box.centerX() - step * (slots - 1) / 2;
          if (keepsCenter) {
            x = box.centerX() - step * toLeft.size();
          }
          for (Span span : toLeft) {
            ports.put(new Port(span, false), x);
            x += step;
          }
          x += keepsCenter ? step : 0;
          for (Span span : toRight) {
            ports.put(new Port(span, true), x);
            x += step;
          }
        });
    return ports;
  }

  private static int level(List<List<Taken>> levels, Taken wanted) {
    int level = 0;
    while (level < levels.size()
        && levels.get(level).stream()
            .anyMatch(taken -> taken.from < wanted.to && wanted.from < taken.to)) {
      level++;
    }
    if (level == levels.size()) {
      levels.add(new ArrayList<>());
    }
    levels.get(level).add(wanted);
    return level;
  }

  private RoutedEdge line(Span span, Map<Port, Double> ports, int level) {
    double left = port(ports, span, true);
    double right = port(ports, span, false);
    double distance = TRACK * (level + 1);
    double row = upwards ? area(span.left).y() : area(span.left).bottom();
    double rowRight = upwards ? area(span.right).y() : area(span.right).bottom();
    double y = upwards ? Math.min(row, rowRight) - distance : Math.max(row, rowRight) + distance;
    return new RoutedEdge(
        span.edge,
        span.left,
        List.of(
            new Point(left, row),
            new Point(left, y),
            new Point(right, y),
            new Point(right, rowRight)),
        true);
  }
}
