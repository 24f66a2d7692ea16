package dev.topo.visualizer.structure;

import dev.topo.model.DeviceName;
import dev.topo.model.Link.PathType;
import dev.topo.model.MachineFormat;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import dev.topo.search.path.Paths.NodePath;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The paths of a machine as a table for people, as tab-separated values and as JSON.
 *
 * @param name the name of the machine
 * @param domains the domains of its GPUs; several if only the network joins them
 */
public record MachinePaths(String name, List<Domain> domains) {
  /** The nodes that NCCL computes paths for, in the order of its log. */
  private static final List<NodeType> ENDS =
      List.of(NodeType.GPU, NodeType.NVS, NodeType.NET, NodeType.CPU);

  /** Copies the list. */
  public MachinePaths {
    domains = List.copyOf(domains);
  }

  /** All pairs as tab-separated values with a header: {@code from to type bw hops}. */
  public Answer tsv() {
    TextWriter out = new TextWriter().line("from\tto\ttype\tbw\thops");
    for (Domain domain : domains) {
      Topology topology = domain.topology();
      pairs(domain)
          .forEach(
              path ->
                  out.line(
                      "%s\t%s\t%s\t%s\t%d",
                      domain.profile().topology().label(topology.node(path.from())),
                      domain.profile().topology().label(topology.node(path.to())),
                      domain.profile().paths().name(path.type()),
                      PrintfNumber.general(path.bwGBps()),
                      path.hops()));
    }
    return Answer.of(out);
  }

  /** The paths as JSON: {@code paths[]} with {@code from, to, type, bandwidthGBps, hops, via[]}. */
  public Answer json() {
    int ranks = domains.stream().mapToInt(domain -> domain.topology().gpus().size()).sum();
    return Json.document(
        "paths",
        Fields.of(MachinePaths.class)
            .field("job", all -> new JobSummary(name, 1, ranks))
            .field(
                "paths",
                all ->
                    domains.stream()
                        .flatMap(domain -> pairs(domain).map(path(domain.topology())::json))
                        .toList()),
        this);
  }

  private static Fields<NodePath> path(Topology topology) {
    return Fields.of(NodePath.class)
        .field("from", path -> topology.node(path.from()).label())
        .field("to", path -> topology.node(path.to()).label())
        .components("type")
        .field("bandwidthGBps", NodePath::bwGBps)
        .components("hops")
        .field(
            "via",
            path ->
                path.links().stream()
                    .map(link -> link.type() + " " + topology.node(link.to()).label())
                    .toList());
  }

  /** The paths between all pairs of end points, in both directions. */
  private static Stream<NodePath> pairs(Domain domain) {
    return ends(domain.topology())
        .flatMap(from -> ends(domain.topology()).map(to -> domain.paths().path(from, to)));
  }

  private static Stream<Integer> ends(Topology topology) {
    return ENDS.stream().flatMap(type -> indexes(topology, type));
  }

  private static Stream<Integer> indexes(Topology topology, NodeType type) {
    return Arrays.stream(topology.indexes(type)).boxed();
  }

  /**
   * Summarises in one sentence the path types between GPUs and from GPUs to their nearest ports.
   */
  public String sentence() {
    Set<PathType> betweenGpus = EnumSet.noneOf(PathType.class);
    Set<PathType> toPorts = EnumSet.noneOf(PathType.class);
    for (Domain domain : domains) {
      for (int gpu : domain.topology().indexes(NodeType.GPU)) {
        types(domain, gpu, NodeType.GPU).forEach(betweenGpus::add);
        types(domain, gpu, NodeType.NET).reduce(PathType::nearer).ifPresent(toPorts::add);
      }
    }
    return "The paths of %s: %s between GPUs, %s to the nearest ports."
        .formatted(name, named(betweenGpus), named(toPorts));
  }

  private static Stream<PathType> types(Domain domain, int from, NodeType to) {
    return indexes(domain.topology(), to)
        .filter(node -> node != from)
        .map(node -> domain.paths().type(from, node));
  }

  private static String named(Set<PathType> types) {
    return types.isEmpty() ? "none" : QuantityFormat.joined(" and ", types, PathType::name);
  }

  /** A matrix of path types and GB/s between all GPUs and ports. */
  public Answer text() {
    TextWriter out = new TextWriter();
    for (Domain domain : domains) {
      out.line("%s: %s\n", name, MachineFormat.summary(domain.topology())).table(table(domain));
      legend(out, domain);
    }
    return Answer.of(out);
  }

  private static TextTable table(Domain domain) {
    Topology topology = domain.topology();
    List<Integer> columns =
        Stream.of(NodeType.GPU, NodeType.NET).flatMap(type -> indexes(topology, type)).toList();
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
    return (isNamedPort ? "NET " : "") + new DeviceName(topology).of(node);
  }

  /** Writes what the path types in the table mean. */
  private static void legend(TextWriter out, Domain domain) {
    out.line("");
    Set<PathType> used = EnumSet.noneOf(PathType.class);
    ends(domain.topology())
        .forEach(from -> ENDS.forEach(to -> types(domain, from, to).forEach(used::add)));
    used.forEach(
        type ->
            out.line("%s (%d) %s", type, domain.profile().paths().number(type), type.meaning()));
    out.line("numbers: GB/s of the narrowest link");
  }
}
