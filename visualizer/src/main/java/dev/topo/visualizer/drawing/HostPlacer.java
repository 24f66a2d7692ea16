package dev.topo.visualizer.drawing;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Places the boxes and lines of one host: its PCI trees, NVLink above the GPUs (between them or to
 * the NVSwitch), and links between CPUs. The upper edge of the row of GPUs is at 0. Each instance
 * is used once.
 */
final class HostPlacer {
  private static final double PORT_STEP = 10;
  private static final double NVS_HEIGHT = 26;

  private final Topology topology;
  private final List<Edge> edges;
  private final NodeLabels text;
  private final List<Branch> cpus;
  private final double nvsGap;
  private final Map<Integer, Area> areas = new LinkedHashMap<>();
  private final List<RoutedEdge> lines = new ArrayList<>();

  /**
   * Creates a placer for a host.
   *
   * @param edges its links
   * @param cpus its PCI trees
   * @param nvsGap the distance from its GPUs to the NVSwitch in pixels
   */
  HostPlacer(
      Topology topology, List<Edge> edges, NodeLabels text, List<Branch> cpus, double nvsGap) {
    this.topology = topology;
    this.edges = edges;
    this.text = text;
    this.cpus = cpus;
    this.nvsGap = nvsGap;
  }

  /**
   * The parts of a host with their positions.
   *
   * @param areas the boxes by node
   * @param panels the area of each CPU with its devices, by CPU node
   * @param lines the links that are drawn
   */
  record PlacedHost(Map<Integer, Area> areas, Map<Integer, Area> panels, List<RoutedEdge> lines) {
    /** Returns this host moved down. */
    PlacedHost moved(double dy) {
      return new PlacedHost(moved(areas, dy), moved(panels, dy), moved(lines, dy));
    }

    /** Returns this host with a box extended to the left. */
    PlacedHost extended(int node, double left) {
      Map<Integer, Area> extended = new LinkedHashMap<>(areas);
      extended.computeIfPresent(
          node, (bar, area) -> new Area(left, area.y(), area.right() - left, area.height()));
      return new PlacedHost(extended, panels, lines);
    }

    private static Map<Integer, Area> moved(Map<Integer, Area> areas, double dy) {
      Map<Integer, Area> moved = new LinkedHashMap<>();
      areas.forEach((node, area) -> moved.put(node, area.moved(0, dy)));
      return moved;
    }

    private static List<RoutedEdge> moved(List<RoutedEdge> lines, double dy) {
      return lines.stream()
          .map(
              line ->
                  new RoutedEdge(
                      line.edge(),
                      line.from(),
                      line.points().stream().map(point -> point.moved(0, dy)).toList(),
                      line.isLabelled()))
          .toList();
    }

    /** The upper edge of its highest box. */
    double top() {
      return Area.around(areas.values()).y();
    }

    /** The rectangle around the CPUs with their devices. */
    Area frame() {
      Area area = Area.around(panels.values());
      double bottom = panels.values().stream().mapToDouble(Area::bottom).max().orElse(0);
      double lowest =
          lines.stream().flatMap(l -> l.points().stream()).mapToDouble(Point::y).max().orElse(0);
      return new Area(area.x(), area.y(), area.width(), Math.max(bottom, lowest) - area.y());
    }
  }

  PlacedHost place() {
    List<Edge> mesh = between(NodeType.GPU, NodeType.GPU);
    List<Edge> toSwitch = between(NodeType.GPU, NodeType.NVS);
    TreePlacer trees =
        new TreePlacer(topology, edges, text, cpus, gpuWidth(mesh, !toSwitch.isEmpty()));
    areas.putAll(trees.areas());
    lines.addAll(trees.routed());
    List<RoutedEdge> tracks =
        new TrackRouter(row(NodeType.GPU), true, !toSwitch.isEmpty()).route(mesh);
    lines.addAll(tracks);
    lines.addAll(nvSwitch(toSwitch, TrackRouter.tracks(tracks)));
    lines.addAll(cpuLinks());
    lines.addAll(chipLinks());
    return new PlacedHost(areas, trees.panels(), lines);
  }

  /** The width of a GPU box, which is the same on all hosts of an NVLink domain. */
  private double gpuWidth(List<Edge> mesh, boolean keepsCenter) {
    int maxPorts = 0;
    double widest = 0;
    for (int gpu : topology.indexes(NodeType.GPU)) {
      maxPorts = Math.max(maxPorts, (int) mesh.stream().filter(edge -> edge.touches(gpu)).count());
      for (TextLine line : text.lines(gpu)) {
        widest = Math.max(widest, line.width() + text.sized(12, 8));
      }
    }
    double forPorts = (maxPorts + (keepsCenter ? 2 : 1)) * PORT_STEP;
    return Math.max(text.sized(92, 56), Math.max(widest, forPorts));
  }

  private List<Edge> between(NodeType type, NodeType other) {
    return edges.stream()
        .filter(
            edge -> {
              NodeType a = topology.node(edge.a()).type();
              NodeType b = topology.node(edge.b()).type();
              return (a == type && b == other) || (a == other && b == type);
            })
        .toList();
  }

  private Map<Integer, Area> row(NodeType type) {
    Map<Integer, Area> row = new LinkedHashMap<>(areas);
    row.keySet().removeIf(node -> topology.node(node).type() != type);
    return row;
  }

  /** Places the NVSwitch as a bar over all GPUs, above the tracks of other links. */
  private List<RoutedEdge> nvSwitch(List<Edge> toSwitch, int tracks) {
    if (toSwitch.isEmpty()) {
      return List.of();
    }
    int nvs = topology.indexes(NodeType.NVS)[0];
    Map<Integer, Area> gpus = row(NodeType.GPU);
    Area area = Area.around(gpus.values());
    double bottom = -nvsGap - tracks * TrackRouter.TRACK;
    areas.put(nvs, new Area(area.x(), bottom - NVS_HEIGHT, area.width(), NVS_HEIGHT));
    List<RoutedEdge> lines = new ArrayList<>();
    for (Edge edge : toSwitch) {
      int gpu = edge.other(nvs);
      double x = Objects.requireNonNull(gpus.get(gpu)).centerX();
      lines.add(new RoutedEdge(edge, gpu, List.of(new Point(x, 0), new Point(x, bottom)), true));
    }
    return lines;
  }

  /** Links between CPUs: straight between neighbours, on tracks below for others. */
  private List<RoutedEdge> cpuLinks() {
    Map<Integer, Area> cpus = row(NodeType.CPU);
    List<Integer> order =
        cpus.keySet().stream()
            .sorted(Comparator.comparingDouble(cpu -> Objects.requireNonNull(cpus.get(cpu)).x()))
            .toList();
    List<RoutedEdge> lines = new ArrayList<>();
    List<Edge> far = new ArrayList<>();
    for (Edge edge : between(NodeType.CPU, NodeType.CPU)) {
      int a = order.indexOf(edge.a());
      int b = order.indexOf(edge.b());
      if (Math.abs(a - b) == 1) {
        lines.add(straight(edge, cpus, true));
      } else {
        far.add(edge);
      }
    }
    lines.addAll(new TrackRouter(cpus, false, false).route(far));
    return lines;
  }

  /** A line from the right side of the left box to the left side of the other. */
  private static RoutedEdge straight(Edge edge, Map<Integer, Area> areas, boolean isLabelled) {
    Area a = Objects.requireNonNull(areas.get(edge.a()));
    Area b = Objects.requireNonNull(areas.get(edge.b()));
    boolean inOrder = a.x() < b.x();
    Area left = inOrder ? a : b;
    Area right = inOrder ? b : a;
    List<Point> points =
        List.of(new Point(left.right(), left.centerY()), new Point(right.x(), left.centerY()));
    return new RoutedEdge(edge, inOrder ? edge.a() : edge.b(), points, isLabelled);
  }

  /** Links inside a chip between switches side by side. */
  private List<RoutedEdge> chipLinks() {
    List<RoutedEdge> lines = new ArrayList<>();
    for (Edge edge : between(NodeType.PCI, NodeType.PCI)) {
      RoutedEdge line = straight(edge, areas, false);
      Area left = Objects.requireNonNull(areas.get(line.from()));
      Area right = Objects.requireNonNull(areas.get(edge.other(line.from())));
      double width = Math.max(0, right.x() - left.right());
      Area gap = new Area(left.right(), left.y(), width, left.height());
      boolean isFree = areas.values().stream().noneMatch(box -> box.overlaps(gap));
      if (edge.type() == LinkType.LOC && left.y() == right.y() && isFree) {
        lines.add(line);
      }
    }
    return lines;
  }
}
