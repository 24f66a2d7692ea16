package dev.topo.search.bound;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.bound.FlowNetwork.HopTable.Hop;
import dev.topo.search.bound.LinkRates.PhysicalLinks;
import dev.topo.search.bound.OperationBound.BoundCut;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jgrapht.alg.flow.PushRelabelMFImpl;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;

/**
 * The flow network of a node: a directed graph of devices and links with capacities in GB/s. Its
 * terminals, which are connected to the source and the sink, are the GPUs and, if there are any,
 * all other nodes of the job as one vertex behind the ports. Not thread-safe.
 */
final class FlowNetwork {
  /** The vertex that represents all other nodes. */
  static final int OUTSIDE = -1;

  private static final int SOURCE = -2;
  private static final int SINK = -3;
  private static final int FIRST_CABLE = -4;
  private static final SortedMap<Integer, Hop> EMPTY = new TreeMap<>();

  private final PhysicalLinks links;
  private final boolean outwards;
  private final Map<Integer, Integer> ranks = new LinkedHashMap<>();
  private final Map<Set<Integer>, MinCut> around = new HashMap<>();
  private int nMinCuts;
  private final SortedMap<Integer, SortedMap<Integer, Hop>> hops;
  private final SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> graph =
      new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);

  /**
   * Builds the network of a node.
   *
   * @param outwards whether links are reversed, so that data that enters a side in this network
   *     leaves it on the node
   * @param ranksOutside number of ranks on other nodes
   */
  FlowNetwork(PhysicalLinks links, boolean outwards, int ranksOutside) {
    this.links = links;
    this.outwards = outwards;
    Topology topology = links.domain().topology();
    for (int gpu : topology.indexes(NodeType.GPU)) {
      ranks.put(gpu, 1);
    }
    if (ranksOutside > 0) {
      ranks.put(OUTSIDE, ranksOutside);
    }
    graph.addVertex(SOURCE);
    graph.addVertex(SINK);
    for (int terminal : ranks.keySet()) {
      add(SOURCE, terminal, 0);
      add(terminal, SINK, 0);
    }
    hops = hops(topology);
    hops.forEach((from, row) -> row.forEach((to, hop) -> add(from, to, hop.gbps())));
  }

  private SortedMap<Integer, SortedMap<Integer, Hop>> hops(Topology topology) {
    HopTable table = new HopTable();
    links
        .gbps()
        .forEach(
            (link, gbps) ->
                table.add(
                    outwards ? link.to() : link.from(),
                    outwards ? link.from() : link.to(),
                    new Hop(gbps, List.of(link))));
    if (hasOutside()) {
      addCables(topology, table);
    }
    table.contract(ranks.keySet());
    return table.hops();
  }

  /** Connects the ports to the other nodes; ports that share a cable are connected through it. */
  private void addCables(Topology topology, HopTable table) {
    Hop unlimited = new Hop(LinkRates.UNLIMITED_GBPS, List.of());
    for (List<Integer> ports : portsOfCables(topology)) {
      int first = ports.get(0);
      int cable = ports.size() == 1 ? OUTSIDE : FIRST_CABLE - first;
      for (int port : ports) {
        table.add(cable, port, unlimited);
        table.add(port, cable, unlimited);
      }
      for (Link link : links.gbps().keySet()) {
        if (cable != OUTSIDE && link.type() == LinkType.NET) {
          boolean isInto = (link.from() == first) != outwards;
          if (link.from() == first || link.to() == first) {
            table.add(
                isInto ? OUTSIDE : cable,
                isInto ? cable : OUTSIDE,
                new Hop(links.gbps(link), List.of(link)));
          }
        }
      }
    }
  }

  private static Collection<List<Integer>> portsOfCables(Topology topology) {
    return topology.indexList(NodeType.NET).stream()
        .collect(
            Collectors.groupingBy(
                port -> ((NetNode) topology.node(port)).cable(),
                LinkedHashMap::new,
                Collectors.toList()))
        .values();
  }

  private void add(int from, int to, double capacity) {
    graph.addVertex(from);
    graph.addVertex(to);
    graph.setEdgeWeight(graph.addEdge(from, to), capacity);
  }

  /** The terminals: GPUs by index, then the other nodes if there are any. */
  List<Integer> terminals() {
    return List.copyOf(ranks.keySet());
  }

  /** The terminals that are GPUs. */
  List<Integer> gpus() {
    return ranks.keySet().stream().filter(terminal -> terminal != OUTSIDE).toList();
  }

  boolean hasOutside() {
    return ranks.containsKey(OUTSIDE);
  }

  /** Number of ranks of a terminal; 0 for any other vertex. */
  int ranks(int vertex) {
    return Objects.requireNonNull(ranks.getOrDefault(vertex, 0));
  }

  int ranks(Set<Integer> vertices) {
    return vertices.stream().mapToInt(this::ranks).sum();
  }

  /** Number of ranks of the job. */
  int allRanks() {
    return ranks.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * A minimum cut.
   *
   * @param value its capacity in GB/s, including the links of source and sink
   * @param side the vertices on the side of the sink
   */
  record MinCut(double value, Set<Integer> side) {}

  /**
   * Computes the minimum cut between the source and the sink.
   *
   * @param fromSource capacity of the link from the source to each terminal
   * @param toSink capacity of the link from each terminal to the sink
   */
  MinCut minCut(ToDoubleFunction<Integer> fromSource, ToDoubleFunction<Integer> toSink) {
    for (int terminal : ranks.keySet()) {
      graph.setEdgeWeight(graph.getEdge(SOURCE, terminal), fromSource.applyAsDouble(terminal));
      graph.setEdgeWeight(graph.getEdge(terminal, SINK), toSink.applyAsDouble(terminal));
    }
    PushRelabelMFImpl<Integer, DefaultWeightedEdge> flow = new PushRelabelMFImpl<>(graph);
    double value = flow.calculateMinCut(SOURCE, SINK);
    nMinCuts++;
    Set<Integer> side = new HashSet<>(flow.getSinkPartition());
    side.remove(SINK);
    return new MinCut(value, side);
  }

  /** Number of minimum cuts computed so far; they take nearly all of the time. */
  int nMinCuts() {
    return nMinCuts;
  }

  /**
   * The minimum cut that separates the terminals {@code inside} from all others; the others are on
   * the side of the source.
   */
  MinCut around(Set<Integer> inside) {
    return around.computeIfAbsent(
        inside,
        unseen ->
            minCut(
                terminal -> inside.contains(terminal) ? 0 : LinkRates.UNLIMITED_GBPS,
                terminal -> inside.contains(terminal) ? LinkRates.UNLIMITED_GBPS : 0));
  }

  /** True if every hop has the same rate in both directions. */
  boolean isSymmetric() {
    return hops.entrySet().stream()
        .allMatch(
            from ->
                from.getValue().entrySet().stream()
                    .allMatch(
                        to -> {
                          Hop back = hops.getOrDefault(to.getKey(), EMPTY).get(from.getKey());
                          return back != null && back.gbps() == to.getValue().gbps();
                        }));
  }

  /** The minimum cut between two terminals. */
  MinCut between(int from, int to) {
    return minCut(
        terminal -> terminal == from ? LinkRates.UNLIMITED_GBPS : 0,
        terminal -> terminal == to ? LinkRates.UNLIMITED_GBPS : 0);
  }

  /** Total rate in GB/s of all links into {@code side}, in the direction of this network. */
  double capacityInto(Set<Integer> side) {
    return crossing(side).stream().mapToDouble(Hop::gbps).sum();
  }

  private List<Hop> crossing(Set<Integer> side) {
    List<Hop> crossed = new ArrayList<>();
    hops.forEach(
        (from, row) -> {
          if (!side.contains(from)) {
            row.forEach(
                (to, hop) -> {
                  if (side.contains(to)) {
                    crossed.add(hop);
                  }
                });
          }
        });
    return crossed;
  }

  /**
   * The cut that consists of all links into each of the sides. If the complement of a single side
   * is smaller or has no ranks of other nodes, the cut names the complement and the opposite
   * direction.
   */
  BoundCut cut(int node, List<Set<Integer>> sides) {
    List<Link> crossed =
        sides.stream()
            .flatMap(side -> crossing(side).stream())
            .flatMap(hop -> hop.links().stream())
            .toList();
    List<List<Integer>> named =
        sides.stream().map(side -> gpus().stream().filter(side::contains).toList()).toList();
    boolean out = outwards;
    if (sides.size() == 1
        && (sides.get(0).contains(OUTSIDE) || 2 * ranks(sides.get(0)) > allRanks())) {
      Set<Integer> side = sides.get(0);
      named = List.of(gpus().stream().filter(gpu -> !side.contains(gpu)).toList());
      out = !outwards;
    }
    return new BoundCut(node, named, crossed, crossed.stream().map(links::gbps).toList(), out);
  }

  /**
   * The links between vertices. Vertices that only forward data between two others can be
   * contracted, which does not change the value of a maximum flow but takes far less time. Used
   * once.
   */
  static final class HopTable {
    private final SortedMap<Integer, SortedMap<Integer, Hop>> hops = new TreeMap<>();

    /**
     * The connection from one vertex to another.
     *
     * @param gbps its rate in GB/s
     * @param links the links that limit the rate
     */
    record Hop(double gbps, List<Link> links) {
      Hop {
        links = List.copyOf(links);
      }

      private Hop parallelTo(Hop other) {
        List<Link> both = new ArrayList<>(links);
        both.addAll(other.links);
        return new Hop(gbps + other.gbps, both);
      }
    }

    /** The hops by source and target vertex. */
    SortedMap<Integer, SortedMap<Integer, Hop>> hops() {
      return hops;
    }

    void add(int from, int to, Hop hop) {
      row(from).merge(to, hop, Hop::parallelTo);
      row(to);
    }

    private SortedMap<Integer, Hop> row(int vertex) {
      return hops.computeIfAbsent(vertex, unseen -> new TreeMap<>());
    }

    /** Contracts vertices with one or two neighbours, except those of {@code kept}. */
    void contract(Set<Integer> kept) {
      TreeSet<Integer> open = new TreeSet<>(hops.keySet());
      while (!open.isEmpty()) {
        int vertex = open.first();
        open.remove(vertex);
        Set<Integer> neighbors = neighbors(vertex);
        if (!kept.contains(vertex) && neighbors.size() <= 2) {
          List<Integer> ends = List.copyOf(neighbors);
          if (ends.size() == 2) {
            join(ends.get(0), vertex, ends.get(1));
            join(ends.get(1), vertex, ends.get(0));
          }
          hops.remove(vertex);
          ends.forEach(end -> row(end).remove(vertex));
          open.addAll(ends);
        }
      }
    }

    private Set<Integer> neighbors(int vertex) {
      Set<Integer> found = new TreeSet<>(row(vertex).keySet());
      for (Map.Entry<Integer, SortedMap<Integer, Hop>> entry : hops.entrySet()) {
        if (entry.getValue().containsKey(vertex)) {
          found.add(entry.getKey());
        }
      }
      return found;
    }

    private void join(int from, int over, int to) {
      Optional<Hop> first = Optional.ofNullable(row(from).get(over));
      Optional<Hop> second = Optional.ofNullable(row(over).get(to));
      if (first.isPresent() && second.isPresent()) {
        add(from, to, first.get().gbps() <= second.get().gbps() ? first.get() : second.get());
      }
    }
  }
}
