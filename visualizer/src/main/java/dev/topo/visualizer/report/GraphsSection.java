package dev.topo.visualizer.report;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.visualizer.html.DataTable;
import dev.topo.visualizer.html.Element;
import dev.topo.visualizer.report.subject.DeviceFormat;
import dev.topo.visualizer.report.subject.ReportPart;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The graphs that the search found, a row each. */
final class GraphsSection {
  private GraphsSection() {}

  static Element of(List<ReportPart> parts) {
    boolean several = parts.size() > 1;
    DataTable table = new DataTable("Graphs that NCCL finds, in NCCL's terms");
    if (several) {
      table.texts("nodes");
    }
    table.texts("graph").texts("pattern").numbers("nChannels").numbers("bwIntra", "GB/s");
    table.numbers("bwInter", "GB/s").numbers("sum", "nChannels x bwIntra in GB/s");
    table.texts("typeIntra").texts("typeInter").numbers("crossNic");
    table.texts("fullest link");
    for (ReportPart part : parts) {
      for (ChannelGraph graph : part.found()) {
        row(table, part, graph, several);
      }
    }
    Element section = Element.of("section", Element.of("h2", "Graphs")).with("id", "graphs");
    section = section.add(table.element());
    for (ReportPart part : parts) {
      String none =
          part.graphs().all().stream()
              .filter(graph -> graph.nChannels() == 0)
              .map(ChannelGraph::kind)
              .map(GraphKind::label)
              .collect(Collectors.joining(", "));
      if (!none.isEmpty()) {
        section =
            section.add(
                Element.of(
                    "p",
                    (several ? part.title(parts.size()) + ": none" : "None")
                        + " for "
                        + none
                        + "."));
      }
    }
    return section;
  }

  private static void row(DataTable table, ReportPart part, ChannelGraph graph, boolean several) {
    boolean network = part.domain().crossesNetwork();
    DataTable.Cell[] cells = {
      DataTable.text(part.nodeRange()),
      DataTable.text(graph.kind().label()),
      DataTable.text(graph.pattern().toString()),
      DataTable.number(graph.nChannels()),
      DataTable.number(DeviceFormat.gbps(graph.bwIntra()), graph.bwIntra()),
      network
          ? DataTable.number(DeviceFormat.gbps(graph.bwInter()), graph.bwInter())
          : DataTable.number("–", 0),
      DataTable.number(
          DeviceFormat.gbps((double) graph.nChannels() * graph.bwIntra()),
          (double) graph.nChannels() * graph.bwIntra()),
      DataTable.number(graph.typeIntra().toString(), graph.typeIntra().rank()),
      network
          ? DataTable.number(graph.typeInter().toString(), graph.typeInter().rank())
          : DataTable.number("–", 0),
      network ? DataTable.number(graph.crossNic()) : DataTable.number("–", 0),
      DataTable.text(DeviceFormat.fullest(part.domain(), graph))
    };
    table.row(several ? cells : Arrays.copyOfRange(cells, 1, cells.length));
  }
}
