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

/**
 * Derives the launch parameters that determine a call's time inside a node. Keeps the routes that
 * it has found; not for use by several threads.
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

  /** The routes of the nodes of a job, those of equal nodes once. */
  private final List<ChannelRoutes> kinds;

  private final Map<RouteKey, TrafficRoute> known = new HashMap<>();

  /**
   * For a communicator on the actual machine.
   *
   * @param actual the paths of the actual machine; empty if it is the declared one
   * @param gpusPerProcess GPUs that one process drives; 0 where a CUDA graph holds the kernels
   */
  public CallPlanner(Communicator communicator, Optional<Paths> actual, int gpusPerProcess) {
    this(communicator, actual, CallContext.USUAL.withGpusPerProcess(gpusPerProcess));
  }

  /**
   * For a communicator on the actual machine.
   *
   * @param actual the paths of the actual machine; empty if it is the declared one
   * @param context how its calls are made
   */
  public CallPlanner(Communicator communicator, Optional<Paths> actual, CallContext context) {
    this(communicator, actual, context, Optional.empty());
  }

  /**
   * For a communicator on the actual machine, beside others.
   *
   * @param actual the paths of the actual machine; empty if it is the declared one
   * @param context how its calls are made
   * @param concurrent communicators that make equal calls at the same time, itself included
   */
  public CallPlanner(
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
    List<ChannelRoutes> kinds = new ArrayList<>();
    connection
        .kindNodes()
        .forEach(
            node -> {
              ChannelRoutes alone =
                  node == 0 ? first : ChannelRoutes.ofNode(connection, settings, node);
              kinds.add(
                  concurrent
                      .map(groups -> alone.beside(onMachine(groups, settings, node)))
                      .orElse(alone));
            });
    return kinds;
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

  /** Communicators that make equal calls at the same time, its own included. */
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

  /** True if NCCL registers the user's buffers with other ranks where it can use that. */
  public boolean isRegistered() {
    return registered;
  }

  /** GPUs that one process drives. */
  public int gpusPerProcess() {
    return context.gpusPerProcess();
  }

  /**
   * The launch parameters of a call; empty if NCCL refuses it or the model does not cover it.
   *
   * @param forced what NCCL is made to use; empty for its own choice
   */
  public Optional<CallShape> shape(CollectiveCall call, Optional<Pair> forced, boolean inPlace) {
    return choice(call, forced).flatMap(choice -> shape(call, choice, inPlace));
  }

  /** NCCL's choice for a call, or for a pair that is forced; empty if it refuses the call. */
  public Optional<Choice> choice(CollectiveCall call, Optional<Pair> forced) {
    Tuner tuner = communicator.tuner();
    return forced
        .map(pair -> tuner.decide(call, pair.algorithm(), pair.protocol()))
        .orElseGet(() -> tuner.decide(call))
        .choice();
  }

  /**
   * The link of the actual machine that has the most to carry when an algorithm runs on some
   * channels; empty where the model does not know the routes.
   */
  public Optional<BusyLink> busiestLink(Algorithm algorithm, int channels) {
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

  /** Work of a call by a choice that NCCL can follow; empty if the model does not cover it. */
  Optional<CallShape> shape(CollectiveCall call, Choice choice, boolean inPlace) {
    return shape(
        call, choice, inPlace, registered && !(inPlace && isOnlyOutOfPlace(call.collective())));
  }

  /**
   * The same.
   *
   * @param direct whether ranks access the user's buffers of others
   */
  Optional<CallShape> shape(CollectiveCall call, Choice choice, boolean inPlace, boolean direct) {
    return facts.nNodes() > 1
        ? Optional.empty()
        : insideNode(0, call, choice, choice.algorithm(), facts.nRanks(), inPlace, direct);
  }

  /**
   * Work of a call between nodes on each kind of them, in order; none if the model does not cover
   * it. Rings and trees have all ranks, as channels make a step for each; NVLink multicast those of
   * a node.
   */
  public List<CallShape> insideNodes(CollectiveCall call, Choice choice, boolean inPlace) {
    boolean isTree = choice.algorithm() == Algorithm.NVLS_TREE;
    if (choice.algorithm() == Algorithm.NVLS) {
      return List.of();
    }
    List<CallShape> shapes = new ArrayList<>();
    for (int kind = 0; kind < kinds.size(); kind++) {
      insideNode(
              kind,
              call,
              choice,
              isTree ? Algorithm.NVLS : choice.algorithm(),
              isTree ? facts.maxLocalRanks() : facts.nRanks(),
              inPlace,
              registered)
          .ifPresent(shapes::add);
    }
    return shapes.size() < kinds.size() ? List.of() : shapes;
  }

  /**
   * Work of a call between nodes by an algorithm of which no run is known, on each kind of them, in
   * order: PAT copies as a ring does, a chain as a tree, and heads exchange as much as a ring of
   * the node. None if no algorithm inside nodes is like it.
   */
  public List<CallShape> likeInsideNodes(CollectiveCall call, Choice choice) {
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
    List<CallShape> shapes = new ArrayList<>();
    for (int kind = 0; like.isPresent() && kind < kinds.size(); kind++) {
      int ranks = isPat ? facts.nRanks() : facts.maxLocalRanks();
      insideNode(kind, call, choice, like.get(), ranks, false, registered).ifPresent(shapes::add);
    }
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
   * True if NVLS and NVLSTree have the channels and chunks that they have without settings, those
   * of all published measurements.
   */
  public boolean hasUsualNvls() {
    return Chunking.hasUsualNvlsChunks(settings, buffers)
        && communicator.connection().nvls().channels() == usualNvlsChannels();
  }

  private int usualNvlsChannels() {
    Connection connection = communicator.connection();
    return facts.nNodes() > 1
        ? connection.nvls().usualChannels()
        : communicator.profile().connect().nvlsChannelsAlone(connection.minSm());
  }

  /**
   * True if a calibration and its range rest on no time of machines like that of the first node.
   */
  boolean isBorrowed(Calibration calibration) {
    return facts.nNodes() == 1
        && CalibrationChoice.isBorrowed(
            calibration,
            actual
                .map(Paths::topology)
                .orElseGet(() -> communicator.connection().domain(0).topology()));
  }

  /**
   * True if GPUs of the first node that are neighbours on a ring exchange data through the host.
   */
  boolean isThroughHost() {
    return !kinds.isEmpty() && route(0, Algorithm.RING, 1).together().throughHost();
  }

  /** True if no setting changes the threads of a channel; most measurements have none. */
  boolean hasUsualThreads() {
    return usualThreads;
  }

  /** Bytes that a channel moves in one step; by NVLS and NVLSTree a chunk for each head. */
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
              // By NVLS all of a GPU goes to the switch, as one channel of a ring does.
              case NVLS -> of.ring(1);
              default -> of.ring(channels);
            });
  }
}
