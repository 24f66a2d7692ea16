package dev.topo.visualizer.drawing;

import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.io.PlainText;
import dev.topo.visualizer.drawing.JobFlow.Hop;
import dev.topo.visualizer.drawing.MachineDiagram.Line;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes machines and jobs as Mermaid flowcharts, which Markdown pages draw. */
public final class MermaidWriter {
  private MermaidWriter() {}

  /** A machine, with the route of a channel where the diagram has one. */
  public static String machine(MachineDiagram diagram) {
    StringBuilder out = new StringBuilder("flowchart TB\n");
    Topology topology = diagram.topology();
    for (int nvs : topology.indexes(NodeType.NVS)) {
      out.append("  ").append(node(diagram, nvs));
    }
    for (HostGroup host : diagram.hosts()) {
      if (diagram.isDomain()) {
        out.append("  subgraph h%s[\"%s\"]\n".formatted(host.drawn(), escaped(host.title())));
      }
      for (int cpu : diagram.cpusOf(host)) {
        out.append("  subgraph s").append(cpu).append("[\" \"]\n");
        for (int node : diagram.membersOf(cpu)) {
          out.append("    ").append(node(diagram, node));
        }
        out.append("  end\n");
      }
      out.append(diagram.isDomain() ? "  end\n" : "");
    }
    List<Line> lines = diagram.lines();
    for (Line line : lines) {
      boolean isBack = line.flow() == Wire.Flow.BACKWARD;
      int from = isBack ? line.edge().b() : line.edge().a();
      int to = isBack ? line.edge().a() : line.edge().b();
      String label = escaped(line.label());
      out.append("  n%s %s|\"%s\"| n%s\n".formatted(from, arrow(line), label, to));
    }
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      out.append(
          String.format(
              Locale.ROOT,
              "  linkStyle %d stroke:#%06x,stroke-width:%.1fpx%s\n",
              i,
              WireKind.of(line.edge().type()).color(),
              line.width(),
              line.stress() == Wire.Stress.FAINT ? ",opacity:0.3" : ""));
    }
    return out.toString();
  }

  private static String node(MachineDiagram diagram, int node) {
    return "n"
        + node
        + "[\""
        + diagram.text(node).stream()
            .map(MermaidWriter::escaped)
            .collect(Collectors.joining("<br/>"))
        + "\"]\n";
  }

  private static String arrow(Line line) {
    return switch (line.flow()) {
      case NONE -> "---";
      case FORWARD, BACKWARD -> "-->";
      case BOTH -> "<-->";
    };
  }

  /** The channels between nodes: rings in their direction, trees from parent to child. */
  public static String job(List<JobFlow> flows) {
    StringBuilder out = new StringBuilder("flowchart TB\n");
    for (int i = 0; i < flows.size(); i++) {
      JobFlow flow = flows.get(i);
      boolean tree = flow.shape().isTree();
      out.append("  subgraph f%s[\"%s\"]\n".formatted(i, escaped(flow.title(false, true))));
      for (int node = 0; node < flow.nNodes(); node++) {
        out.append("    f%sn%s[\"node %s\"]\n".formatted(i, node, node));
      }
      for (Hop each : flow.hops()) {
        Hop hop = each.drawn(flow.shape());
        String ports = escaped(hop.from().port() + " - " + hop.to().port());
        out.append(
            "    f%sn%s %s|\"%s\"| f%sn%s\n"
                .formatted(i, hop.from().node(), tree ? "---" : "-->", ports, i, hop.to().node()));
      }
      out.append("  end\n");
    }
    return out.toString();
  }

  /** A text with entities for what Mermaid, HTML or Markdown would take for markup. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (char c : PlainText.oneLine(text).toCharArray()) {
      switch (c) {
        case '"' -> escaped.append("#quot;");
        case '<' -> escaped.append("#lt;");
        case '>' -> escaped.append("#gt;");
        case '&' -> escaped.append("#amp;");
        case '#', '`', '\\' -> escaped.append('#').append((int) c).append(';');
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
