package dev.topo.simulator.verdict;

import dev.topo.model.DeviceName;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.bound.GraphRate;
import dev.topo.search.bound.JobBounds;
import dev.topo.search.bound.LinkRates;
import dev.topo.search.bound.LinkRates.PhysicalLinks;
import dev.topo.search.bound.OperationBound;
import dev.topo.search.bound.OperationBound.BoundCut;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.connect.Connection;
import dev.topo.search.explain.ExplainedBound.CutLink;
import dev.topo.search.path.Domain;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.verdict.BoundReport.GraphShare;
import dev.topo.simulator.verdict.BoundReport.PredictedShare;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Compares the bounds of a job with its graphs and predictions. Caches bounds; not thread-safe. */
public final class BoundReporter {
  /** Least relative gain of bandwidth over all links that is reported. */
  private static final double LEAST_GAIN = 0.01;

  private static final List<GraphKind> GRAPHS =
      List.of(GraphKind.RING, GraphKind.TREE, GraphKind.NVLS);

  private final CallPredictor predictor;
  private final Connection connection;
  private final boolean isActualOther;
  private final JobBounds paths;
  private final JobBounds all;
  private final Map<Domain, GraphRate> rates = new IdentityHashMap<>();

  /** Creates a reporter for the job of a predictor. */
  public BoundReporter(CallPredictor predictor) {
    this.predictor = predictor;
    this.connection = predictor.communicator().connection();
    var actual = predictor.planner().actual();
    this.isActualOther = actual.isPresent();
    this.paths = new JobBounds(connection, actual, LinkScope.PATHS);
    this.all = new JobBounds(connection, actual, LinkScope.ALL);
  }

  /** Reports the bound of a call; empty if no link with a known rate limits the operation. */
  public Optional<BoundReport> report(Operation operation, long bytes) {
    return paths.bound(operation).map(bound -> report(operation, bytes, bound));
  }

  private BoundReport report(Operation operation, long bytes, OperationBound bound) {
    Topology topology = paths.topology(bound.cut());
    long bytesMoved = Call.of(operation, bytes).wholeBytes(connection.nRanks());
    return new BoundReport(
        operation,
        bytes,
        bound.timeUs(bytesMoved),
        bound.algbwGBps(),
        bound.busbwGBps(),
        bound.reduced(),
        side(topology, bound.cut()),
        bound.parts(),
        bound.cut().capacityGBps(),
        links(topology, bound.cut()),
        allLinksUs(operation, bytesMoved, bound),
        operation instanceof Collective collective ? graphs(collective, bound) : List.of(),
        predicted(operation, bytesMoved, bound),
        notCounted(topology, bound.cut()));
  }

  private List<String> notCounted(Topology topology, BoundCut cut) {
    Set<String> sentences = new LinkedHashSet<>();
    for (PhysicalLinks links : paths.links()) {
      Topology all = links.domain().topology();
      for (Link link : links.unknown()) {
        sentences.add(unknown(all, link));
      }
    }
    cut.links().stream()
        .filter(link -> LinkRates.isUnstated(topology, link))
        .findFirst()
        .ifPresent(
            link ->
                sentences.add(
                    "%s counts as 16 lanes of 8 GT/s, which NCCL assumes where a file states no speed; a faster link would lower the bound."
                        .formatted(name(topology, link))));
    return List.copyOf(sentences);
  }

  private static String unknown(Topology topology, Link link) {
    if (link.type() == LinkType.SYS) {
      return "The rate between these CPUs is not documented: no limit.";
    }
    boolean isToPort = topology.node(link.to()).type() == NodeType.NET;
    String name = new DeviceName(topology).of(isToPort ? link.to() : link.from());
    return "The speed of the interface %s is not known, 10 Gb/s is what NCCL assumes without one: no limit."
        .formatted(name);
  }

  private static String name(Topology topology, Link link) {
    return new DeviceName(topology).of(link);
  }

  private OptionalDouble allLinksUs(Operation operation, long bytes, OperationBound bound) {
    return all
        .bound(operation)
        .filter(more -> more.algbwGBps() > bound.algbwGBps() * (1 + LEAST_GAIN))
        .stream()
        .mapToDouble(more -> more.timeUs(bytes))
        .findFirst();
  }

  private static List<CutLink> links(Topology topology, BoundCut cut) {
    return IntStream.range(0, cut.links().size())
        .mapToObj(i -> CutLink.of(topology, cut.links().get(i), cut.gbps().get(i)))
        .toList();
  }

  /**
   * Describes the side of a cut: {@code out of GPUs 0-3}, {@code into each of 8 GPUs}, {@code out
   * of each node}.
   */
  private String side(Topology topology, BoundCut cut) {
    String direction = cut.outwards() ? "out of " : "into ";
    if (cut.sides().size() > 1) {
      boolean single = cut.sides().stream().allMatch(gpus -> gpus.size() == 1);
      return direction
          + "each of "
          + cut.sides().size()
          + (single ? " GPUs" : " parts")
          + (connection.nNodes() == 1 ? "" : " of a node")
          + (single ? "" : ": " + parts(topology, cut));
    }
    List<Integer> gpus = cut.sides().get(0);
    return direction
        + (gpus.size() == topology.gpus().size()
            ? (paths.links().size() == 1 ? "each node" : "node " + cut.node())
            : gpus(topology, gpus));
  }

  private static String parts(Topology topology, BoundCut cut) {
    return String.join("; ", cut.sides().stream().map(side -> gpus(topology, side)).toList());
  }

  private static String gpus(Topology topology, List<Integer> gpus) {
    Set<Integer> hosts = new TreeSet<>();
    List<Integer> devices = new ArrayList<>();
    for (int gpu : gpus) {
      GpuNode node = (GpuNode) topology.node(gpu);
      hosts.add(node.systemId());
      devices.add(node.dev());
    }
    Collections.sort(devices);
    if (gpus.size() == 1) {
      return new DeviceName(topology).of(gpus.get(0));
    }
    return hosts.size() == 1
        ? "GPUs " + QuantityFormat.ranges(devices)
        : QuantityFormat.count(gpus.size(), "GPU") + " of " + hosts.size() + " hosts";
  }

  /**
   * The share of the bound that the channels of each graph reach; empty if the actual machine is
   * not the declared one, as the channels then use other links than planned.
   */
  private List<GraphShare> graphs(Collective collective, OperationBound bound) {
    List<GraphShare> shares = new ArrayList<>();
    for (GraphKind kind : GRAPHS) {
      if (!isActualOther) {
        algbw(kind, collective)
            .ifPresent(
                algbw -> shares.add(new GraphShare(kind.label(), algbw / bound.algbwGBps())));
      }
    }
    return shares;
  }

  /** The algbw in GB/s of a graph's channels on the slowest node; empty if one node has none. */
  private Optional<Double> algbw(GraphKind kind, Collective collective) {
    Optional<Double> least = Optional.empty();
    for (int node : connection.kindNodes().toArray()) {
      ChannelGraph graph = connection.agreedGraphs(node).get(kind);
      Optional<Double> bound =
          rates
              .computeIfAbsent(
                  connection.domain(node), key -> new GraphRate(key, connection.nNodes()))
              .algbwGBps(graph, collective, connection.nRanks());
      if (bound.isEmpty()) {
        return Optional.empty();
      }
      least = Optional.of(Math.min(bound.get(), Objects.requireNonNull(least.orElse(bound.get()))));
    }
    return least;
  }

  private Optional<PredictedShare> predicted(
      Operation operation, long bytes, OperationBound bound) {
    if (operation instanceof Collective collective) {
      return predictor
          .predict(CollectiveCall.of(collective, bytes), false)
          .filter(prediction -> prediction.source().predictsTimes())
          .map(
              prediction ->
                  new PredictedShare(
                      prediction.launchName(),
                      prediction.timeUs(),
                      bound.share(bytes, prediction.timeUs())));
    }
    return predictor
        .peers()
        .filter(peers -> peers.absence().isEmpty())
        .flatMap(peers -> peers.predict((PeerOperation) operation, bytes, false))
        .map(
            prediction ->
                new PredictedShare(
                    "sends and receives",
                    prediction.timeUs(),
                    bound.share(bytes, prediction.timeUs())));
  }
}
