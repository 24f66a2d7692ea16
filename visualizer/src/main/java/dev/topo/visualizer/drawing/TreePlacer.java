package dev.topo.visualizer.drawing;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Places the boxes of a machine and the lines of its PCI trees: GPUs in a row, their switches
 * below, depth by depth, each as wide as everything attached to it, and CPUs side by side at the
 * bottom. All lines of a tree are therefore vertical, and none crosses another. Network cards are
 * stacked below their switch, or above their CPU, each with a line of its own.
 *
 * <p>The upper edge of the row of GPUs is at 0. Each instance is used once.
 */
final class TreePlacer {
  static final double GPU_HEIGHT = 36;
  static final double BAR_HEIGHT = 22;
  private static final double CPU_HEIGHT = 28;

  /** Distance between CPUs without a link between them. */
  private static final double CPU_GAP = 28;

  /** Space for the line of a link that passes beside the boxes of a block. */
  private static final double SIDE_LANE = 22;

  /** Distance between rows without cards. */
  private static final double ROW_GAP = 44;

  private static final double TRACK = 12;

  private final List<Edge> edges;
  private final NodeLabels text;
  private final CardStack cards;
  private final double gpuWidth;

  /** Distance between blocks side by side. */
  private final double gap;

  private final List<Branch> cpus;
  private final Map<Integer, List<Edge>> toCpu = new HashMap<>();
  private final Map<Integer, Area> areas = new LinkedHashMap<>();
  private final Map<Integer, Area> panels = new LinkedHashMap<>();
  private final List<RoutedEdge> routed = new ArrayList<>();
  private double[] rowTop = {};

  TreePlacer(
      Topology topology, List<Edge> edges, NodeLabels text, List<Branch> cpus, double gpuWidth) {
    this.edges = edges;
    this.text = text;
    this.gpuWidth = gpuWidth;
    this.gap = text.sized(14, 6);
    this.cards = new CardStack(topology, edges, text);
    this.cpus = cpus;
    for (Branch cpu : cpus) {
      for (int gpu : cpu.gpus()) {
        toCpu.put(gpu, edges.stream().filter(e -> isDirect(e, gpu, cpu.node())).toList());
      }
    }
    place();
  }

  private static boolean isDirect(Edge edge, int gpu, int cpu) {
    return edge.touches(gpu) && edge.touches(cpu) && edge.type() != LinkType.PCI;
  }

  /** The positions of the boxes, including cards, by node. */
  Map<Integer, Area> areas() {
    return areas;
  }

  /** The area of each CPU with its devices, by CPU node. */
  Map<Integer, Area> panels() {
    return panels;
  }

  /**
   * The lines of the trees, including those from GPUs to their CPUs and from cards to their ports.
   */
  List<RoutedEdge> routed() {
    return routed;
  }

  private void place() {
    rows();
    double x = 0;
    for (int i = 0; i < cpus.size(); i++) {
      Branch cpu = cpus.get(i);
      double width =
          Math.max(childrenWidth(cpu) + cards.width(cpu.cards()), barTextWidth(cpu.node()));
      placeCpu(cpu, x, width);
      boolean linked = i + 1 < cpus.size() && areLinked(cpu.node(), cpus.get(i + 1).node());
      x += width + (linked ? text.sized(84, 34) : CPU_GAP);
    }
  }

  private boolean areLinked(int a, int b) {
    return edges.stream().anyMatch(edge -> edge.touches(a) && edge.touches(b));
  }

  /** Computes the top of each row: row 0 are the CPUs, the last one the deepest switches. */
  private void rows() {
    int deepest = cpus.stream().mapToInt(Branch::deepestSwitch).max().orElse(0);
    double[] gapAbove = new double[deepest + 1];
    double direct =
        toCpu.values().stream().mapToInt(List::size).max().orElse(0)
            * TRACK
            * (deepest == 0 ? 0 : 1);
    for (int depth = 0; depth <= deepest; depth++) {
      gapAbove[depth] = ROW_GAP + (depth == deepest ? direct : 0);
    }
    for (Branch cpu : cpus) {
      for (Branch branch : cpu.all()) {
        if (!branch.cards().isEmpty()) {
          int below = Math.max(0, branch.depth() - 1);
          gapAbove[below] =
              Math.max(gapAbove[below], cards.height(branch.cards()) + (deepest == 0 ? 14 : 0));
        }
      }
    }
    rowTop = new double[deepest + 1];
    double y = GPU_HEIGHT;
    for (int depth = deepest; depth >= 0; depth--) {
      y += gapAbove[depth];
      rowTop[depth] = y;
      y += BAR_HEIGHT;
    }
  }

  private double barTextWidth(int node) {
    return text.lines(node).get(0).width() + text.sized(16, 8);
  }

  private double childrenWidth(Branch branch) {
    double sum = 0;
    for (Branch child : branch.branches()) {
      sum += sideLanes(child) * SIDE_LANE + bodyWidth(child) + gap;
    }
    return sum == 0 ? 0 : sum - (branch.cards().isEmpty() || branch.depth() > 0 ? gap : 0);
  }

  /** The number of links from GPUs to the CPU that pass beside a switch attached to the CPU. */
  private int sideLanes(Branch branch) {
    return branch.depth() == 1 && branch.type() == NodeType.PCI
        ? branch.gpus().stream().mapToInt(gpu -> toCpu.getOrDefault(gpu, List.of()).size()).sum()
        : 0;
  }

  private double bodyWidth(Branch branch) {
    if (branch.type() == NodeType.GPU) {
      return gpuWidth;
    }
    double below = branch.cards().isEmpty() ? 0 : cards.uplink() + cards.width(branch.cards());
    return Math.max(Math.max(childrenWidth(branch), below), barTextWidth(branch.node()));
  }

  private void placeCpu(Branch cpu, double x, double width) {
    Area bar = new Area(x, rowTop[0], width, CPU_HEIGHT);
    areas.put(cpu.node(), bar);
    double used = childrenWidth(cpu) + cards.width(cpu.cards());
    double left = placeChildren(cpu, x + (width - used) / 2);
    routed.addAll(cards.above(cpu, bar, left, areas));
    double margin = 10;
    panels.put(
        cpu.node(), new Area(x - margin, -margin, width + 2 * margin, bar.bottom() + 2 * margin));
  }

  /** Places the children and returns the left edge for the next block. */
  private double placeChildren(Branch parent, double left) {
    double x = left;
    for (Branch child : parent.branches()) {
      double body = x + sideLanes(child) * SIDE_LANE;
      if (child.type() == NodeType.GPU) {
        placeGpu(child, parent, body);
      } else {
        placeSwitch(child, parent, body);
        if (sideLanes(child) > 0) {
          placeSideLanes(child, parent.node(), x);
        }
      }
      x = body + bodyWidth(child) + gap;
    }
    return x;
  }

  private void placeGpu(Branch gpu, Branch parent, double x) {
    Area area = new Area(x, 0, gpuWidth, GPU_HEIGHT);
    areas.put(gpu.node(), area);
    List<Edge> direct = parent.depth() == 0 ? toCpu.getOrDefault(gpu.node(), List.of()) : List.of();
    double step = gpuWidth / (direct.size() + 2);
    double pciX = direct.isEmpty() ? area.centerX() : x + step;
    vertical(gpu.node(), parent, pciX, pciEdge(gpu, parent));
    for (int i = 0; i < direct.size(); i++) {
      vertical(gpu.node(), parent, x + (i + 2) * step, direct.get(i));
    }
  }

  private void vertical(int child, Branch parent, double x, Edge edge) {
    double bottom = areaOf(child).bottom();
    Point from = new Point(x, bottom);
    routed.add(
        new RoutedEdge(edge, child, List.of(from, new Point(x, rowTop[parent.depth()])), true));
  }

  private Area areaOf(int node) {
    Area area = areas.get(node);
    if (area == null) {
      throw new IllegalStateException("node " + node + " has no place yet");
    }
    return area;
  }

  private Edge pciEdge(Branch child, Branch parent) {
    return Edge.between(edges, LinkType.PCI, child.node(), parent.node());
  }

  private void placeSwitch(Branch branch, Branch parent, double x) {
    double width = bodyWidth(branch);
    Area bar = new Area(x, rowTop[branch.depth()], width, BAR_HEIGHT);
    areas.put(branch.node(), bar);
    placeChildren(branch, x + (width - childrenWidth(branch)) / 2);
    boolean hasCards = !branch.cards().isEmpty();
    double uplink = hasCards ? x + cards.uplink() / 2 : bar.centerX();
    vertical(branch.node(), parent, uplink, pciEdge(branch, parent));
    if (hasCards) {
      routed.addAll(cards.below(branch, bar, x + cards.uplink(), areas));
    }
  }

  /** Places the links from GPUs to the CPU left of the block, so that they bypass its switches. */
  private void placeSideLanes(Branch block, int cpu, double x) {
    int lane = 0;
    for (int gpu : block.gpus()) {
      for (Edge edge : toCpu.getOrDefault(gpu, List.of())) {
        double laneX = x + (lane + 0.5) * SIDE_LANE;
        Area box = areaOf(gpu);
        Point end = new Point(laneX, areaOf(cpu).y());
        if (sideLanes(block) == 1 && block.gpus().get(0) == gpu) {
          areas.put(gpu, new Area(x, 0, box.right() - x, GPU_HEIGHT));
          routed.add(new RoutedEdge(edge, gpu, List.of(new Point(laneX, GPU_HEIGHT), end), true));
        } else {
          double port = box.x() + TRACK * (lane % 2 + 1);
          double y = GPU_HEIGHT + TRACK * (lane + 1);
          routed.add(
              new RoutedEdge(
                  edge,
                  gpu,
                  List.of(
                      new Point(port, GPU_HEIGHT), new Point(port, y), new Point(laneX, y), end),
                  true));
        }
        lane++;
      }
    }
  }
}
