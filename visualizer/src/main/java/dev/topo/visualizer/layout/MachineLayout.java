package dev.topo.visualizer.layout;

import dev.topo.model.LinkType;
import dev.topo.model.MachineFormat;
import dev.topo.model.Topology;
import dev.topo.model.node.NodeType;
import dev.topo.visualizer.canvas.Canvas;
import dev.topo.visualizer.canvas.Legend;
import dev.topo.visualizer.route.ChannelRoute;
import dev.topo.visualizer.scene.Area;
import dev.topo.visualizer.scene.Box;
import dev.topo.visualizer.scene.BoxKind;
import dev.topo.visualizer.scene.Drawing;
import dev.topo.visualizer.scene.Point;
import dev.topo.visualizer.scene.TextLine;
import dev.topo.visualizer.scene.Wire;
import dev.topo.visualizer.scene.WireKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The picture of a machine: sockets side by side, in each the GPUs in a row, their PCI trees below,
 * cards with a stub to the network, the CPU at the bottom; NVLink above the GPUs, between them or
 * to the NVSwitch; links between CPUs at the bottom. All lines are horizontal or vertical, and none
 * runs behind a box. Deterministic.
 */
public final class MachineLayout {
  private static final double GPU_WIDTH = 92;
  private static final double PORT_STEP = 10;
  private static final double NVS_HEIGHT = 26;
  private static final double NVS_GAP = 44;
  private static final double LABEL_SIZE = 9;

  private final String name;
  private final Topology topology;
  private final List<Edge> edges;
  private final NodeText text;
  private final Optional<RouteMarks> marks;
  private final Canvas canvas = new Canvas();
  private final Map<Edge, Wire> labelled = new LinkedHashMap<>();
  private final Set<WireKind> kinds = EnumSet.noneOf(WireKind.class);
  private final List<RoutedEdge> lines = new ArrayList<>();
  private final Map<Integer, Integer> gpuBoxes = new LinkedHashMap<>();
  private int undrawn;

  /**
   * A picture whose parts are known.
   *
   * @param drawing the picture
   * @param lines what its first lines are, in their order
   * @param gpuBoxes the place of a GPU's box among the boxes, by the index of the GPU
   */
  record Placed(Drawing drawing, List<RoutedEdge> lines, Map<Integer, Integer> gpuBoxes) {}

  private MachineLayout(String name, Topology topology, Optional<ChannelRoute> route) {
    this.name = name;
    this.topology = topology;
    this.edges = Edge.of(topology);
    this.text = new NodeText(topology);
    this.marks = route.map(found -> new RouteMarks(topology, found));
  }

  /**
   * Draws a machine.
   *
   * @param name its name
   * @param topology the machine
   * @param route the channel to show on it, if any
   */
  public static Drawing draw(String name, Topology topology, Optional<ChannelRoute> route) {
    return new MachineLayout(name, topology, route).draw();
  }

  /** Draws a machine without a channel, and returns the positions of its parts. */
  static Placed place(String name, Topology topology) {
    MachineLayout layout = new MachineLayout(name, topology, Optional.empty());
    return new Placed(layout.draw(), layout.lines, layout.gpuBoxes);
  }

  private Drawing draw() {
    List<Edge> mesh = between(NodeType.GPU, NodeType.GPU);
    List<Edge> toSwitch = between(NodeType.GPU, NodeType.NVS);
    TreePlacer trees = new TreePlacer(topology, edges, text, gpuWidth(mesh, !toSwitch.isEmpty()));
    Map<Integer, Area> areas = new LinkedHashMap<>(trees.areas());
    lines.addAll(trees.routed());
    List<RoutedEdge> tracks =
        new TrackRouter(row(areas, NodeType.GPU), true, !toSwitch.isEmpty()).route(mesh);
    lines.addAll(tracks);
    lines.addAll(nvSwitch(toSwitch, areas, TrackRouter.tracks(tracks)));
    lines.addAll(cpuLinks(areas));
    lines.addAll(chipLinks(areas));
    undrawn = edges.size() - lines.size();
    boxes(areas, trees);
    lines.forEach(this::wire);
    labels();
    return canvas.finish(name, subtitles(), this::legend);
  }

  private double gpuWidth(List<Edge> mesh, boolean keepsCenter) {
    int most = 0;
    double widest = 0;
    for (int gpu : topology.indexes(NodeType.GPU)) {
      most = Math.max(most, (int) mesh.stream().filter(edge -> edge.touches(gpu)).count());
      for (TextLine line : text.lines(gpu)) {
        widest = Math.max(widest, line.width() + 12);
      }
    }
    double forPorts = (most + (keepsCenter ? 2 : 1)) * PORT_STEP;
    return Math.max(GPU_WIDTH, Math.max(widest, forPorts));
  }

  private List<Edge> between(NodeType one, NodeType other) {
    return edges.stream()
        .filter(
            edge -> {
              NodeType a = topology.node(edge.a()).type();
              NodeType b = topology.node(edge.b()).type();
              return (a == one && b == other) || (a == other && b == one);
            })
        .toList();
  }

  private Map<Integer, Area> row(Map<Integer, Area> areas, NodeType type) {
    Map<Integer, Area> row = new LinkedHashMap<>(areas);
    row.keySet().removeIf(node -> topology.node(node).type() != type);
    return row;
  }

  /** A bar over all GPUs, above the tracks of other links. */
  private List<RoutedEdge> nvSwitch(List<Edge> toSwitch, Map<Integer, Area> areas, int tracks) {
    if (toSwitch.isEmpty()) {
      return List.of();
    }
    int nvs = topology.indexes(NodeType.NVS)[0];
    Map<Integer, Area> gpus = row(areas, NodeType.GPU);
    double left = gpus.values().stream().mapToDouble(Area::x).min().orElse(0);
    double right = gpus.values().stream().mapToDouble(Area::right).max().orElse(0);
    double bottom = -NVS_GAP - tracks * TrackRouter.TRACK;
    areas.put(nvs, new Area(left, bottom - NVS_HEIGHT, right - left, NVS_HEIGHT));
    List<RoutedEdge> lines = new ArrayList<>();
    for (Edge edge : toSwitch) {
      int gpu = edge.other(nvs);
      double x = Objects.requireNonNull(gpus.get(gpu)).centerX();
      lines.add(new RoutedEdge(edge, gpu, List.of(new Point(x, 0), new Point(x, bottom)), true));
    }
    return lines;
  }

  /** Straight between neighbours, below for others. */
  private List<RoutedEdge> cpuLinks(Map<Integer, Area> areas) {
    Map<Integer, Area> cpus = row(areas, NodeType.CPU);
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
  private List<RoutedEdge> chipLinks(Map<Integer, Area> areas) {
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

  private void boxes(Map<Integer, Area> areas, TreePlacer trees) {
    trees.panels().forEach((cpu, area) -> canvas.add(new Box(BoxKind.PANEL, area, List.of(), "")));
    CardStack cards = new CardStack(topology, edges, text);
    areas.forEach(
        (node, area) -> {
          NodeType type = topology.node(node).type();
          List<TextLine> texts = new ArrayList<>(cards.boxLines(node));
          StringBuilder hint = new StringBuilder(text.hint(node));
          if (type == NodeType.NIC) {
            cards.ports(node).forEach(port -> hint.append("; ").append(text.hint(port)));
          }
          if (type == NodeType.GPU) {
            marks.ifPresent(route -> texts.set(1, route.place(node)));
            gpuBoxes.put(node, canvas.boxes().size());
          }
          canvas.add(new Box(kind(type), area, texts, hint.toString()));
        });
  }

  static BoxKind kind(NodeType type) {
    return type == NodeType.NET ? BoxKind.NIC : BoxKind.valueOf(type.name());
  }

  private void wire(RoutedEdge line) {
    Edge edge = line.edge();
    WireKind kind = WireKind.of(edge.type());
    kinds.add(kind);
    String hint =
        "%s - %s, %s %s GB/s"
            .formatted(
                topology.node(edge.a()).label(),
                topology.node(edge.b()).label(),
                edge.type(),
                label(edge));
    Wire wire =
        new Wire(
            kind,
            line.points(),
            LineWidth.of(edge.bwGBps()),
            marks.map(route -> route.stress(edge, line.from())).orElse(Wire.Stress.PLAIN),
            marks.map(route -> route.flow(edge, line.from())).orElse(Wire.Flow.NONE),
            hint);
    canvas.add(wire);
    if (line.isLabelled()) {
      labelled.put(edge, wire);
    }
  }

  /** Full links first: their labels are the most important. */
  private void labels() {
    LabelPlacer placer = new LabelPlacer(canvas.boxes(), canvas.wires(), canvas.captions());
    List<Map.Entry<Edge, Wire>> order = new ArrayList<>(labelled.entrySet());
    order.sort(Comparator.comparing(e -> e.getValue().stress() == Wire.Stress.FULL ? 0 : 1));
    for (Map.Entry<Edge, Wire> entry : order) {
      Edge edge = entry.getKey();
      Wire wire = entry.getValue();
      placer
          .place(wire, TextLine.plain(label(edge), LABEL_SIZE))
          .or(() -> placer.place(wire, TextLine.plain(edge.text(), LABEL_SIZE)))
          .ifPresent(canvas::add);
    }
  }

  private String label(Edge edge) {
    return marks.map(route -> route.label(edge)).orElse(edge.text());
  }

  private List<String> subtitles() {
    List<String> lines = new ArrayList<>(List.of(MachineFormat.summary(topology)));
    marks.ifPresent(
        route -> {
          lines.add(route.title());
          lines.add(route.text(text));
        });
    return lines;
  }

  private void legend(Legend legend) {
    Wire.Stress plain = Wire.Stress.PLAIN;
    kinds.forEach(kind -> legend.sample(kind, plain, Wire.Flow.NONE, kind.meaning()));
    if (marks.isPresent()) {
      WireKind kind = kinds.contains(WireKind.NVL) ? WireKind.NVL : WireKind.PCI;
      legend.sample(kind, plain, Wire.Flow.FORWARD, "route of the channel");
      legend.sample(kind, Wire.Stress.FULL, Wire.Flow.NONE, "full: no room for one more channel");
    }
    legend.note("Numbers are GB/s in each direction; the more, the wider the line.");
    if (edges.stream().anyMatch(edge -> LineWidth.isUnlimited(edge.bwGBps()))) {
      legend.note("5000 is NCCL's number for a link without a limit; its line is thin.");
    }
    if (undrawn > 0) {
      legend.note("Not drawn: " + undrawn + " links inside a chip.");
    }
  }
}
