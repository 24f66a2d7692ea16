package dev.topo.visualizer.structure;

import dev.topo.model.DeviceName;
import dev.topo.model.Link.PathType;
import dev.topo.model.MachineFormat;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The paths of a machine as a table for people and as one for programs. */
public final class PathsText {
  /** The nodes that NCCL computes paths for, in the order of its log. */
  static final List<NodeType> ENDS =
      List.of(NodeType.GPU, NodeType.NVS, NodeType.NET, NodeType.CPU);

  private PathsText() {}

  /** Every pair: {@code from to type bw hops}, with tabs between and a line of names first. */
  public static String tsv(List<Domain> domains) {
    TextWriter out = new TextWriter().line("from\tto\ttype\tbw\thops");
    for (Domain domain : domains) {
      Topology topology = domain.topology();
      int[] ends = ends(topology);
      for (int from : ends) {
        for (int to : ends) {
          out.line(
              "%s\t%s\t%s\t%s\t%d",
              domain.profile().topology().label(topology.node(from)),
              domain.profile().topology().label(topology.node(to)),
              domain.profile().paths().name(domain.paths().type(from, to)),
              PrintfNumber.general(domain.paths().bwGBps(from, to)),
              domain.paths().hops(from, to));
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
    TextWriter out = new TextWriter();
    for (Domain domain : domains) {
      out.line("%s: %s\n", name, MachineFormat.summary(domain.topology())).table(table(domain));
      legend(out, domain);
    }
    return out.toString();
  }

  private static TextTable table(Domain domain) {
    Topology topology = domain.topology();
    List<Integer> columns = new ArrayList<>();
    for (int node : ends(topology)) {
      NodeType type = topology.node(node).type();
      if (type == NodeType.GPU || type == NodeType.NET) {
        columns.add(node);
      }
    }
    TextTable table = TextTable.atMargin();
    List<String> row = new ArrayList<>(List.of("from \\ to"));
    columns.forEach(column -> row.add(shortName(topology, column)));
    table.row(row.toArray());
    for (int from : columns) {
      row.clear();
      row.add(shortName(topology, from));
      columns.forEach(to -> row.add(from == to ? "-" : cell(domain.paths(), from, to)));
      table.row(row.toArray());
    }
    return table;
  }

  private static String cell(Paths paths, int from, int to) {
    PathType type = paths.type(from, to);
    return type == PathType.DIS ? "DIS" : type + " " + PrintfNumber.general(paths.bwGBps(from, to));
  }

  private static String shortName(Topology topology, int node) {
    boolean isNamedPort = topology.node(node) instanceof NetNode net && !net.name().isEmpty();
    return (isNamedPort ? "NET " : "") + new DeviceName(topology).of(topology.node(node));
  }

  /** Meanings of the path types in the table. */
  private static void legend(TextWriter out, Domain domain) {
    out.line("");
    int[] ends = ends(domain.topology());
    Set<PathType> used = EnumSet.noneOf(PathType.class);
    for (int from : ends) {
      for (int to : ends) {
        if (from != to) {
          used.add(domain.paths().type(from, to));
        }
      }
    }
    used.forEach(
        type ->
            out.line("%s (%d) %s", type, domain.profile().paths().number(type), type.meaning()));
    out.line("numbers: GB/s of the narrowest link");
  }
}
