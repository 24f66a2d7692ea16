package dev.topo.visualizer.structure;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.MachineFormat;
import dev.topo.model.Node;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.drawing.NodeLabels;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a machine as a tree: CPUs at the margin, the devices below them indented, and all other
 * links with the name of the device they lead to.
 */
public final class MachineText {
  private static final int NO_PARENT = -1;

  private final Topology topology;
  private final TextWriter out = new TextWriter();

  private MachineText(Topology topology) {
    this.topology = topology;
  }

  /** Returns the sentence that sums up a machine. */
  public static String sentence(String name, Topology topology) {
    return "%s: %s.".formatted(name, MachineFormat.summary(topology));
  }

  /** Returns the tree of a machine. */
  public static String of(Topology topology) {
    MachineText text = new MachineText(topology);
    for (int cpu : topology.indexes(NodeType.CPU)) {
      text.out.line("\n%s", describe(topology.node(cpu)));
      text.children(cpu, NO_PARENT, "");
    }
    return text.out.toString().stripLeading();
  }

  private void children(int node, int parent, String indent) {
    List<Link> links = new ArrayList<>();
    for (Link link : topology.links(node)) {
      boolean up =
          link.to() == parent && (link.type() == LinkType.PCI || link.type() == LinkType.NET);
      if (!up) {
        links.add(link);
      }
    }
    for (int i = 0; i < links.size(); i++) {
      boolean last = i == links.size() - 1;
      Link link = links.get(i);
      boolean below = isBelow(link);
      Node to = topology.node(link.to());
      out.line(
          "%s%s%s %s %s %s",
          indent,
          last ? "└─ " : "├─ ",
          link.type(),
          PrintfNumber.general(link.bwGBps()),
          below ? "──" : "─>",
          below ? describe(to) : to.label());
      if (below) {
        children(link.to(), node, indent + (last ? "   " : "│  "));
      }
    }
  }

  /** True if a link leads down the tree rather than across it. */
  private boolean isBelow(Link link) {
    NodeType from = topology.node(link.from()).type();
    boolean downPci = link.type() == LinkType.PCI && (from == NodeType.CPU || from == NodeType.PCI);
    return downPci || (link.type() == LinkType.NET && from == NodeType.NIC);
  }

  private static String describe(Node node) {
    String facts = NodeLabels.facts(node);
    String name = node instanceof NetNode net && !net.name().isEmpty() ? net.name() + ", " : "";
    return node.label() + (facts.isEmpty() ? "" : "  " + name + facts);
  }
}
