package dev.topo.search.topology;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Node.PciNode;
import dev.topo.model.Topology;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.TopologyRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Topology} as NCCL does, so that nodes and links are in NCCL's order ({@code
 * nccl:src/graph/topo.cc}). Not thread-safe.
 */
public final class TopologyBuilder {
  private final NcclProfile profile;

  private final List<Vertex> vertices = new ArrayList<>();

  /** An empty builder that follows the rules of a version. */
  public TopologyBuilder(NcclProfile profile) {
    this.profile = profile;
  }

  /**
   * A builder with the nodes of {@code topology} that {@code keep} accepts, and the links between
   * them.
   */
  public static TopologyBuilder from(Topology topology, Predicate<Node> keep, NcclProfile profile) {
    return from(topology, keep, UnaryOperator.identity(), profile);
  }

  /** A builder with the topology of one host of an NVLink domain. */
  static TopologyBuilder fromHost(Topology domain, int host, NcclProfile profile) {
    return from(
        domain,
        node -> node.type() == NodeType.NVS || node.systemId() == host,
        node -> node.withId(new NodeId(0, node.id().localId())),
        profile);
  }

  private static TopologyBuilder from(
      Topology topology, Predicate<Node> keep, UnaryOperator<Node> copy, NcclProfile profile) {
    TopologyBuilder builder = new TopologyBuilder(profile);
    Vertex[] copies = new Vertex[topology.size()];
    for (int i = 0; i < copies.length; i++) {
      Node node = topology.node(i);
      if (keep.test(node)) {
        copies[i] = new Vertex(copy.apply(node));
        builder.vertices.add(copies[i]);
      }
    }
    for (int i = 0; i < copies.length; i++) {
      for (Link link : topology.links(i)) {
        if (copies[i] != null && copies[link.to()] != null) {
          copies[i].edges.add(new Edge(copies[link.to()], link.type(), link.bwGBps()));
        }
      }
    }
    return builder;
  }

  /** A node under construction, for calls to {@link #connect}. */
  public static final class Vertex {
    private final Node node;
    private final List<Edge> edges = new ArrayList<>();
    private boolean flattened;

    private Vertex(Node node) {
      this.node = node;
    }

    public Node node() {
      return node;
    }

    private int edgeTo(Vertex to) {
      return IntStream.range(0, edges.size())
          .filter(i -> edges.get(i).to == to)
          .findFirst()
          .orElse(-1);
    }
  }

  private static final class Edge {
    private Vertex to;
    private final LinkType type;
    private float bwGBps;

    private Edge(Vertex to, LinkType type, float bwGBps) {
      this.to = to;
      this.type = type;
      this.bwGBps = bwGBps;
    }
  }

  /**
   * Adds a node; fails with {@link IllegalStateException} where NCCL's limit of nodes of its type
   * is reached.
   */
  public Vertex add(Node node) {
    long count = vertices.stream().filter(v -> v.node.type() == node.type()).count();
    int limit = profile.xml().maxNodesPerType;
    if (count == limit) {
      throw new IllegalStateException(
          "more than " + limit + " nodes of type " + node.type() + ", NCCL's limit");
    }
    Vertex vertex = new Vertex(node);
    vertices.add(vertex);
    return vertex;
  }

  /** The first node with this type and id, or null. */
  @Nullable Vertex find(NodeType type, NodeId id) {
    return vertices.stream()
        .filter(vertex -> vertex.node.type() == type && vertex.node.id().equals(id))
        .findFirst()
        .orElse(null);
  }

  /** The rules that this builder follows. */
  NcclProfile profile() {
    return profile;
  }

  /** The nodes of one type, in order. */
  public List<Vertex> vertices(NodeType type) {
    return vertices.stream().filter(v -> v.node.type() == type).toList();
  }

  /**
   * Adds bandwidth to the link of this type between two nodes, in this direction only, and keeps
   * the links of {@code from} in descending order of bandwidth ({@code ncclTopoConnectNodes}).
   */
  public void connect(Vertex from, Vertex to, LinkType type, float bwGBps) {
    List<Edge> edges = from.edges;
    int at = 0;
    while (at < edges.size() && !(edges.get(at).to == to && edges.get(at).type == type)) {
      at++;
    }
    if (at == edges.size()) {
      requireRoom(from);
      edges.add(new Edge(to, type, 0));
    }
    Edge edge = edges.get(at);
    edge.bwGBps += bwGBps;
    while (at > 0 && edges.get(at - 1).bwGBps < edge.bwGBps) {
      edges.set(at, edges.get(at - 1));
      at--;
    }
    edges.set(at, edge);
  }

  private void requireRoom(Vertex vertex) {
    TopologyRules rules = profile.topology();
    int toItself = vertex.node.type() == NodeType.GPU ? rules.linksOfGpuToItself : 0;
    if (vertex.edges.size() + toItself == rules.maxLinks) {
      throw new IllegalStateException(
          "%s has more than %s links, NCCL's limit".formatted(vertex.node.label(), rules.maxLinks));
    }
  }

  /** Adds the same link in both directions. */
  public void connectBoth(Vertex a, Vertex b, LinkType type, float bwGBps) {
    connect(a, b, type, bwGBps);
    connect(b, a, type, bwGBps);
  }

  /**
   * The CPU at the root of the PCI tree of a device ({@code findLocalCpu}); null if there is none.
   * Fails with {@link IllegalStateException} where NCCL's recursion does not end.
   */
  @Nullable Vertex localCpu(Vertex device) {
    return localCpu(device, null, 0);
  }

  private @Nullable Vertex localCpu(Vertex vertex, @Nullable Vertex from, int depth) {
    if (vertex.node.type() == NodeType.CPU) {
      return vertex;
    }
    if (depth > vertices.size()) {
      throw new IllegalStateException(
          "NCCL %s searches the CPU of this GPU in endless recursion, because a PCI bridge lists another link before the one to the CPU"
              .formatted(profile.version()));
    }
    for (Edge edge : vertex.edges) {
      if (edge.type == LinkType.PCI && leadsToCpu(edge.to, from)) {
        Vertex cpu = localCpu(edge.to, vertex, depth + 1);
        if (cpu != null) {
          return cpu;
        }
      }
    }
    return null;
  }

  private boolean leadsToCpu(Vertex next, @Nullable Vertex from) {
    boolean isAbove = next.node.type() == NodeType.PCI || next.node.type() == NodeType.CPU;
    return switch (profile.topology().cpuSearch) {
      case UPWARD -> isAbove && next != from;
      case OVER_BRIDGES -> isAbove;
      case OVER_PCI_LINKS -> true;
    };
  }

  /**
   * True if {@code from} has not been joined to another node and has a link of this type to {@code
   * to}.
   */
  boolean isLinked(Vertex from, Vertex to, LinkType type) {
    return vertices.contains(from)
        && from.edges.stream().anyMatch(edge -> edge.to == to && edge.type == type);
  }

  /**
   * Joins Broadcom PCI switches that appear as two levels although all their ports have full
   * bandwidth ({@code ncclTopoFlattenBcmSwitches}). Fails with {@link IllegalStateException} where
   * NCCL looks for a switch that it has already joined.
   */
  public void flattenBroadcomSwitches() {
    Optional<Vertex> outer = outerSwitch();
    while (outer.isPresent()) {
      flatten(outer.get());
      outer = outerSwitch();
    }
  }

  private Optional<Vertex> outerSwitch() {
    return vertices(NodeType.PCI).stream()
        .filter(vertex -> !vertex.flattened && broadcomGeneration(vertex, 0).isPresent())
        .findFirst();
  }

  private void flatten(Vertex parent) {
    int generation = broadcomGeneration(parent, 0).getAsInt();
    List<Vertex> inner = new ArrayList<>();
    for (Edge edge : parent.edges) {
      if (edge.to.node.type() == NodeType.PCI
          && !edge.to.flattened
          && broadcomGeneration(edge.to, 1).equals(OptionalInt.of(generation))
          && mayJoin(parent, edge.to)) {
        if (inner.contains(edge.to)) {
          throw new IllegalStateException(
              edge.to.node.label() + " is linked twice to " + parent.node.label());
        }
        inner.add(edge.to);
      }
    }
    parent.edges.removeIf(edge -> inner.contains(edge.to));
    for (Vertex sub : inner) {
      for (Edge edge : sub.edges) {
        if (edge.to == parent) {
          continue;
        }
        requireRoom(parent);
        parent.edges.add(edge);
        int back = edge.to.edgeTo(sub);
        if (back >= 0) {
          edge.to.edges.get(back).to = parent;
        }
      }
      remove(sub);
    }
    parent.flattened = true;
  }

  private boolean mayJoin(Vertex outer, Vertex inner) {
    return !profile.topology().joinsEqualBroadcomOnly
        || ((PciNode) outer.node).device() == ((PciNode) inner.node).device();
  }

  /**
   * Generation of a Broadcom switch at the outer (0) or inner (1) level, by its ids ({@code
   * getBcmGen}).
   */
  private OptionalInt broadcomGeneration(Vertex vertex, int level) {
    long device = ((PciNode) vertex.node).device() & ~0xfffL;
    int generation = 0;
    if (device == 0x1000c0101000a000L) {
      generation = 4;
    } else if (device == (0x1000c03010000000L | level * 0x1000L)) {
      generation = 5;
    }
    return profile.topology().joinedBroadcomGenerations.contains(generation)
        ? OptionalInt.of(generation)
        : OptionalInt.empty();
  }

  private void remove(Vertex vertex) {
    vertices.remove(vertex);
    for (Vertex other : vertices) {
      other.edges.removeIf(edge -> edge.to == vertex);
    }
  }

  /** Connects every two NUMA domains of a host ({@code ncclTopoConnectCpus}). */
  public void connectCpus() {
    List<Vertex> cpus = vertices(NodeType.CPU);
    for (Vertex from : cpus) {
      for (Vertex to : cpus) {
        if (from != to && from.node.systemId() == to.node.systemId()) {
          connect(from, to, LinkType.SYS, profile.links().betweenCpus((CpuNode) from.node));
        }
      }
    }
  }

  /**
   * Moves the uplink of every node of the PCI trees to the end of its links ({@code
   * ncclTopoSortSystem}). Fails with {@link IllegalStateException} where PCI links form a cycle.
   */
  public void orderForTraversal() {
    for (Vertex cpu : vertices(NodeType.CPU)) {
      moveUplinkLast(cpu, null, 0);
    }
  }

  private void moveUplinkLast(Vertex vertex, @Nullable Vertex up, int depth) {
    if (depth > vertices.size()) {
      throw new IllegalStateException("PCI links form a circle at " + vertex.node.label());
    }
    if (up != null) {
      vertex.edges.add(vertex.edges.remove(vertex.edgeTo(up)));
    }
    for (Edge edge : vertex.edges) {
      if (edge.type == LinkType.PCI && edge.to != up) {
        moveUplinkLast(edge.to, vertex, depth + 1);
      }
    }
  }

  /**
   * The finished topology. Nodes are grouped by type and keep the order in which they were added.
   */
  public Topology build() {
    List<Vertex> ordered =
        vertices.stream()
            .sorted(Comparator.comparing((Vertex vertex) -> vertex.node.type()))
            .toList();
    IdentityHashMap<Vertex, Integer> indexes = new IdentityHashMap<>();
    for (int i = 0; i < ordered.size(); i++) {
      indexes.put(ordered.get(i), i);
    }
    List<List<Link>> links = new ArrayList<>();
    for (int i = 0; i < ordered.size(); i++) {
      List<Link> out = new ArrayList<>();
      for (Edge edge : ordered.get(i).edges) {
        out.add(new Link(i, Objects.requireNonNull(indexes.get(edge.to)), edge.type, edge.bwGBps));
      }
      links.add(out);
    }
    Topology topology = new Topology(ordered.stream().map(Vertex::node).toList(), links);
    TopologyCheck.verify(topology);
    return topology;
  }

  /** The rules that every {@link Topology} satisfies. */
  public static final class TopologyCheck {
    private TopologyCheck() {}

    /**
     * Checks a topology by definition: links leave the node that lists them, have no negative
     * bandwidth and are, except for PCI, unique by target and type; no two nodes of a type share an
     * id, except ports, where NCCL allows it; no two GPUs share a rank.
     *
     * @throws IllegalStateException with the first broken rule
     */
    public static void verify(Topology topology) {
      Set<String> labels = new HashSet<>();
      for (int i = 0; i < topology.size(); i++) {
        boolean mayRepeat = topology.node(i).type() == NodeType.NET;
        require(
            labels.add(topology.node(i).label()) || mayRepeat,
            "two nodes are " + topology.node(i).label());
        verifyLinks(topology, i);
      }
      verifyRanks(topology.gpus());
    }

    private static void verifyLinks(Topology topology, int node) {
      List<Link> links = topology.links(node);
      for (int l = 0; l < links.size(); l++) {
        Link link = links.get(l);
        String text = topology.node(node).label() + " to " + topology.node(link.to()).label();
        require(link.from() == node, "a link of " + text + " is listed at another node");
        require(
            link.bwGBps() >= 0,
            "the link " + text + " has a bandwidth of " + link.bwGBps() + " GB/s");
        for (int m = 0; m < l; m++) {
          Link other = links.get(m);
          // Broadcom switches that were joined may each have had a link to the same node.
          require(
              other.to() != link.to() || other.type() != link.type() || link.type() == LinkType.PCI,
              "two " + link.type() + " links go from " + text);
        }
      }
    }

    private static void verifyRanks(List<GpuNode> gpus) {
      Set<Integer> ranks = new HashSet<>();
      for (GpuNode gpu : gpus) {
        require(ranks.add(gpu.rank()), "two GPUs have rank " + gpu.rank());
      }
    }

    private static void require(boolean condition, String message) {
      if (!condition) {
        throw new IllegalStateException(message);
      }
    }
  }
}
