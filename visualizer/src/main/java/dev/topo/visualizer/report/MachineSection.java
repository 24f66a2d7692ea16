package dev.topo.visualizer.report;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.TextWriter;
import dev.topo.visualizer.drawing.ChannelRoute;
import dev.topo.visualizer.drawing.MachineSteps;
import dev.topo.visualizer.drawing.RouteFinder;
import dev.topo.visualizer.drawing.SteppedDrawing;
import dev.topo.visualizer.drawing.SteppedDrawing.Step;
import dev.topo.visualizer.drawing.SvgWriter;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.Markup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The section with a machine and its channels: the drawing, and a table of channels whose rows
 * carry the data that the script shows on the drawing. Channels with the same route share a row.
 */
final class MachineSection {
  private final ReportPart part;
  private final String id;
  private final List<Row> rows = new ArrayList<>();

  /** Channels with the same route. */
  private record Row(ChannelGraph graph, List<Integer> channels) {}

  private MachineSection(ReportPart part, String id) {
    this.part = part;
    this.id = id;
    for (ChannelGraph graph : part.found()) {
      Alike.by(graph.nChannels(), graph.channels()::get)
          .values()
          .forEach(channels -> rows.add(new Row(graph, channels)));
    }
  }

  static Element of(ReportSubject subject, List<ReportPart> parts) {
    Element section = Element.section("machine", "Machine and channels");
    for (int i = 0; i < parts.size(); i++) {
      if (parts.size() > 1) {
        section = section.add(Element.of("h3", parts.get(i).title(parts.size())));
      }
      section =
          section.add(new MachineSection(parts.get(i), subject.id("m" + i)).element(parts.size()));
    }
    return section;
  }

  private Element element(int count) {
    RouteFinder finder = new RouteFinder(part.domain());
    List<ChannelRoute> routes =
        rows.stream().map(row -> finder.find(row.graph(), row.channels().get(0))).toList();
    SteppedDrawing drawing = MachineSteps.draw(part.title(count), part.domain().topology(), routes);
    String label = "Drawing of " + part.title(count);
    Element figure = DataTable.figure(picture(drawing, id), label, caption());
    return Element.of("div", controls(), figure, table(drawing.steps())).as("stepper");
  }

  /** A drawing, displayed at most slightly larger than its natural size. */
  static Element picture(SteppedDrawing drawing, String id) {
    return Element.of("div", Markup.written(SvgWriter.inline(drawing, id)))
        .as("drawing")
        .with("style", TextWriter.format("--natural:%.0fpx", drawing.drawing().width()));
  }

  private static Element caption() {
    String plain = "The machine without a channel.";
    return Element.of(
        "figcaption",
        Element.paragraph(plain).as("status").with("aria-live", "polite").with("data-plain", plain),
        Element.of(
                "p",
                Markup.text("Arrows are the route of the channel; a link on "),
                Element.of("mark", "yellow"),
                Markup.text(
                    " is full: the channels of the graph leave no room on it for one more."))
            .as("note when-stepping"));
  }

  /** The controls, which are hidden until the script activates them. */
  private Element controls() {
    List<Element> graphs = new ArrayList<>();
    for (ChannelGraph graph : part.found()) {
      String label = graph.kind().label();
      graphs.add(button(label, "data-graph", label).with("aria-pressed", "false"));
    }
    return Element.of(
            "div",
            Element.of("span", graphs).as("group"),
            Element.of(
                    "span",
                    button("← Previous", "data-step", "-1"),
                    button("Next →", "data-step", "1"),
                    button("Machine only", "data-step", "0"))
                .as("group"))
        .as("controls")
        .with("role", "group")
        .with("aria-label", "Channel on the drawing, also by the arrow keys")
        .with("hidden");
  }

  private static Element button(String text, String attribute, String value) {
    return Element.of("button", text).with("type", "button").with(attribute, value);
  }

  private Element table(List<Step> steps) {
    DataTable table =
        new DataTable("Channels on a node, equal ones in a row")
            .texts("graph")
            .numbers("channel")
            .texts("route");
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      Step step = steps.get(i);
      table.rowWith(
          data(row, step),
          row.graph().kind().label(),
          DataTable.number(QuantityFormat.ranges(row.channels()), row.channels().get(0)),
          step.route());
    }
    return table.element();
  }

  /** The data attributes of a row, which the script reads. */
  private static Map<String, String> data(Row row, Step step) {
    Map<String, String> data = new LinkedHashMap<>();
    data.put("data-graph", row.graph().kind().label());
    data.put("data-title", title(row) + step.route());
    data.put("data-flows", String.join(" ", step.marks()));
    data.put("data-fulls", QuantityFormat.joined(" ", step.full(), String::valueOf));
    data.put(
        "data-places",
        QuantityFormat.joined(
            ";", step.places().entrySet(), place -> place.getKey() + "=" + place.getValue()));
    return data;
  }

  private static String title(Row row) {
    return "%s, %s of %s: %s, %s GB/s a channel. "
        .formatted(
            row.graph().kind().label(),
            QuantityFormat.ranges("channel", row.channels()),
            row.graph().nChannels(),
            row.graph().pattern(),
            DeviceFormat.gbps(row.graph().bwIntra()));
  }
}
