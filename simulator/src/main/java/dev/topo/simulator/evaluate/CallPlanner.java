package dev.topo.simulator.evaluate;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.BufferSizes;
import dev.topo.search.connect.Connection;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.path.Paths;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.search.tuning.Tuner.ThreadLimits;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice;
import dev.topo.simulator.evaluate.ChannelRoutes.BusyLink;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.CallShape.Contention;
import dev.topo.simulator.timing.CallShape.TrafficRoute;
import dev.topo.simulator.timing.Chunking;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Derives the launch parameters that determine a call's time inside a node. Caches routes; not
 * thread-safe.
 */
public final class CallPlanner {
  private record RouteKey(int kind, Algorithm algorithm, int channels) {}

  private final Communicator communicator;
  private final CommFacts facts;
  private final BufferSizes buffers;
  private final NcclSettings settings;
  private final boolean registered;
  private final boolean usualThreads;
  private final CallContext context;
  private final Optional<ConcurrentGroups> concurrent;
  private final Optional<Paths> actual;
  private final Optional<ChannelRoutes> routes;

  /** The routes of each distinct domain of a job. */
  private final List<ChannelRoutes> kinds;

  private final Map<RouteKey, TrafficRoute> known = new HashMap<>();

  /**
   * A planner for a communicator on the actual machine.
   *
   * @param actual the paths of the actual machine; empty if it is the declared one
   * @param gpusPerProcess GPUs that one process drives; 0 if a CUDA graph holds the kernels
   */
  public CallPlanner(Communicator communicator, Optional<Paths> actual, int gpusPerProcess) {
    this(communicator, actual, CallContext.USUAL.withGpusPerProcess(gpusPerProcess));
  }

  /**
   * A planner for a communicator on the actual machine.
   *
   * @param actual the paths of the actual machine; empty if it is the declared one
   * @param context how the calls are made
   */
  CallPlanner(Communicator communicator, Optional<Paths> actual, CallContext context) {
    this(communicator, actual, context, Optional.empty());
  }

  /**
   * A planner for a communicator that may share the actual machine with others.
   *
   * @param actual the paths of the actual machine; empty if it is the declared one
   * @param context how the calls are made
   * @param concurrent communicators that make equal calls at the same time, this one included
   */
  CallPlanner(
      Communicator communicator,
      Optional<Paths> actual,
      CallContext context,
      Optional<ConcurrentGroups> concurrent) {
    this.context = context;
    this.concurrent = concurrent;
    this.communicator = communicator;
    this.facts = communicator.facts();
    this.actual = actual;
    this.buffers = communicator.connection().bufferSizes(0);
    this.settings = communicator.profile().complete(communicator.job().settings());
    this.registered =
        context.buffers() != Buffers.PLAIN
            ? settings.integer("NCCL_LOCAL_REGISTER", 1) != 0
                && settings.integer("NCCL_CUMEM_ENABLE", 1) != 0
            : context.gpusPerProcess() == 0 && settings.integer("NCCL_GRAPH_REGISTER", 1) != 0;
    this.usualThreads = ThreadLimits.areUsual(facts, settings);
    this.routes =
        facts.nRanks() < 2
            ? Optional.empty()
            : Optional.of(
                actual
                    .map(paths -> new ChannelRoutes(communicator.connection(), settings, paths))
                    .orElseGet(() -> new ChannelRoutes(communicator.connection(), settings)));
    this.kinds =
        routes
            .map(first -> kinds(communicator.connection(), settings, first, concurrent))
            .orElse(List.of());
  }

  private static List<ChannelRoutes> kinds(
      Connection connection,
      NcclSettings settings,
      ChannelRoutes first,
      Optional<ConcurrentGroups> concurrent) {
    return connection
        .kindNodes()
        .mapToObj(
            node -> {
              ChannelRoutes alone =
                  node == 0 ? first : ChannelRoutes.ofNode(connection, settings, node);
              return concurrent
                  .map(groups -> alone.beside(onMachine(groups, settings, node)))
                  .orElse(alone);
            })
        .toList();
  }

  /** The routes of other communicators on the machine of a node. */
  private static List<ChannelRoutes> onMachine(
      ConcurrentGroups groups, NcclSettings settings, int node) {
    int machine = groups.groups().get(groups.own()).machines().get(0).get(node);
    List<ChannelRoutes> routes = new ArrayList<>();
    for (int group = 0; group < groups.groups().size(); group++) {
      ConcurrentGroups.Group of = groups.groups().get(group);
      for (int place = group == groups.own() ? 1 : 0; place < of.machines().size(); place++) {
        int host = of.machines().get(place).indexOf(machine);
        if (host >= 0) {
          routes.add(ChannelRoutes.ofNode(of.connection(), settings, host));
        }
      }
    }
    return routes;
  }

  /** Communicators that make equal calls at the same time, this one included. */
  public Optional<ConcurrentGroups> concurrent() {
    return concurrent;
  }

  public Communicator communicator() {
    return communicator;
  }

  /** The paths of the actual machine; empty if it is the declared one. */
  public Optional<Paths> actual() {
    return actual;
  }

  /** The routes of the communicator's data; empty between nodes and for a single rank. */
  public Optional<ChannelRoutes> routes() {
    return routes;
  }

  /** How calls are made. */
  public CallContext context() {
    return context;
  }

  /**
   * True if NCCL registers the user's buffers with other ranks where its algorithms use
   * registration.
   */
  public boolean isRegistered() {
    return registered;
  }

  /** GPUs that one process drives. */
  int gpusPerProcess() {
    return context.gpusPerProcess();
  }

  /**
   * The launch parameters of a call; empty if NCCL refuses it or the model does not cover it.
   *
   * @param forced the forced algorithm and protocol; empty for NCCL's choice
   */
  public Optional<CallShape> shape(CollectiveCall call, Optional<Pair> forced, boolean inPlace) {
    return choice(call, forced).flatMap(choice -> shape(call, choice, inPlace));
  }

  /** NCCL's choice for a call, or the forced pair; empty if NCCL refuses the call. */
  public Optional<Choice> choice(CollectiveCall call, Optional<Pair> forced) {
    Tuner tuner = communicator.tuner();
    return forced
        .map(pair -> tuner.decide(call, pair.algorithm(), pair.protocol()))
        .orElseGet(() -> tuner.decide(call))
        .choice();
  }

  /**
   * The most loaded link of the actual machine when an algorithm runs on some channels; empty where
   * the model does not know the routes.
   */
  Optional<BusyLink> busiestLink(Algorithm algorithm, int channels) {
    if (routes.isEmpty() || facts.nNodes() > 1) {
      return Optional.empty();
    }
    return switch (algorithm) {
      case RING -> routes.get().busiestOfRings(channels);
      case NVLS -> routes.get().busiestOfRings(1);
      case TREE -> routes.get().busiestOfTrees(channels);
      case COLLNET_DIRECT, COLLNET_CHAIN, NVLS_TREE, PAT -> Optional.empty();
    };
  }

  /** The launch parameters of a call with a valid choice; empty if the model does not cover it. */
  Optional<CallShape> shape(CollectiveCall call, Choice choice, boolean inPlace) {
    return shape(
        call, choice, inPlace, registered && !(inPlace && isOnlyOutOfPlace(call.collective())));
  }

  /**
   * The same.
   *
   * @param direct whether ranks access the registered buffers of other ranks
   */
  Optional<CallShape> shape(CollectiveCall call, Choice choice, boolean inPlace, boolean direct) {
    return facts.nNodes() > 1
        ? Optional.empty()
        : insideNode(0, call, choice, choice.algorithm(), facts.nRanks(), inPlace, direct);
  }

  /**
   * The launch parameters of a call between nodes, for each kind of node in order; none if the
   * model does not cover it. Rings and trees count all ranks of the job, as channels make a step
   * for each rank; NVLink multicast counts the ranks of a node.
   */
  public List<CallShape> insideNodes(CollectiveCall call, Choice choice, boolean inPlace) {
    return switch (choice.algorithm()) {
      case NVLS -> List.of();
      case NVLS_TREE -> onEachKind(call, choice, Algorithm.NVLS, facts.maxLocalRanks(), inPlace);
      default -> onEachKind(call, choice, choice.algorithm(), facts.nRanks(), inPlace);
    };
  }

  /**
   * The launch parameters of a call between nodes by an algorithm without a known run, for each
   * kind of node in order: PAT copies as a ring does, a chain as a tree, and heads exchange as much
   * as a ring of the node. None if no algorithm inside nodes resembles it.
   */
  List<CallShape> likeInsideNodes(CollectiveCall call, Choice choice) {
    boolean reduces = call.collective() == Collective.ALL_REDUCE;
    boolean isPat = choice.algorithm() == Algorithm.PAT && facts.maxLocalRanks() == 1;
    Optional<Algorithm> like =
        switch (choice.algorithm()) {
          case PAT -> Optional.of(Algorithm.RING).filter(ring -> isPat);
          case COLLNET_CHAIN -> Optional.of(Algorithm.TREE).filter(tree -> reduces);
          case COLLNET_DIRECT -> Optional.of(Algorithm.RING).filter(ring -> reduces);
          case NVLS -> Optional.of(Algorithm.NVLS).filter(nvls -> reduces);
          case RING, TREE, NVLS_TREE -> Optional.empty();
        };
    int ranks = isPat ? facts.nRanks() : facts.maxLocalRanks();
    return like.map(algorithm -> onEachKind(call, choice, algorithm, ranks, false))
        .orElse(List.of());
  }

  private List<CallShape> onEachKind(
      CollectiveCall call, Choice choice, Algorithm algorithm, int nRanks, boolean inPlace) {
    List<CallShape> shapes =
        IntStream.range(0, kinds.size())
            .mapToObj(
                kind -> insideNode(kind, call, choice, algorithm, nRanks, inPlace, registered))
            .flatMap(Optional::stream)
            .toList();
    return shapes.size() < kinds.size() ? List.of() : shapes;
  }

  private Optional<CallShape> insideNode(
      int kind,
      CollectiveCall call,
      Choice choice,
      Algorithm algorithm,
      int nRanks,
      boolean inPlace,
      boolean direct) {
    if (routes.isEmpty() || nRanks < 2 || !CallShape.isCovered(call.collective(), algorithm)) {
      return Optional.empty();
    }
    ChannelShare.Share share = ChannelShare.share(facts, call, choice);
    int channels = Math.max(1, share.channels());
    int chunk = chunkBytes(call, choice, share.largestBytes(), channels);
    TrafficRoute route = route(kind, algorithm, channels).times(context.groups());
    if (algorithm == Algorithm.NVLS && !isAllNvlink(route.together())) {
      return Optional.empty();
    }
    return Optional.of(
        new CallShape(
            call.collective(),
            algorithm,
            choice.protocol(),
            inPlace,
            nRanks,
            context.gpusPerProcess(),
            channels,
            choice.threads(),
            share.largestBytes(),
            chunk,
            route,
            direct && !route.together().throughHost(),
            call.dataType()));
  }

  /**
   * True if NVLS and NVLSTree use their default channels and chunks, as in all published
   * measurements.
   */
  boolean hasUsualNvls() {
    return Chunking.hasUsualNvlsChunks(settings, buffers)
        && communicator.connection().nvls().channels() == usualNvlsChannels();
  }

  private int usualNvlsChannels() {
    Connection connection = communicator.connection();
    return facts.nNodes() > 1
        ? connection.nvls().usualChannels()
        : communicator.profile().connect().nvlsChannelsAlone(connection.minSm());
  }

  /** True if neither a calibration nor its range was derived from machines like the first node. */
  boolean isBorrowed(Calibration calibration) {
    return facts.nNodes() == 1
        && CalibrationChoice.isBorrowed(
            calibration,
            actual
                .map(Paths::topology)
                .orElseGet(() -> communicator.connection().domain(0).topology()));
  }

  /** True if neighbours on a ring of the first node exchange data through the host. */
  boolean isThroughHost() {
    return !kinds.isEmpty() && route(0, Algorithm.RING, 1).together().throughHost();
  }

  /** True if no setting changes the threads of a channel, as in most measurements. */
  boolean hasUsualThreads() {
    return usualThreads;
  }

  /** Bytes that a channel moves in one step; with NVLS and NVLSTree a chunk for each head. */
  private int chunkBytes(CollectiveCall call, Choice choice, long shareBytes, int channels) {
    Connection connection = communicator.connection();
    if (choice.algorithm().isNvls() && connection.nvls().isSupported()) {
      int heads = connection.nvls().nHeads();
      return choice.algorithm() == Algorithm.NVLS
          ? Chunking.nvlsBytes(call.sizeBytes(), channels, heads, buffers, settings)
          : Chunking.nvlsTreeBytes(call.sizeBytes(), channels, heads, facts.nNodes(), settings);
    }
    boolean byDepth =
        choice.algorithm() == Algorithm.TREE
            && choice.protocol() == Protocol.SIMPLE
            && communicator.profile().launch().treeChunksByDepth;
    if (byDepth) {
      return Chunking.treeBytes(shareBytes, facts.nNodes(), facts.nRanks(), buffers);
    }
    return Chunking.chunkBytes(
        call.collective(),
        choice.algorithm(),
        choice.protocol(),
        shareBytes,
        facts.nNodes(),
        facts.nRanks(),
        buffers);
  }

  /**
   * True if kernels write to the registered buffers of other ranks only where a call has two
   * ({@code ncclRegisterCollBuffers}, {@code nccl:src/register/coll_reg.cc}). Constants of replays
   * were fitted without that difference.
   */
  private boolean isOnlyOutOfPlace(Collective collective) {
    return collective == Collective.ALL_REDUCE && context.buffers() != Buffers.PLAIN;
  }

  private static boolean isAllNvlink(Contention together) {
    return together.nvlinkPsPerByte() > 0
        && together.otherPsPerByte() == 0
        && !together.throughHost();
  }

  private TrafficRoute route(int kind, Algorithm algorithm, int channels) {
    ChannelRoutes of = kinds.get(kind);
    return known.computeIfAbsent(
        new RouteKey(kind, algorithm, channels),
        key ->
            switch (algorithm) {
              case TREE -> of.tree(channels);
              // With NVLS all data of a GPU goes to the switch, as on one channel of a ring.
              case NVLS -> of.ring(1);
              default -> of.ring(channels);
            });
  }
}
