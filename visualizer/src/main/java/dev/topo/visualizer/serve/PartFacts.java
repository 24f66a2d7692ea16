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
  /** Ends of paths that are named, else counted. */
  private static final int NAMED = 2;

  private final Topology drawn;
  private final Topology topology;
  private final Paths paths;
  private final Optional<ChannelGraph> graph;
  private final Map<Kind, Integer> places = new HashMap<>();
  private final List<LoadedLink> loads;

  /** Key of a device in all topologies of its machine. */
  private record Kind(NodeType type, NodeId id) {
    static Kind of(Node node) {
      return new Kind(node.type(), node.id());
    }
  }

  /** A kind of path; nearest and fastest first. */
  private record PathQuality(PathType type, float bwGBps) implements Comparable<PathQuality> {
    private static final Comparator<PathQuality> ORDER =
        Comparator.comparingInt((PathQuality route) -> route.type.rank())
            .thenComparing(Comparator.comparingDouble(PathQuality::bwGBps).reversed());

    @Override
    public int compareTo(PathQuality other) {
      return ORDER.compare(this, other);
    }

    String text() {
      return type == PathType.DIS ? "no path" : type + " " + number(bwGBps) + " GB/s";
    }
  }

  /**
   * The facts of a machine.
   *
   * @param drawn the machine as it is drawn
   * @param found its devices with their paths and graphs
   * @param routes finds what its channels put on links
   * @param chosen the graph whose channels are shown, if any
   */
  PartFacts(Topology drawn, DomainGraphs found, RouteFinder routes, Optional<GraphKind> chosen) {
    this.drawn = drawn;
    topology = found.domain().topology();
    paths = found.domain().paths();
    graph = chosen.map(found.graphs()::get).filter(channelGraph -> channelGraph.nChannels() > 0);
    for (int node = 0; node < topology.size(); node++) {
      places.putIfAbsent(Kind.of(topology.node(node)), node);
    }
    loads = graph.map(routes::loads).orElse(List.of());
  }

  private OptionalInt place(int node) {
    Integer place = places.get(Kind.of(drawn.node(node)));
    return place == null ? OptionalInt.empty() : OptionalInt.of(place);
  }

  /** The paths from a GPU or card to GPUs and ports, and the channels that pass a device. */
  String ofDevice(int node) {
    OptionalInt place = place(node);
    return place.isEmpty() ? "" : ways(place.getAsInt()) + passing(place.getAsInt());
  }

  private String ways(int node) {
    NodeType type = topology.node(node).type();
    List<String> ways = new ArrayList<>();
    if (type == NodeType.GPU) {
      ways.addAll(ways(node, NodeType.GPU, "GPU"));
      ways.addAll(ways(node, NodeType.NET, "port"));
    } else if (type == NodeType.NIC) {
      port(node).ifPresent(port -> ways.addAll(ways(port, NodeType.GPU, "GPU")));
    }
    return ways.isEmpty() ? "" : ". Paths: " + String.join("; ", ways);
  }

  private OptionalInt port(int card) {
    return topology.links(card).stream()
        .map(Link::to)
        .filter(to -> topology.node(to).type() == NodeType.NET)
        .mapToInt(Integer::intValue)
        .findFirst();
  }

  private List<String> ways(int from, NodeType type, String noun) {
    Map<PathQuality, List<String>> ends = new TreeMap<>();
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
                    + (entry.getValue().size() > NAMED
                        ? " to " + QuantityFormat.count(entry.getValue().size(), noun)
                        : " to " + noun + " " + String.join(", ", entry.getValue())))
        .toList();
  }

  private static String end(Node node) {
    if (node instanceof GpuNode gpu) {
      return (gpu.id().systemId() == 0 ? "" : gpu.id().systemId() + "-") + gpu.dev();
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

  /** Load that the channels of the graph put on a link, in each direction. */
  String ofLink(Edge edge) {
    OptionalInt a = place(edge.a());
    OptionalInt b = place(edge.b());
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
