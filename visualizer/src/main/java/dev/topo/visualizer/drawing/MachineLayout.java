package dev.topo.visualizer.drawing;

import dev.topo.model.MachineFormat;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.visualizer.drawing.HostPlacer.PlacedHost;
import dev.topo.visualizer.drawing.Wire.Flow;
import dev.topo.visualizer.drawing.Wire.Stress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The picture of a machine: sockets side by side, in each the GPUs in a row, their PCI trees below,
 * cards with a stub to the network, the CPU at the bottom; NVLink above the GPUs, between them or
 * to the NVSwitch; links between CPUs at the bottom. All lines are horizontal or vertical, and none
 * runs behind a box. Deterministic.
 */
public final class MachineLayout {
  private static final double NVS_GAP = 44;

  /**
   * The gap in a framed host; the bandwidth of a link to the NVSwitch is written above the frame.
   */
  private static final double FRAMED_NVS_GAP = 58;

  private static final double STRIP_GAP = 26;

  /** Distance between a host and the one below it. */
  private static final double HOST_GAP = 30;

  /** Distance from the devices of a host to its frame. */
  private static final double FRAME_MARGIN = 8;

  private static final double NAME_SIZE = 11;
  private static final double NAME_PADDING = 8;

  /** Offset of each stacked host to the right of and below the one in front. */
  private static final double STACK_OFFSET = 4;

  private static final int MAX_BEHIND = 3;
  private static final double SPINE_WIDTH = 18;
  private static final double SPINE_GAP = 20;

  private final DrawnMachine machine;
  private final Topology topology;
  private final List<Edge> edges;
  private final NodeLabels text;
  private final HostFold fold;
  private final Optional<RouteMarks> marks;
  private final CardStack cards;
  private final Canvas canvas = new Canvas();
  private final Map<Edge, Wire> labelled = new LinkedHashMap<>();
  private final Set<WireKind> kinds = EnumSet.noneOf(WireKind.class);
  private final List<RoutedEdge> lines = new ArrayList<>();
  private final Map<Integer, Integer> boxes = new LinkedHashMap<>();
  private final Map<HostGroup, Integer> hostBoxes = new LinkedHashMap<>();
  private int undrawn;

  /**
   * A picture with the positions of its elements.
   *
   * @param drawing the picture
   * @param lines the edges of its first lines, in order
   * @param boxes the index of the box of each device, by device index
   * @param hostBoxes the index of the box with the host name, by group
   */
  record Placed(
      Drawing drawing,
      List<RoutedEdge> lines,
      Map<Integer, Integer> boxes,
      Map<HostGroup, Integer> hostBoxes) {}

  private MachineLayout(DrawnMachine machine, boolean isCompact) {
    this.machine = machine;
    this.topology = machine.topology();
    this.edges = Edge.of(topology);
    this.text = new NodeLabels(topology, isCompact);
    this.fold = machine.fold();
    this.marks = machine.route().map(found -> new RouteMarks(topology, found));
    this.cards = new CardStack(topology, edges, text);
  }

  /**
   * Draws a machine. Equal hosts of an NVLink domain are drawn once.
   *
   * @param name its name
   * @param topology the machine
   * @param route the channel to show on it, if any
   */
  public static Drawing draw(String name, Topology topology, Optional<ChannelRoute> route) {
    return draw(new DrawnMachine(name, topology, HostFold.of(topology, route), route, List.of()));
  }

  /** Draws some hosts of a machine. */
  public static Drawing draw(DrawnMachine machine) {
    return new MachineLayout(machine, false).draw();
  }

  /**
   * Draws a machine like {@link #draw} and returns the positions of its elements.
   *
   * @param isCompact whether boxes are as narrow as their names, and no text below 11 pixels
   */
  static Placed place(DrawnMachine machine, boolean isCompact) {
    MachineLayout layout = new MachineLayout(machine, isCompact);
    return new Placed(layout.draw(), layout.lines, layout.boxes, layout.hostBoxes);
  }

  private Drawing draw() {
    boolean hasSpine = fold.groups().size() > 1 && topology.hasNvSwitch();
    double spineRight = 0;
    double bottom = 0;
    List<PlacedHost> hosts = new ArrayList<>();
    for (HostGroup group : fold.groups()) {
      PlacedHost host = host(group.drawn());
      if (!hosts.isEmpty()) {
        host = host.moved(canvas.bottom() + HOST_GAP - host.top());
      }
      if (hasSpine) {
        int nvs = topology.indexes(NodeType.NVS)[0];
        spineRight = host.frame().x() - SPINE_GAP;
        host = host.extended(nvs, spineRight);
        bottom = host.areas().containsKey(nvs) ? host.areas().get(nvs).bottom() : bottom;
      }
      if (fold.isDomain()) {
        frame(group, host.frame());
      }
      boxes(host);
      hosts.add(host);
    }
    if (hasSpine) {
      double top = hosts.get(0).top();
      Area spine = new Area(spineRight - SPINE_WIDTH, top, SPINE_WIDTH, bottom - top);
      canvas.add(new Box(BoxKind.NVS, spine, List.of(), "NVSwitch"));
    }
    hosts.forEach(host -> lines.addAll(host.lines()));
    lines.forEach(this::wire);
    labels();
    if (!machine.orders().isEmpty()) {
      int drawn = marks.map(RouteMarks::channel).orElse(-1);
      ChannelStrips.add(canvas, machine.orders(), drawn, canvas.bottom() + STRIP_GAP);
    }
    return canvas.finish(machine.name(), subtitles(), this::legend);
  }

  private PlacedHost host(int host) {
    List<Edge> ofHost =
        edges.stream().filter(edge -> isOn(edge.a(), host) && isOn(edge.b(), host)).toList();
    List<Branch> cpus =
        Branch.of(topology).stream().filter(cpu -> fold.hostOf(cpu.node()) == host).toList();
    PlacedHost placed =
        new HostPlacer(topology, ofHost, text, cpus, fold.isDomain() ? FRAMED_NVS_GAP : NVS_GAP)
            .place();
    undrawn += ofHost.size() - placed.lines().size();
    return placed;
  }

  private boolean isOn(int node, int host) {
    return topology.node(node).type() == NodeType.NVS || fold.hostOf(node) == host;
  }

  /** Draws the frame of a host with its name, in front of the frames of the equal hosts. */
  private void frame(HostGroup group, Area devices) {
    List<TextLine> texts = new ArrayList<>(List.of(TextLine.bold(group.title(), NAME_SIZE)));
    if (group.isFolded()) {
      texts.add(TextLine.plain(group.shown(group.drawn()), NAME_SIZE));
    }
    double height = TextBlock.boxHeight(texts) + NAME_PADDING;
    double width = TextBlock.widest(texts) + 2 * NAME_PADDING;
    Area frame =
        new Area(
            devices.x() - FRAME_MARGIN,
            devices.y() - FRAME_MARGIN,
            devices.width() + 2 * FRAME_MARGIN,
            devices.height() + height + 3 * FRAME_MARGIN);
    for (int behind = Math.min(group.hosts().size() - 1, MAX_BEHIND); behind >= 0; behind--) {
      double shift = behind * STACK_OFFSET;
      Area area = new Area(frame.x() + shift, frame.y() + shift, frame.width(), frame.height());
      canvas.add(new Box(BoxKind.HOST, area, List.of(), ""));
    }
    hostBoxes.put(group, canvas.boxes().size());
    Area label = new Area(devices.x(), devices.bottom() + FRAME_MARGIN, width, height);
    canvas.add(new Box(BoxKind.NODE, label, texts, group.title()));
  }

  private void boxes(PlacedHost host) {
    host.panels().forEach((cpu, area) -> canvas.add(new Box(BoxKind.PANEL, area, List.of(), "")));
    host.areas()
        .forEach(
            (node, area) -> {
              NodeType type = topology.node(node).type();
              List<TextLine> texts = new ArrayList<>(cards.boxLines(node));
              StringBuilder hint = new StringBuilder(text.hint(node));
              if (type == NodeType.NIC) {
                cards.ports(node).forEach(port -> hint.append("; ").append(text.hint(port)));
              }
              if (type == NodeType.GPU) {
                marks
                    .map(route -> TextLine.bold(route.place(node), text.small()))
                    .ifPresent(place -> texts.set(1, place));
              }
              boxes.put(node, canvas.boxes().size());
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
            marks.map(route -> route.stress(edge, line.from())).orElse(Stress.PLAIN),
            marks.map(route -> route.flow(edge, line.from())).orElse(Flow.NONE),
            hint);
    canvas.add(wire);
    if (line.isLabelled()) {
      labelled.put(edge, wire);
    }
  }

  /** Places the labels, those of full links first because they are the most important. */
  private void labels() {
    LabelPlacer placer = new LabelPlacer(canvas.boxes(), canvas.wires(), canvas.captions());
    List<Map.Entry<Edge, Wire>> order = new ArrayList<>(labelled.entrySet());
    order.sort(Comparator.comparing(e -> e.getValue().stress() == Stress.FULL ? 0 : 1));
    for (Map.Entry<Edge, Wire> entry : order) {
      Edge edge = entry.getKey();
      Wire wire = entry.getValue();
      placer
          .place(wire, TextLine.plain(label(edge), text.small()))
          .or(() -> placer.place(wire, TextLine.plain(edge.text(), text.small())))
          .ifPresent(canvas::add);
    }
  }

  private String label(Edge edge) {
    return marks
        .filter(route -> !text.isCompact())
        .map(route -> route.label(edge))
        .orElse(edge.text());
  }

  private List<String> subtitles() {
    String summary = MachineFormat.summary(topology);
    List<String> lines = new ArrayList<>();
    lines.add(
        fold.isDomain() ? "NVLink domain of " + fold.nHosts() + " hosts: " + summary : summary);
    marks.ifPresent(
        route -> {
          lines.add(route.title());
          if (machine.orders().isEmpty()) {
            lines.add(route.text(text));
          }
        });
    return lines;
  }

  private void legend(Legend legend) {
    kinds.forEach(kind -> legend.sample(kind, Flow.NONE, kind.meaning()));
    if (marks.isPresent()) {
      WireKind kind = kinds.contains(WireKind.NVL) ? WireKind.NVL : WireKind.PCI;
      legend.sample(kind, Flow.FORWARD, "route of the channel");
      legend.sample(kind, Stress.FULL, Flow.NONE, "full: no room for one more channel");
    }
    legend.note("Numbers are GB/s in each direction; the more, the wider the line.");
    if (edges.stream().anyMatch(edge -> LineWidth.isUnlimited(edge.bwGBps()))) {
      legend.note("5000 is NCCL's number for a link without a limit; its line is thin.");
    }
    if (fold.groups().stream().anyMatch(HostGroup::isFolded)) {
      legend.note(
          "Hosts with equal devices and links are drawn once; bus ids and ranks are those of the host that is shown.");
    }
    if (!machine.orders().isEmpty()) {
      legend.note(
          "Order of a channel: the hosts, each with its GPUs in the order in which data passes them.");
    }
    if (undrawn > 0) {
      legend.note("Not drawn: " + undrawn + " links inside a chip.");
    }
  }
}
