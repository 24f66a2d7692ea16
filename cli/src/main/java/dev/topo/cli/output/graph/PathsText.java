package dev.topo.cli.output.graph;

import dev.topo.cli.output.TextTable;
import dev.topo.model.MachineFormat;
import dev.topo.model.PathType;
import dev.topo.model.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.Node;
import dev.topo.model.node.NodeType;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The paths of a machine as a table for people and as one for programs. */
public final class PathsText {
  /** The nodes that NCCL computes paths for, in the order of its log. */
  static final List<NodeType> ENDS =
      List.of(NodeType.GPU, NodeType.NVS, NodeType.NET, NodeType.CPU);

  private PathsText() {}

  /** Every pair: {@code from to type bw hops}, with tabs between and a line of names first. */
  public static String tsv(List<Domain> domains) {
    StringBuilder out = new StringBuilder("from\tto\ttype\tbw\thops\n");
    for (Domain domain : domains) {
      Topology topology = domain.topology();
      int[] ends = ends(topology);
      for (int from : ends) {
        for (int to : ends) {
          out.append(topology.node(from).label()).append('\t');
          out.append(topology.node(to).label()).append('\t');
          out.append(domain.paths().type(from, to)).append('\t');
          out.append(PrintfNumber.general(domain.paths().bwGBps(from, to))).append('\t');
          out.append(domain.paths().hops(from, to)).append('\n');
        }
      }
    }
    return out.toString();
  }

  static int[] ends(Topology topology) {
    return ENDS.stream().flatMapToInt(type -> Arrays.stream(topology.indexes(type))).toArray();
  }

  /** A matrix from every GPU to every GPU and port: path type and GB/s. */
  public static String matrix(String name, List<Domain> domains) {
    StringBuilder out = new StringBuilder();
    for (Domain domain : domains) {
      out.append(name).append(": ").append(MachineFormat.summary(domain.topology())).append("\n\n");
      table(out, domain);
      legend(out, domain);
    }
    return out.toString();
  }

  private static void table(StringBuilder out, Domain domain) {
    Topology topology = domain.topology();
    List<Integer> columns = new ArrayList<>();
    for (int node : ends(topology)) {
      if (topology.node(node).type() == NodeType.GPU
          || topology.node(node).type() == NodeType.NET) {
        columns.add(node);
      }
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(new ArrayList<>(List.of("from \\ to")));
    columns.forEach(column -> rows.get(0).add(shortName(topology.node(column))));
    for (int from : columns) {
      List<String> row = new ArrayList<>(List.of(shortName(topology.node(from))));
      for (int to : columns) {
        row.add(from == to ? "-" : cell(domain.paths(), from, to));
      }
      rows.add(row);
    }
    TextTable.append(out, rows);
  }

  private static String cell(Paths paths, int from, int to) {
    PathType type = paths.type(from, to);
    return type == PathType.DIS ? "DIS" : type + " " + PrintfNumber.general(paths.bwGBps(from, to));
  }

  private static String shortName(Node node) {
    if (node instanceof GpuNode gpu) {
      return "GPU " + gpu.dev();
    }
    if (node instanceof NetNode net) {
      return "NET " + (net.name().isEmpty() ? net.dev() : net.name());
    }
    return node.label();
  }

  /** What the path types in the table mean. */
  private static void legend(StringBuilder out, Domain domain) {
    out.append('\n');
    int[] ends = ends(domain.topology());
    for (PathType type : PathType.values()) {
      boolean used =
          Arrays.stream(ends)
              .anyMatch(
                  from ->
                      Arrays.stream(ends)
                          .anyMatch(to -> from != to && domain.paths().type(from, to) == type));
      if (used) {
        out.append(type)
            .append(" (")
            .append(type.rank())
            .append(") ")
            .append(type.meaning())
            .append('\n');
      }
    }
    out.append("numbers: GB/s of the narrowest link\n");
  }
}
