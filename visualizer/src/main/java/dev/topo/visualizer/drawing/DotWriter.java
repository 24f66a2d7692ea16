package dev.topo.visualizer.drawing;

import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.io.PlainText;
import dev.topo.visualizer.drawing.JobFlow.Hop;
import dev.topo.visualizer.drawing.MachineDiagram.Line;
import java.util.List;
import java.util.Locale;

/** Writes machines and jobs in the language of Graphviz: {@code dot -Tsvg}. */
public final class DotWriter {
  private static final String HEAD =
      """
        node [shape=box, style="rounded,filled", fillcolor=white, fontname="Helvetica", fontsize=10];
        edge [fontname="Helvetica", fontsize=9];
      """;

  private DotWriter() {}

  /** A machine, with the route of a channel where the diagram has one. */
  public static String machine(MachineDiagram diagram) {
    StringBuilder out = new StringBuilder("graph topology {\n");
    out.append("  label=").append(quoted(diagram.title())).append(";\n").append(HEAD);
    Topology topology = diagram.topology();
    for (HostGroup host : diagram.hosts()) {
      if (diagram.isDomain()) {
        out.append("  subgraph cluster_host").append(host.drawn()).append(" {\n    label=");
        out.append(quoted(host.title())).append(";\n");
      }
      for (int cpu : diagram.cpusOf(host)) {
        out.append("  subgraph cluster_").append(cpu).append(" {\n");
        for (int node : diagram.membersOf(cpu)) {
          out.append("    ").append(node(diagram, node));
        }
        out.append(diagram.isDomain() ? "    label=\"\";\n  }\n" : "  }\n");
      }
      out.append(diagram.isDomain() ? "  }\n" : "");
    }
    for (int nvs : topology.indexes(NodeType.NVS)) {
      out.append("  ").append(node(diagram, nvs));
    }
    for (Line line : diagram.lines()) {
      out.append(edge(line));
    }
    return out.append("}\n").toString();
  }

  private static String node(MachineDiagram diagram, int node) {
    String label = quoted(String.join("\n", diagram.text(node)));
    int fill = diagram.boxKind(node).fill();
    return String.format(Locale.ROOT, "n%d [label=%s, fillcolor=\"#%06x\"];\n", node, label, fill);
  }

  private static String edge(Line line) {
    WireKind kind = WireKind.of(line.edge().type());
    StringBuilder style = new StringBuilder();
    style.append(
        String.format(
            Locale.ROOT,
            "label=%s, color=\"#%06x\", penwidth=%.1f",
            quoted(line.label()),
            kind.color(),
            line.width()));
    switch (line.flow()) {
      case NONE -> {}
      case FORWARD -> style.append(", dir=forward");
      case BACKWARD -> style.append(", dir=back");
      case BOTH -> style.append(", dir=both");
    }
    if (line.stress() == Wire.Stress.FULL) {
      style.append(", fontcolor=\"#d55e00\", fontname=\"Helvetica-Bold\"");
    } else if (line.stress() == Wire.Stress.FAINT) {
      style.append(", style=dotted");
    }
    return "  n" + line.edge().a() + " -- n" + line.edge().b() + " [" + style + "];\n";
  }

  /** The channels between nodes: rings in their direction, trees from parent to child. */
  public static String job(String name, List<JobFlow> flows) {
    StringBuilder out = new StringBuilder("digraph job {\n");
    out.append("  label=").append(quoted(name)).append(";\n").append(HEAD);
    for (int i = 0; i < flows.size(); i++) {
      JobFlow flow = flows.get(i);
      boolean tree = flow.shape().isTree();
      String title = quoted(flow.title(false, true));
      out.append("  subgraph cluster_%s {\n    label=%s;\n".formatted(i, title));
      for (int node = 0; node < flow.nNodes(); node++) {
        out.append("    f%sn%s [label=\"node %s\"];\n".formatted(i, node, node));
      }
      for (Hop each : flow.hops()) {
        Hop hop = each.drawn(flow.shape());
        out.append("    f%sn%s -> f%sn%s".formatted(i, hop.from().node(), i, hop.to().node()));
        out.append(" [taillabel=").append(quoted(hop.from().port()));
        out.append(", headlabel=").append(quoted(hop.to().port()));
        out.append(tree ? ", dir=none];\n" : "];\n");
      }
      out.append("  }\n");
    }
    return out.append("}\n").toString();
  }

  private static String quoted(String text) {
    return '"'
        + PlainText.lines(text).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
        + '"';
  }
}
