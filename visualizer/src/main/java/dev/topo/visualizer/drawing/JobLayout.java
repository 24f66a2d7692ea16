package dev.topo.visualizer.drawing;

import dev.topo.model.Alike;
import dev.topo.model.Last;
import dev.topo.visualizer.drawing.JobFlow.Hop;
import dev.topo.visualizer.drawing.JobFlow.Shape;
import dev.topo.visualizer.drawing.Wire.Flow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The picture of the channels between the nodes of a job: rings as rows of nodes that reverse
 * direction at their ends, trees with the root at the top. In large jobs, boxes contain only node
 * numbers.
 */
public final class JobLayout {
  /**
   * Up to this many nodes, boxes show the ranks and ports through which a node sends and receives.
   */
  private static final int MAX_DETAILED_NODES = 16;

  private static final int DETAILED_PER_ROW = 4;
  private static final int COMPACT_PER_ROW = 16;
  private static final double GAP = 34;
  private static final double TREE_GAP = 14;
  private static final double LEVEL_GAP = 38;
  private static final double PADDING = 8;
  private static final double PANEL_GAP = 34;
  private static final double LINE_WIDTH = 3;

  private final Canvas canvas = new Canvas();
  private double top;

  private JobLayout() {}

  /**
   * Draws channels one below the other.
   *
   * @param name the name of the job
   * @param summary a description of the job
   */
  public static Drawing draw(String name, String summary, List<JobFlow> flows) {
    JobLayout layout = new JobLayout();
    flows.forEach(layout::panel);
    return layout.canvas.finish(name, List.of(summary), legend -> legend(legend, flows));
  }

  private static void legend(Legend legend, List<JobFlow> flows) {
    List<Shape> shapes = flows.stream().map(JobFlow::shape).toList();
    if (shapes.contains(Shape.RING)) {
      legend.sample(WireKind.RING, Flow.FORWARD, "ring, in its direction");
    }
    if (shapes.contains(Shape.TREE)) {
      legend.sample(WireKind.TREE, Flow.NONE, "tree: reduce up, broadcast down");
    }
    if (shapes.contains(Shape.NVLS)) {
      legend.sample(
          WireKind.TREE,
          Flow.NONE,
          "NVLS tree: reduce up, broadcast down; every head has it with the same head of the other nodes");
    }
  }

  private void panel(JobFlow flow) {
    boolean isDetailed = isDetailed(flow.nNodes());
    top = canvas.add(TextLine.bold(flow.title(isDetailed), 12), 0, top) + 12;
    Map<Integer, List<TextLine>> texts = texts(flow);
    double width = TextBlock.widestOf(texts.values()) + 2 * PADDING;
    double height = TextBlock.highestOf(texts.values()) + PADDING;
    Map<Integer, Area> areas =
        flow.shape() == Shape.RING
            ? rows(flow.nNodes(), width, height)
            : new TreeRows(flow, top, width, height).areas();
    areas.forEach(
        (node, area) -> {
          String hint = "node " + node + ": " + String.join(", ", ends(flow, node));
          canvas.add(new Box(BoxKind.NODE, area, texts.getOrDefault(node, List.of()), hint));
        });
    if (flow.shape() == Shape.RING) {
      flow.hops().forEach(hop -> ringHop(hop, areas, flow.nNodes()));
    } else {
      treeHops(flow, areas);
    }
    double bottom = areas.values().stream().mapToDouble(Area::bottom).max().orElse(top);
    top = bottom + PANEL_GAP + (flow.shape() == Shape.RING ? GAP / 2 : 0);
  }

  private static boolean isDetailed(int nNodes) {
    return nNodes <= MAX_DETAILED_NODES;
  }

  private static Map<Integer, List<TextLine>> texts(JobFlow flow) {
    Map<Integer, List<TextLine>> texts = new LinkedHashMap<>();
    for (int node = 0; node < flow.nNodes(); node++) {
      List<TextLine> lines = new ArrayList<>();
      if (isDetailed(flow.nNodes())) {
        lines.add(TextLine.bold("node " + node, 12));
        ends(flow, node).forEach(end -> lines.add(TextLine.plain(end, 9)));
      } else {
        lines.add(TextLine.plain(String.valueOf(node), 11));
      }
      texts.put(node, lines);
    }
    return texts;
  }

  /** The ranks and ports through which a node exchanges data with others. */
  private static List<String> ends(JobFlow flow, int node) {
    boolean ring = flow.shape() == Shape.RING;
    List<String> ends = new ArrayList<>();
    for (Hop hop : flow.hops()) {
      if (hop.to().node() == node && ring) {
        ends.add(0, "in " + hop.to());
      }
      if (hop.from().node() == node) {
        ends.add((ring ? "out " : "up ") + hop.from());
      }
    }
    for (Hop hop : flow.hops()) {
      if (hop.to().node() == node && !ring) {
        ends.add("down " + hop.to());
      }
    }
    return ends.stream().distinct().toList();
  }

  /** Rows that reverse direction at their ends. */
  private Map<Integer, Area> rows(int nNodes, double width, double height) {
    int perRow = isDetailed(nNodes) ? DETAILED_PER_ROW : COMPACT_PER_ROW;
    Map<Integer, Area> areas = new LinkedHashMap<>();
    for (int node = 0; node < nNodes; node++) {
      int row = node / perRow;
      int column = row % 2 == 0 ? node % perRow : perRow - 1 - node % perRow;
      areas.put(node, new Area(column * (width + GAP), top + row * (height + GAP), width, height));
    }
    return areas;
  }

  private void ringHop(Hop hop, Map<Integer, Area> areas, int nNodes) {
    Area from = Objects.requireNonNull(areas.get(hop.from().node()));
    Area to = Objects.requireNonNull(areas.get(hop.to().node()));
    List<Point> points;
    if (hop.to().node() == 0 && nNodes > 1 && hop.from().node() == nNodes - 1) {
      double below = from.bottom() + GAP / 2;
      double left = to.x() - GAP / 2;
      points =
          List.of(
              new Point(from.centerX(), from.bottom()),
              new Point(from.centerX(), below),
              new Point(left, below),
              new Point(left, to.centerY()),
              new Point(to.x(), to.centerY()));
    } else if (from.y() != to.y()) {
      points = List.of(new Point(from.centerX(), from.bottom()), new Point(to.centerX(), to.y()));
    } else if (from.x() < to.x()) {
      points = List.of(new Point(from.right(), from.centerY()), new Point(to.x(), to.centerY()));
    } else {
      points = List.of(new Point(from.x(), from.centerY()), new Point(to.right(), to.centerY()));
    }
    canvas.add(Wire.plain(WireKind.RING, points, LINE_WIDTH, Flow.FORWARD, text(hop)));
  }

  private static String text(Hop hop) {
    return "node %s, %s to node %s, %s"
        .formatted(hop.from().node(), hop.from(), hop.to().node(), hop.to());
  }

  /** Draws the hops of a tree; each child has a port of its own at its parent, in order. */
  private void treeHops(JobFlow flow, Map<Integer, Area> areas) {
    Map<Integer, List<Hop>> children = Alike.by(flow.hops(), hop -> hop.to().node());
    children.forEach(
        (parent, hops) -> {
          Area box = Objects.requireNonNull(areas.get(parent));
          double step = box.width() / (hops.size() + 1);
          for (int i = 0; i < hops.size(); i++) {
            Area child = Objects.requireNonNull(areas.get(hops.get(i).from().node()));
            double port = box.x() + (i + 1) * step;
            double middle = box.bottom() + LEVEL_GAP / 2;
            Point end = new Point(port, box.bottom());
            Point begin = new Point(child.centerX(), child.y());
            List<Point> points =
                Math.abs(port - child.centerX()) < 1
                    ? List.of(new Point(port, child.y()), end)
                    : List.of(
                        begin, new Point(child.centerX(), middle), new Point(port, middle), end);
            canvas.add(Wire.plain(WireKind.TREE, points, LINE_WIDTH, Flow.NONE, text(hops.get(i))));
          }
        });
  }

  /** Places the boxes of a tree: parents above the middle of their children. */
  private static final class TreeRows {
    private final JobFlow flow;
    private final double top;
    private final double width;
    private final double height;
    private final Map<Integer, Area> areas = new LinkedHashMap<>();
    private double nextX;

    TreeRows(JobFlow flow, double top, double width, double height) {
      this.flow = flow;
      this.top = top;
      this.width = width;
      this.height = height;
    }

    Map<Integer, Area> areas() {
      for (int node = 0; node < flow.nNodes(); node++) {
        int candidate = node;
        if (flow.hops().stream().noneMatch(hop -> hop.from().node() == candidate)) {
          place(node, 0);
        }
      }
      return areas;
    }

    private void place(int node, int level) {
      List<Integer> children =
          flow.hops().stream()
              .filter(hop -> hop.to().node() == node)
              .map(hop -> hop.from().node())
              .toList();
      children.forEach(child -> place(child, level + 1));
      double x = nextX;
      if (children.isEmpty()) {
        nextX += width + TREE_GAP;
      } else {
        Area first = Objects.requireNonNull(areas.get(children.get(0)));
        Area last = Objects.requireNonNull(areas.get(Last.of(children)));
        x = (first.x() + last.x()) / 2;
      }
      areas.put(node, new Area(x, top + level * (height + LEVEL_GAP), width, height));
    }
  }
}
