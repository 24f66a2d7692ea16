package dev.topo.visualizer.report;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The section with the graphs that the search found, one row each. */
final class GraphsSection {
  private GraphsSection() {}

  static Element of(List<ReportPart> parts) {
    boolean hasSeveralParts = parts.size() > 1;
    DataTable table = new DataTable("Graphs that NCCL finds, in NCCL's terms");
    if (hasSeveralParts) {
      table.texts("nodes");
    }
    table
        .texts("graph", "pattern")
        .numbers("nChannels")
        .hinted("bwIntra", "GB/s")
        .hinted("bwInter", "GB/s")
        .hinted("sum", "nChannels x bwIntra in GB/s")
        .texts("typeIntra", "typeInter")
        .numbers("crossNic")
        .texts("fullest link");
    for (ReportPart part : parts) {
      for (ChannelGraph graph : part.found()) {
        row(table, part, graph, hasSeveralParts);
      }
    }
    Element section = Element.section("graphs", "Graphs", table.element());
    for (ReportPart part : parts) {
      String none =
          part.graphs().all().stream()
              .filter(graph -> graph.nChannels() == 0)
              .map(ChannelGraph::kind)
              .map(GraphKind::label)
              .collect(Collectors.joining(", "));
      if (!none.isEmpty()) {
        String where = hasSeveralParts ? part.title(parts.size()) + ": none" : "None";
        section = section.add(Element.paragraph(where + " for " + none + "."));
      }
    }
    return section;
  }

  private static void row(
      DataTable table, ReportPart part, ChannelGraph graph, boolean hasSeveralParts) {
    boolean crossesNetwork = part.domain().crossesNetwork();
    Element none = DataTable.none();
    Object[] cells = {
      part.nodeRange(),
      graph.kind().label(),
      graph.pattern().toString(),
      graph.nChannels(),
      gbps(graph.bwIntra()),
      crossesNetwork ? gbps(graph.bwInter()) : none,
      gbps((double) graph.nChannels() * graph.bwIntra()),
      type(graph.typeIntra()),
      crossesNetwork ? type(graph.typeInter()) : none,
      crossesNetwork ? graph.crossNic() : none,
      DeviceFormat.fullest(part.domain(), graph)
    };
    table.row(hasSeveralParts ? cells : Arrays.copyOfRange(cells, 1, cells.length));
  }

  private static Element gbps(double bwGBps) {
    return DataTable.number(DeviceFormat.gbps(bwGBps), bwGBps);
  }

  private static Element type(PathType type) {
    return DataTable.number(type.toString(), type.rank());
  }
}
