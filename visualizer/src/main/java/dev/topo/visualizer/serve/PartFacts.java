package dev.topo.visualizer.serve;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.engine.GraphLoad;
import dev.topo.search.engine.GraphLoad.LoadedLink;
import dev.topo.search.path.Paths;
import dev.topo.visualizer.drawing.Edge;
import dev.topo.visualizer.drawing.RouteFinder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Facts of the devices and links of a drawn machine: the paths of GPUs and ports, and the load that
 * the channels of a graph put on a link, counted as in the search ({@link GraphLoad}).
 */
final class PartFacts {
  /** Up to this many ends of paths are named; more are counted. */
  private static final int MAX_NAMED = 2;

  private final Topology drawn;
  private final Topology topology;
  private final Paths paths;
  private final Optional<ChannelGraph> graph;
  private final Map<DeviceKey, Integer> indexes = new HashMap<>();
  private final List<LoadedLink> loads;

  /** Identifies a device in all topologies of its machine. */
  private record DeviceKey(NodeType type, NodeId id) {
    static DeviceKey of(Node node) {
      return new DeviceKey(node.type(), node.id());
    }
  }

  /** A kind of path; nearest and fastest first. */
  private record PathQuality(PathType type, float bwGBps) {
    private static final Comparator<PathQuality> ORDER =
        Comparator.comparingInt((PathQuality route) -> route.type.rank())
            .thenComparing(Comparator.comparingDouble(PathQuality::bwGBps).reversed());

    String text() {
      return type == PathType.DIS ? "no path" : type + " " + number(bwGBps) + " GB/s";
    }
  }

  /**
   * Collects the facts of a machine.
   *
   * @param drawn the machine as it is drawn
   * @param found its domain with paths and graphs
   * @param routes finds the load of channels on links
   * @param chosen the graph whose channels are shown, if any
   */
  PartFacts(Topology drawn, DomainGraphs found, RouteFinder routes, Optional<GraphKind> chosen) {
    this.drawn = drawn;
    topology = found.domain().topology();
    paths = found.domain().paths();
    graph = chosen.map(found.graphs()::get).filter(channelGraph -> channelGraph.nChannels() > 0);
    for (int node = 0; node < topology.size(); node++) {
      indexes.putIfAbsent(DeviceKey.of(topology.node(node)), node);
    }
    loads = graph.map(routes::loads).orElse(List.of());
  }

  private OptionalInt index(int node) {
    Integer index = indexes.get(DeviceKey.of(drawn.node(node)));
    return index == null ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /**
   * The paths from a GPU or network card to GPUs and ports, and the channels that pass through a
   * device.
   */
  String ofDevice(int node) {
    OptionalInt index = index(node);
    return index.isEmpty() ? "" : pathTexts(index.getAsInt()) + passing(index.getAsInt());
  }

  private String pathTexts(int node) {
    NodeType type = topology.node(node).type();
    List<String> pathTexts = new ArrayList<>();
    if (type == NodeType.GPU) {
      pathTexts.addAll(pathTexts(node, NodeType.GPU, "GPU"));
      pathTexts.addAll(pathTexts(node, NodeType.NET, "port"));
    } else if (type == NodeType.NIC) {
      port(node).ifPresent(port -> pathTexts.addAll(pathTexts(port, NodeType.GPU, "GPU")));
    }
    return pathTexts.isEmpty() ? "" : ". Paths: " + String.join("; ", pathTexts);
  }

  private OptionalInt port(int card) {
    return topology.links(card).stream()
        .map(Link::to)
        .filter(to -> topology.node(to).type() == NodeType.NET)
        .mapToInt(Integer::intValue)
        .findFirst();
  }

  private List<String> pathTexts(int from, NodeType type, String noun) {
    Map<PathQuality, List<String>> ends = new TreeMap<>(PathQuality.ORDER);
    for (int to : topology.indexes(type)) {
      if (to != from) {
        ends.computeIfAbsent(
                new PathQuality(paths.type(from, to), paths.bwGBps(from, to)),
                route -> new ArrayList<>())
            .add(end(topology.node(to)));
      }
    }
    return ends.entrySet().stream()
        .map(
            entry ->
                entry.getKey().text()
                    + (entry.getValue().size() > MAX_NAMED
                        ? " to " + QuantityFormat.count(entry.getValue().size(), noun)
                        : " to " + noun + " " + String.join(", ", entry.getValue())))
        .toList();
  }

  private static String end(Node node) {
    if (node instanceof GpuNode gpu) {
      return (gpu.systemId() == 0 ? "" : gpu.systemId() + "-") + gpu.dev();
    }
    return node instanceof NetNode net && !net.name().isEmpty() ? net.name() : node.label();
  }

  private String passing(int node) {
    List<LoadedLink> touching =
        loads.stream()
            .filter(link -> link.link().from() == node || link.link().to() == node)
            .filter(link -> link.link().type() != LinkType.LOC)
            .toList();
    if (graph.isEmpty()) {
      return "";
    }
    if (touching.isEmpty()) {
      return ". %s: no channel passes it".formatted(graph.get().kind().label());
    }
    TreeSet<Integer> channels = new TreeSet<>();
    touching.forEach(link -> channels.addAll(link.channels()));
    return ". %s: %s; the fullest of its links %s"
        .formatted(
            graph.get().kind().label(),
            QuantityFormat.ranges("channel", List.copyOf(channels)),
            used(touching.get(0)));
  }

  /** The load that the channels of the graph put on a link, in each direction. */
  String ofLink(Edge edge) {
    OptionalInt a = index(edge.a());
    OptionalInt b = index(edge.b());
    if (graph.isEmpty() || a.isEmpty() || b.isEmpty()) {
      return "";
    }
    String label = graph.get().kind().label();
    List<String> directions =
        loads.stream()
            .filter(link -> link.link().type() == edge.type())
            .filter(link -> isBetween(link.link(), a.getAsInt(), b.getAsInt()))
            .map(link -> used(link) + " by " + QuantityFormat.ranges("channel", link.channels()))
            .toList();
    return directions.isEmpty()
        ? ". %s: nothing runs over it".formatted(label)
        : ". %s: %s".formatted(label, String.join("; ", directions));
  }

  private static boolean isBetween(Link link, int a, int b) {
    return link.from() == a && link.to() == b || link.from() == b && link.to() == a;
  }

  private String used(LoadedLink loaded) {
    return "%s of %s GB/s (%s) to %s"
        .formatted(
            number(loaded.usedGBps()),
            number(loaded.link().bwGBps()),
            QuantityFormat.percent(loaded.share(), 0),
            topology.node(loaded.link().to()).label());
  }

  private static String number(double gbps) {
    return PrintfNumber.general(Math.rint(gbps * 10) / 10);
  }
}
