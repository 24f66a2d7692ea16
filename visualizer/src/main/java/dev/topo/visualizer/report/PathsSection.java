package dev.topo.visualizer.report;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.io.TextWriter;
import dev.topo.search.path.Paths;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import dev.topo.visualizer.view.Markup;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The section with the paths from every GPU: a heat map to GPUs and ports, in which the colour is
 * the type and the bar below it the bandwidth on a logarithmic scale, and a table with all
 * destinations.
 */
final class PathsSection {
  /** Maximum number of table rows; longer tables are omitted. */
  private static final int MAX_ROWS = 2_000;

  /**
   * Maximum number of matrix cells; larger matrices are unreadable. The largest single-host machine
   * has 16 GPUs and 32 ports.
   */
  private static final int MAX_CELLS = 4_000;

  /** Matrices with more columns are printed in landscape format. */
  private static final int MAX_PORTRAIT_COLUMNS = 20;

  /** Length of the bar of the lowest bandwidth, in percent of the longest. */
  private static final double MIN_BAR_PERCENT = 8;

  private final ReportPart part;
  private final Topology topology;
  private final Paths paths;
  private final DeviceFormat format;
  private final PathHosts hosts;
  private final int[] gpus;

  private PathsSection(ReportPart part) {
    this.part = part;
    this.topology = part.domain().topology();
    this.paths = part.domain().paths();
    this.format = new DeviceFormat(topology);
    this.hosts = PathHosts.of(part.domain());
    this.gpus = Arrays.stream(topology.indexes(NodeType.GPU)).filter(hosts::hasRowOf).toArray();
  }

  static Element of(List<ReportPart> parts) {
    Element section = Element.section("paths", "Paths");
    for (ReportPart part : parts) {
      PathsSection paths = new PathsSection(part);
      if (parts.size() > 1) {
        section = section.add(Element.of("h3", part.title(parts.size())));
      }
      section = section.add(paths.matrix()).add(paths.legend()).add(paths.table());
    }
    return section;
  }

  private int[] nodes(NodeType... types) {
    return Arrays.stream(types)
        .flatMapToInt(type -> Arrays.stream(topology.indexes(type)))
        .filter(hosts::hasColumnOf)
        .toArray();
  }

  private Element matrix() {
    int[] columns = nodes(NodeType.GPU, NodeType.NET);
    if (gpus.length * columns.length > MAX_CELLS) {
      String note = " paths are too many for a matrix: " + Hint.ALL_PATHS + ".";
      return Element.paragraph(gpus.length * columns.length + note).as("note");
    }
    double max = 1;
    double min = Double.MAX_VALUE;
    for (int from : gpus) {
      for (int to : columns) {
        if (from != to && paths.type(from, to) != PathType.DIS) {
          max = Math.max(max, paths.bwGBps(from, to));
          min = Math.min(min, paths.bwGBps(from, to));
        }
      }
    }
    HeatTable table =
        new HeatTable(
            "Type and GB/s of paths from each GPU",
            "from \\ to",
            Arrays.stream(columns).mapToObj(format::name).toList());
    for (int from : gpus) {
      List<Element> row = new ArrayList<>();
      for (int to : columns) {
        row.add(from == to ? Element.of("td", "–").as("self") : cell(from, to, min, max));
      }
      table.row(format.name(from), row);
    }
    Element box = table.element();
    return columns.length > MAX_PORTRAIT_COLUMNS ? box.as("scroll matrix wide") : box;
  }

  private Element cell(int from, int to, double min, double max) {
    PathType type = paths.type(from, to);
    Element cell = Element.of("td", Element.of("b", type.toString()));
    if (type == PathType.DIS) {
      return cell.as("p-DIS");
    }
    double bw = paths.bwGBps(from, to);
    double share = max == min ? 1 : Math.log(bw / min) / Math.log(max / min);
    return cell.add(Element.of("span", DeviceFormat.gbps(bw)))
        .as("p-" + type)
        .with(
            "style",
            TextWriter.format("--bw:%.0f%%", MIN_BAR_PERCENT + (100 - MIN_BAR_PERCENT) * share));
  }

  private Element legend() {
    Set<PathType> used = EnumSet.noneOf(PathType.class);
    for (int from : gpus) {
      for (int to : nodes(NodeType.GPU, NodeType.NET)) {
        if (from != to) {
          used.add(paths.type(from, to));
        }
      }
    }
    List<Element> items =
        used.stream()
            .map(
                type ->
                    Element.of(
                        "li",
                        Element.of("b", type.toString()).as("p-" + type),
                        Markup.text(" " + type.meaning())))
            .toList();

    List<Element> notes = new ArrayList<>();
    notes.add(Element.of("ul", items).as("legend"));
    hosts.note().ifPresent(note -> notes.add(Element.paragraph(note).as("note")));
    notes.add(
        Element.paragraph(
                "Nearest first. Numbers are GB/s of the narrowest link on the path; the longer the bar, the higher"
                    + " (logarithmic).")
            .as("note"));
    return Element.of("div", notes);
  }

  private Element table() {
    int[] ends = nodes(NodeType.GPU, NodeType.NET, NodeType.NVS, NodeType.CPU);
    int rows = gpus.length * ends.length;
    if (rows > MAX_ROWS) {
      String note = " paths are too many for a table: " + Hint.ALL_PATHS + ".";
      return Element.paragraph(rows + note).as("note");
    }
    DataTable table =
        new DataTable("Every path from a GPU of " + part.name())
            .texts("from", "to", "type")
            .numbers("GB/s", "hops");
    for (int from : gpus) {
      for (int to : ends) {
        if (from != to) {
          PathType type = paths.type(from, to);
          double bw = type == PathType.DIS ? 0 : paths.bwGBps(from, to);
          table.row(
              DataTable.number(format.name(from), from),
              DataTable.number(format.name(to), to),
              DataTable.number(type.toString(), type.rank()),
              DataTable.number(DeviceFormat.gbps(bw), bw),
              paths.hops(from, to));
        }
      }
    }
    return table.element();
  }
}
