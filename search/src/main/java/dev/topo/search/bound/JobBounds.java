package dev.topo.search.bound;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.bound.LinkRates.PhysicalLinks;
import dev.topo.search.bound.NodeCuts.Limit;
import dev.topo.search.bound.NodeCuts.Partition;
import dev.topo.search.bound.OperationBound.BoundCut;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Upper bounds on the bandwidth of each operation, for any schedule on the links of a job.
 *
 * <p>Links have their raw rates ({@link dev.topo.search.bound.LinkRates}) in each direction. Every
 * device can forward and copy data. GPUs and some switches can reduce it. The network between ports
 * is unlimited, and memory and SMs are not considered. A call moves at least the following amounts
 * of data over each cut:
 *
 * <ul>
 *   <li>AllGather: into a side, the parts of all ranks outside it. ReduceScatter: the same out of a
 *       side. The smallest ratio over all sides is exact for both (ForestColl, Theorem 1), with and
 *       without switches that multicast.
 *   <li>AllReduce: all data in each direction over every cut between two ranks. If no switch
 *       reduces, also 2 (k - 1) times the data into the k parts of any partition of the GPUs: k - 1
 *       receptions until one part has the result, and k - 1 until the others have it. A node with a
 *       switch that reduces is a single part. If the network reduces, this limit does not apply.
 *   <li>Broadcast and Reduce: all data from or to the root over every cut (exact by Edmonds).
 *   <li>Gather and Scatter: the parts of all ranks outside a side that contains the root.
 *   <li>AlltoAll and SendRecv: the data that ranks on one side send to the other. Only the cuts of
 *       {@code SideFinder} are considered, and cuts are not exact for these operations, so the
 *       bound may be higher than what is possible.
 * </ul>
 *
 * <p>Equal nodes are evaluated once, so the time does not depend on the number of nodes. Not
 * thread-safe.
 */
public final class JobBounds {
  private static final int ROOT = 0;

  /** The operations that NVLS supports. */
  private static final Set<Operation> BY_NVLS =
      Set.of(Collective.ALL_REDUCE, Collective.ALL_GATHER, Collective.REDUCE_SCATTER);

  /** Maximum number of steps of Newton's method. */
  private static final int MAX_STEPS = 100;

  /** Relative difference below which two rates count as equal. */
  private static final double ROUNDING = 1e-9;

  private final Connection connection;
  private final List<NodeCuts> kinds;
  private final NodeCuts kindOfRoot;
  private final int nRanks;
  private final boolean networkReduces;
  private final Map<Operation, Optional<OperationBound>> bounds = new HashMap<>();

  /** The bounds of the operations that NVLS supports; empty if NVLS adds no links. */
  private final Optional<JobBounds> withMulticast;

  /** Creates the bounds of a job on the machines that its topologies describe. */
  public JobBounds(Connection connection, LinkScope scope) {
    this(connection, Optional.empty(), scope);
  }

  /**
   * Creates the bounds of a job.
   *
   * @param actual the paths of the actual machine if the job declares a different one; only for a
   *     job of one node
   */
  public JobBounds(Connection connection, Optional<Paths> actual, LinkScope scope) {
    this(connection, actual, scope, false);
  }

  private JobBounds(
      Connection connection, Optional<Paths> actual, LinkScope scope, boolean multicast) {
    this.connection = connection;
    this.nRanks = connection.nRanks();
    NodeKinds nodes = new NodeKinds(connection, actual, scope, multicast);
    this.kinds = nodes.all();
    this.kindOfRoot = nodes.of(connection.nodeOf(ROOT));
    this.networkReduces = nodes.networkReduces();
    this.withMulticast =
        multicast || !connection.nvls().isSupported()
            ? Optional.empty()
            : Optional.of(new JobBounds(connection, actual, scope, true))
                .filter(more -> !more.links().equals(links()));
  }

  /** The links of each distinct node, in the order of the nodes. */
  public List<PhysicalLinks> links() {
    return kinds.stream().map(NodeCuts::links).toList();
  }

  /** The topology of the node of a cut. */
  public Topology topology(BoundCut cut) {
    return kinds.stream()
        .filter(kind -> kind.node() == cut.node())
        .findFirst()
        .orElseThrow()
        .domain()
        .topology();
  }

  /**
   * The bound of an operation with rank 0 as root; empty for a job of one rank, and if no link with
   * a known rate limits the operation. AlltoAllv is evaluated with equal parts.
   */
  public Optional<OperationBound> bound(Operation operation) {
    return nRanks < 2 ? Optional.empty() : bounds.computeIfAbsent(operation, this::find);
  }

  private Optional<OperationBound> find(Operation operation) {
    if (withMulticast.isPresent() && BY_NVLS.contains(operation)) {
      return withMulticast.get().bound(operation);
    }
    Optional<Limit> limit =
        operation instanceof Collective collective
            ? collective(collective)
            : peer((PeerOperation) operation);
    return limit.map(
        bound ->
            new OperationBound(
                operation,
                nRanks,
                bound.algbwGBps(),
                operation == Collective.ALL_REDUCE && reduces(),
                bound.cut(),
                bound.parts()));
  }

  /** Number of minimum cuts computed so far. */
  int nMinCuts() {
    return kinds.stream()
        .mapToInt(kind -> kind.inwards().nMinCuts() + kind.outwards().nMinCuts())
        .sum();
  }

  private boolean reduces() {
    return connection.nNodes() == 1 ? kinds.get(0).hasReducingSwitch() : networkReduces;
  }

  private Optional<Limit> collective(Collective collective) {
    return switch (collective) {
      case ALL_GATHER -> parts(false);
      case REDUCE_SCATTER -> parts(true);
      case ALL_REDUCE -> allReduce();
      case BROADCAST -> fromRoot(false);
      case REDUCE -> fromRoot(true);
    };
  }

  private Optional<Limit> peer(PeerOperation operation) {
    return switch (operation.pattern()) {
      case IN_STEPS -> parts(false);
      case TO_ROOT -> rooted(false);
      case FROM_ROOT -> rooted(true);
      case TO_ALL, TO_NEXT -> pairs(operation);
    };
  }

  private Optional<Limit> parts(boolean outwards) {
    return least(
        kinds.stream()
            .map(kind -> kind.equalParts(outwards, kind.network(outwards).terminals()))
            .toList());
  }

  private int gpuOfRoot() {
    int local = connection.ranksOf(connection.nodeOf(ROOT)).indexOf(ROOT);
    return gpusByRank(kindOfRoot).get(local);
  }

  /** The GPUs of a node in the order of their ranks. */
  private static List<Integer> gpusByRank(NodeCuts kind) {
    Topology topology = kind.domain().topology();
    return topology.indexList(NodeType.GPU).stream()
        .sorted(Comparator.comparingInt(gpu -> ((GpuNode) topology.node(gpu)).rank()))
        .toList();
  }

  private Optional<Limit> rooted(boolean outwards) {
    return kindOfRoot.equalParts(outwards, List.of(gpuOfRoot()));
  }

  private Optional<Limit> fromRoot(boolean outwards) {
    NodeCuts first = kindOfRoot;
    List<Optional<Limit>> limits = new ArrayList<>();
    limits.add(first.fromRoot(outwards, gpuOfRoot()));
    for (NodeCuts kind : kinds) {
      if (kind.inwards().hasOutside() && (kind != first || kind.count() > 1)) {
        limits.add(kind.fromRoot(outwards, FlowNetwork.OUTSIDE));
      }
    }
    return least(limits);
  }

  private Optional<Limit> allReduce() {
    List<Optional<Limit>> limits = new ArrayList<>();
    kinds.forEach(kind -> limits.add(kind.separating()));
    if (!networkReduces) {
      limits.add(weakestPartition());
    }
    return least(limits);
  }

  /** The limit of the weakest partition of the whole job, by Newton's method on the bandwidth. */
  private Optional<Limit> weakestPartition() {
    List<Partition> weakest =
        kinds.stream()
            .map(kind -> kind.hasReducingSwitch() ? kind.undivided() : kind.singles())
            .toList();
    double bandwidth = bandwidth(weakest);
    for (int step = 0; step < MAX_STEPS && bandwidth > 0; step++) {
      double demand = 2 * bandwidth;
      List<Partition> next =
          kinds.stream()
              .map(kind -> kind.hasReducingSwitch() ? kind.undivided() : kind.weakest(demand))
              .toList();
      double lower = bandwidth(next);
      if (!(lower < bandwidth * (1 - ROUNDING))) {
        break;
      }
      bandwidth = lower;
      weakest = next;
    }
    return limit(bandwidth, weakest);
  }

  /** The bandwidth to which partitions of the distinct nodes limit AllReduce. */
  private double bandwidth(List<Partition> partitions) {
    double capacity = 0;
    for (int i = 0; i < partitions.size(); i++) {
      capacity += kinds.get(i).count() * partitions.get(i).capacityGBps();
    }
    long parts = parts(partitions);
    return parts < 2 ? Double.POSITIVE_INFINITY : capacity / (2 * (parts - 1));
  }

  /** Total number of parts on all nodes. */
  private long parts(List<Partition> partitions) {
    return IntStream.range(0, partitions.size())
        .mapToLong(i -> (long) kinds.get(i).count() * partitions.get(i).parts().size())
        .sum();
  }

  /** The limit set by partitions of the distinct nodes, with the cut of the first node. */
  private Optional<Limit> limit(double bandwidth, List<Partition> partitions) {
    NodeCuts first = kinds.get(0);
    return Double.isFinite(bandwidth) && bandwidth > 0
        ? Optional.of(
            new Limit(
                bandwidth,
                first.inwards().cut(first.node(), partitions.get(0).parts()),
                parts(partitions)))
        : Optional.empty();
  }

  private Optional<Limit> pairs(PeerOperation operation) {
    List<Optional<Limit>> limits = new ArrayList<>();
    for (NodeCuts kind : kinds) {
      for (Set<Integer> side : new SideFinder(kind.domain()).sides()) {
        if (side.size() < nRanks) {
          limits.add(kind.around(false, side, demand(operation, kind, side, false)));
          if (!kind.inwards().isSymmetric()) {
            limits.add(kind.around(true, side, demand(operation, kind, side, true)));
          }
        }
      }
    }
    return least(limits);
  }

  /**
   * Bytes that have to enter or leave the given GPUs of a node per byte of the call. For SendRecv
   * and AlltoAll, as many bytes enter as leave.
   */
  private double demand(
      PeerOperation operation, NodeCuts kind, Set<Integer> gpus, boolean outwards) {
    if (operation != PeerOperation.SENDRECV) {
      return (double) gpus.size() * (nRanks - gpus.size()) / nRanks;
    }
    List<Integer> ranks = connection.ranksOf(kind.node());
    Set<Integer> inside = new HashSet<>();
    List<Integer> ordered = gpusByRank(kind);
    for (int i = 0; i < ordered.size(); i++) {
      if (gpus.contains(ordered.get(i))) {
        inside.add(ranks.get(i));
      }
    }
    return inside.stream()
        .filter(rank -> !inside.contains((rank + (outwards ? 1 : nRanks - 1)) % nRanks))
        .count();
  }

  private static Optional<Limit> least(List<Optional<Limit>> limits) {
    Optional<Limit> least = Optional.empty();
    for (Optional<Limit> limit : limits) {
      if (limit.isPresent() && limit.get().isBelow(least)) {
        least = limit;
      }
    }
    return least;
  }

  /** The distinct nodes of a job, in the order in which they first appear. */
  static final class NodeKinds {
    private final Connection connection;
    private final Map<Alike, NodeCuts> kinds = new LinkedHashMap<>();
    private final Map<Domain, Alike> kindOf = new IdentityHashMap<>();
    private final boolean networkReduces;

    NodeKinds(Connection connection, Optional<Paths> actual, LinkScope scope, boolean multicast) {
      this.connection = connection;
      Map<Domain, Integer> counts = new IdentityHashMap<>();
      for (int node = 0; node < connection.nNodes(); node++) {
        counts.merge(connection.domain(node), 1, Integer::sum);
      }
      Map<Alike, Integer> sums = new LinkedHashMap<>();
      Map<Alike, Integer> first = new HashMap<>();
      boolean reduces = connection.nNodes() > 1;
      for (int node = 0; node < connection.nNodes(); node++) {
        Domain domain = connection.domain(node);
        Integer count = counts.remove(domain);
        if (count != null) {
          Domain used =
              actual.map(paths -> new Domain(paths, domain.crossesNetwork())).orElse(domain);
          Alike alike = Alike.of(PhysicalLinks.of(used, scope, multicast));
          sums.merge(alike, count, Integer::sum);
          first.putIfAbsent(alike, node);
          kindOf.put(domain, alike);
          reduces &= used.topology().nets().stream().anyMatch(NetNode::collNet);
        }
      }
      sums.forEach(
          (alike, count) ->
              kinds.put(
                  alike,
                  NodeCuts.of(
                      alike.links,
                      Objects.requireNonNull(first.get(alike)),
                      count,
                      connection.nRanks())));
      this.networkReduces = reduces;
    }

    /** Equal for nodes with the same links and terminals by index; names are ignored. */
    private static final class Alike {
      private final PhysicalLinks links;
      private final List<Object> key;

      private Alike(PhysicalLinks links, List<Object> key) {
        this.links = links;
        this.key = key;
      }

      static Alike of(PhysicalLinks links) {
        Topology topology = links.domain().topology();
        return new Alike(
            links,
            List.of(
                links.gbps(),
                topology.indexList(NodeType.GPU),
                topology.indexList(NodeType.NET),
                NodeCuts.hasReducingSwitch(topology)));
      }

      @Override
      public boolean equals(@Nullable Object other) {
        return other instanceof Alike alike && key.equals(alike.key);
      }

      @Override
      public int hashCode() {
        return key.hashCode();
      }
    }

    List<NodeCuts> all() {
      return List.copyOf(kinds.values());
    }

    NodeCuts of(int node) {
      Alike alike = Objects.requireNonNull(kindOf.get(connection.domain(node)));
      return Objects.requireNonNull(kinds.get(alike));
    }

    /** True if all nodes have ports with in-network reduction. */
    boolean networkReduces() {
      return networkReduces;
    }
  }
}
