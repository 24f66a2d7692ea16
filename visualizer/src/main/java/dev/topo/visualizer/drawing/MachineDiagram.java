package dev.topo.visualizer.drawing;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A machine as boxes and lines without places, for languages whose tools do the layout. Ports are
 * part of their card.
 */
public final class MachineDiagram {
  private final String title;
  private final Topology topology;
  private final List<Edge> edges;
  private final NodeText text;
  private final Optional<RouteMarks> marks;
  private final CardStack cards;
  private final HostFold fold;

  /**
   * A machine.
   *
   * @param name name of the machine
   * @param fold which hosts are drawn
   * @param route the channel to show on it, if any
   */
  public MachineDiagram(
      String name, Topology topology, HostFold fold, Optional<ChannelRoute> route) {
    this.topology = topology;
    this.fold = fold;
    this.edges =
        Edge.of(topology).stream()
            .filter(edge -> fold.isDrawn(edge.a()) && fold.isDrawn(edge.b()))
            .toList();
    this.text = new NodeText(topology);
    this.marks = route.map(found -> new RouteMarks(topology, found));
    this.cards = new CardStack(topology, edges, text);
    this.title =
        name + marks.map(found -> "\n" + found.title() + "\n" + found.text(text)).orElse("");
  }

  /**
   * A line between two boxes.
   *
   * @param edge the edge that it shows
   * @param label its bandwidth, with the used part if it is full
   * @param width in pixels
   * @param stress how prominent it is
   * @param flow directions of data, from the first node of the edge to the second
   */
  public record Line(Edge edge, String label, double width, Wire.Stress stress, Wire.Flow flow) {}

  /** The title; several lines if a route is shown. */
  public String title() {
    return title;
  }

  /** The machine. */
  public Topology topology() {
    return topology;
  }

  /** The text of a box. */
  public List<String> text(int node) {
    List<TextLine> lines = new ArrayList<>(cards.boxLines(node));
    if (topology.node(node).type() == NodeType.GPU) {
      marks.ifPresent(found -> lines.add(found.place(node)));
    }
    return lines.stream().map(TextLine::text).toList();
  }

  /** The kind of a box. */
  public BoxKind boxKind(int node) {
    return MachineLayout.kind(topology.node(node).type());
  }

  /** The hosts that are drawn, with those that are equal to them. */
  public List<HostGroup> hosts() {
    return fold.groups();
  }

  /** True if it has several hosts, which need names. */
  public boolean isDomain() {
    return fold.isDomain();
  }

  /** The CPUs of a drawn host. */
  public List<Integer> cpusOf(HostGroup host) {
    return Arrays.stream(topology.indexes(NodeType.CPU))
        .filter(cpu -> fold.hostOf(cpu) == host.drawn())
        .boxed()
        .toList();
  }

  /** A CPU and all in its PCI tree but ports. */
  public List<Integer> membersOf(int cpu) {
    List<Integer> members = new ArrayList<>();
    for (Branch tree : Branch.of(topology)) {
      if (tree.node() == cpu) {
        for (Branch branch : tree.all()) {
          members.add(branch.node());
          members.addAll(branch.cards());
        }
      }
    }
    return members;
  }

  /** The lines, in the order of NCCL's links. */
  public List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (Edge edge : edges) {
      if (edge.type() != LinkType.NET) {
        lines.add(
            new Line(
                edge,
                marks.map(found -> found.label(edge)).orElse(edge.text()),
                LineWidth.of(edge.bwGBps()),
                marks.map(found -> found.stress(edge, edge.a())).orElse(Wire.Stress.PLAIN),
                marks.map(found -> found.flow(edge, edge.a())).orElse(Wire.Flow.NONE)));
      }
    }
    return lines;
  }
}
