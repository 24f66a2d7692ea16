package dev.topo.search.engine;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.NetNode;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.engine.FruitlessAttempts.State;
import dev.topo.search.engine.GpuOrder.NetPreference;
import dev.topo.search.engine.PathRoute.BandwidthLedger;
import dev.topo.search.engine.PortChoice.PortBandwidth;
import dev.topo.search.engine.RouteTaker.StarRoutes;
import dev.topo.search.engine.SearchMonitor.StepBudget;
import dev.topo.search.path.Domain;
import dev.topo.search.rules.SearchRules.FirstGpus;
import dev.topo.search.rules.SearchRules.Heads;
import java.util.OptionalInt;

/**
 * Finds as many channels as fit under given constraints, by depth-first search with undo: one
 * channel after the other, one GPU after the other, taking bandwidth from the links of each path
 * ({@code ncclTopoSearchRec} and what it calls, {@code nccl:src/graph/search.cc}). Exponential in
 * the number of GPUs, cut off by a {@link StepBudget}; deterministic.
 *
 * <p>Rounding errors of the bandwidth accumulate over attempts, as in NCCL: use one engine for all
 * searches on a domain, in NCCL's order. Not thread-safe.
 */
public final class ChannelEngine {
  /** The order of GPUs that a channel must follow. */
  private enum ForcedOrder {
    NONE,
    /** The order of the file, which is that of the PCI bus. */
    PCI,
    /** The order of the previous channel. */
    REPLAY
  }

  /**
   * The steps at which a channel goes back to the network or to its first GPU, or {@link #NOWHERE}.
   */
  private record ChannelTurnaround(int toNet, int toFirst) {
    static final int NOWHERE = -1;
    static final ChannelTurnaround NONE = new ChannelTurnaround(NOWHERE, NOWHERE);

    static ChannelTurnaround of(Pattern pattern, boolean crossesNetwork, int gpus) {
      if (!crossesNetwork) {
        return new ChannelTurnaround(NOWHERE, pattern == Pattern.RING ? gpus - 1 : NOWHERE);
      }
      int toNet =
          switch (pattern) {
            case RING -> gpus - 1;
            case SPLIT_TREE -> 1;
            default -> 0;
          };
      return new ChannelTurnaround(toNet, NOWHERE);
    }

    ChannelTurnaround withNet(int newToNet) {
      return new ChannelTurnaround(newToNet, toFirst);
    }

    ChannelTurnaround withoutFirst() {
      return new ChannelTurnaround(toNet, NOWHERE);
    }
  }

  private final SearchSpace space;
  private final RouteTaker routes;
  private final StarRoutes stars;
  private final GpuOrder gpuOrder;
  private final PortChoice portChoice;

  private final BandwidthLedger ledger;
  private final PortBandwidth portBw;
  private final FruitlessAttempts fruitless;
  private final boolean replaysDifferentChannels;
  private final boolean firstGpusByTurns;

  /** For each GPU, a bit mask of the channels that contain it. */
  private final long[] used;

  private final int[] gpus;
  private final int[] ports;

  /** Buffers for the candidates of each level of the recursion. */
  private final int[][] candidates;

  private int level;

  private Constraints constraints;
  private boolean collNet;
  private boolean alternating;
  private int nChannels;
  private float latencyInter;
  private Solution best;
  private boolean improved;
  private GraphKind kind = GraphKind.RING;
  private SearchMonitor monitor = SearchMonitor.NONE;
  private StepBudget budget = new StepBudget(0);

  ChannelEngine(Domain domain, NcclSettings userSettings) {
    NcclSettings settings = domain.profile().complete(userSettings);
    space = new SearchSpace(domain, settings);
    constraints = new Constraints(Pattern.RING, 0, 0, 0, PathType.LOC, PathType.LOC, true, 1, 1);
    ledger = new BandwidthLedger(domain.paths().linkTable(), space.rules);
    routes = new RouteTaker(ledger, space, constraints);
    stars = new StarRoutes(space, routes);
    gpuOrder = new GpuOrder(space, ledger);
    portChoice = new PortChoice(space, settings.netDevsPolicy(), settings.scatterNets());
    portBw = new PortBandwidth(space);
    fruitless = new FruitlessAttempts(space);
    replaysDifferentChannels = space.rules.replaysDifferentChannels;
    firstGpusByTurns = space.rules.firstGpus == FirstGpus.FASTEST_BY_TURNS;
    used = new long[space.gpus];
    // Up to 2.24.3 NVLS has a channel for each GPU, however many there are.
    int maxChannels =
        Math.max(space.rules.maxChannels, Math.min(space.rules.nvlsHeads, space.gpus));
    gpus = new int[(maxChannels + 1) * space.gpus];
    ports = new int[(maxChannels + 1) * 2];
    candidates = new int[(maxChannels + 1) * space.gpus][];
    best = new Solution(space, constraints);
  }

  /** A solution without channels for a search that begins with these constraints. */
  Solution emptySolution(Constraints initial) {
    return new Solution(space, initial);
  }

  /**
   * Sets the hop count to that of a solution; to be called before the first search for it and after
   * every change of it outside a search. A new graph begins at 0; NCCL continues from the hops
   * found so far when it tries to raise the bandwidth.
   */
  void countHopsFrom(Solution solution) {
    routes.countFrom(solution.hops());
    fruitless.clear();
  }

  /**
   * Searches under the constraints {@code attempt} and improves {@code solution} where it finds
   * better channels.
   *
   * @param graphKind purpose of the channels
   */
  void search(
      GraphKind graphKind,
      Constraints attempt,
      Solution solution,
      StepBudget steps,
      SearchMonitor watcher) {
    OptionalInt knownSteps =
        watcher.observesObstacles() ? OptionalInt.empty() : fruitless.steps(graphKind, attempt);
    if (knownSteps.isPresent()) {
      steps.takeAll(knownSteps.getAsInt());
      return;
    }
    kind = graphKind;
    monitor = watcher;
    collNet = graphKind.isCollNet();
    constraints = attempt;
    alternating = alternates(attempt);
    routes.begin(graphKind, attempt, watcher);
    best = solution;
    improved = false;
    nChannels = 0;
    budget = steps;
    State before = state();
    nextChannel();
    if (!improved && before.isSame(state())) {
      fruitless.add(graphKind, attempt, steps.taken());
    } else {
      fruitless.clear();
    }
  }

  private State state() {
    return new State(ledger.left(), portBw.left(), routes.hops());
  }

  /** True if every second channel uses the ports of the previous one in reverse. */
  private boolean alternates(Constraints attempt) {
    return attempt.crossNic() == space.rules.triedCrossNic
        && switch (space.rules.alternating) {
          case RINGS -> attempt.pattern() == Pattern.RING;
          case ALL -> true;
          case NONE -> false;
        };
  }

  private void nextChannel() {
    ChannelTurnaround turns =
        ChannelTurnaround.of(constraints.pattern(), space.crossesNetwork, space.gpus);
    if (space.crossesNetwork) {
      startAtPorts(turns);
    } else {
      startAtGpus(turns);
    }
  }

  private void startAtGpus(ChannelTurnaround turns) {
    if (constraints.pattern() == Pattern.NVLS) {
      enterFirst(nChannels, turns, ForcedOrder.NONE);
      return;
    }
    if (nChannels == 0) {
      enterFirst(0, turns, ForcedOrder.PCI);
    } else {
      enterFirst(previousChannel(0), turns, ForcedOrder.REPLAY);
    }
    if (!constraints.sameChannels() || nChannels == 0) {
      for (int g = 0; g < space.gpus; g++) {
        enterFirst(g, turns, ForcedOrder.NONE);
      }
    }
  }

  private void enterFirst(int gpu, ChannelTurnaround turns, ForcedOrder order) {
    long channel = 1L << nChannels;
    used[gpu] ^= channel;
    visit(gpu, 0, turns, order);
    used[gpu] ^= channel;
  }

  private void startAtPorts(ChannelTurnaround turns) {
    // NCCL counts the bandwidth of ports in whole GB/s.
    int wholeBw = (int) constraints.bwInter();
    int[] choice = portChoice.forAnyGpu(constraints.typeInter());
    boolean headsOnly =
        constraints.pattern() == Pattern.NVLS || constraints.pattern() == Pattern.COLLNET_DIRECT;
    boolean headFound = false;
    int tried =
        headsOnly && space.rules.heads == Heads.ONE_FOR_EACH_PORT
            ? Math.min(1, choice.length)
            : choice.length;
    for (int i = 0; i < tried && !(headsOnly && headFound); i++) {
      int port = choice[(nChannels + i) % choice.length];
      NetNode node = space.netNodes.get(port);
      if ((collNet && !node.collNet()) || !portBw.has(port, wholeBw) || !mayStartAt(port)) {
        continue;
      }
      ports[nChannels * 2] = space.firstLike[port];
      latencyInter = node.latencyUs();
      portBw.take(port, wholeBw);
      boolean givesBack = true;
      if (!headsOnly) {
        givesBack = startChain(port, turns);
      } else if (nChannels < choice.length) {
        boolean isHead = isHead(space.driver[port]);
        headFound |= !isHead && startHead(port, turns);
        givesBack = !isHead || space.rules.heads != Heads.DISTINCT_GPUS_LOSING_PORTS;
      }
      if (givesBack) {
        portBw.giveBack(port, wholeBw);
      }
    }
  }

  /** With alternating channels, every second one begins where the previous one ended. */
  private boolean mayStartAt(int port) {
    boolean second = (nChannels & 1) == 1;
    return !(alternating && second) || space.firstLike[port] == ports[(nChannels - 1) * 2 + 1];
  }

  private boolean isHead(int gpu) {
    if (space.rules.heads == Heads.ONE_FOR_EACH_PORT) {
      return false;
    }
    for (int c = 0; c < nChannels; c++) {
      if (gpus[c * space.gpus] == gpu) {
        return true;
      }
    }
    return false;
  }

  /** Starts a channel at the GPU that drives a port; false if NCCL then tries the next port. */
  private boolean startHead(int port, ChannelTurnaround turns) {
    int gpu = space.driver[port];
    if (gpu < 0) {
      if (space.rules.heads == Heads.DISTINCT_GPUS_LOSING_PORTS && nChannels > 0) {
        throw new UnusableTopologyException(
            "no GPU is next to port %s, which this release does not check in its search for %s"
                .formatted(space.netNodes.get(port).name(), constraints.pattern()));
      }
      return space.rules.heads != Heads.DISTINCT_GPUS;
    }
    enterFromPort(port, gpu, turns, ForcedOrder.NONE);
    return true;
  }

  /**
   * Starts a channel at the GPUs near a port. False if the port reaches no GPU; NCCL leaves the
   * loop there without giving the bandwidth of the port back.
   */
  private boolean startChain(int port, ChannelTurnaround turns) {
    if (nChannels > 0 && (constraints.sameChannels() || replaysDifferentChannels)) {
      enterFromPort(port, previousChannel(0), turns, ForcedOrder.REPLAY);
      if (constraints.sameChannels()) {
        return true;
      }
    }
    if (nChannels == 0 && !space.hasNvSwitch) {
      StepBudget attemptBudget = budget;
      budget = new StepBudget(space.rules.stepsPciOrder);
      enterFromPort(port, 0, turns, ForcedOrder.PCI);
      if (budget.isPerfect()) {
        attemptBudget.endPerfect();
      }
      budget = attemptBudget;
    }
    int[] first = space.firstGpus[port];
    int begin = firstGpusByTurns ? indexOfTurn(first, nChannels % space.gpus) : 0;
    for (int i = 0; i < first.length; i++) {
      enterFromPort(port, first[(begin + i) % first.length], turns, ForcedOrder.NONE);
    }
    return first.length > 0 || firstGpusByTurns;
  }

  /** Index of the first GPU in file order that is not before the GPU {@code turn}. */
  private static int indexOfTurn(int[] gpus, int turn) {
    int index = 0;
    while (index < gpus.length && gpus[index] < turn) {
      index++;
    }
    return index;
  }

  private void enterFromPort(int port, int gpu, ChannelTurnaround turns, ForcedOrder order) {
    PathRoute route = space.netToGpu(port, gpu);
    if (routes.takeToPort(route, space.gpuToNet(gpu, port), constraints.bwInter())) {
      long channel = 1L << nChannels;
      used[gpu] ^= channel;
      visit(gpu, 0, turns, order);
      used[gpu] ^= channel;
      routes.giveBackToPort(route, constraints.bwInter());
    }
  }

  /** The GPU at a step of the previous channel. */
  private int previousChannel(int step) {
    return gpus[(nChannels - 1) * space.gpus + step];
  }

  private void visit(int gpu, int step, ChannelTurnaround turns, ForcedOrder order) {
    if (!budget.take()) {
      return;
    }
    if (step == space.gpus) {
      channelComplete();
      return;
    }
    gpus[nChannels * space.gpus + step] = gpu;
    if (step == turns.toNet()) {
      backToNet(gpu, step, turns, order);
    } else if (constraints.pattern() == Pattern.NVLS) {
      stars.throughSwitch(
          gpu, () -> visit(gpu, space.gpus, ChannelTurnaround.NONE, ForcedOrder.NONE));
    } else if (constraints.pattern() == Pattern.COLLNET_DIRECT) {
      stars.toHead(gpu, () -> joinAll(gpu));
    } else if (step < space.gpus - 1) {
      if (order == ForcedOrder.NONE) {
        tryInOrder(gpu, step, turns);
      } else {
        tryGpu(gpu, forcedGpu(step + 1, order), step + 1, turns, order);
      }
    } else if (step == turns.toFirst()) {
      backToFirst(gpu, step, turns, order);
    } else {
      visit(gpu, space.gpus, ChannelTurnaround.NONE, order);
    }
  }

  private void channelComplete() {
    nChannels++;
    if (isBetter()) {
      improved = true;
      best.set(constraints, nChannels, routes.hops(), latencyInter, gpus, ports);
      monitor.improved(kind, nChannels, routes.hops());
      if (nChannels == constraints.maxChannels()) {
        budget.endPerfect();
      }
    }
    if (nChannels < constraints.maxChannels()) {
      nextChannel();
    }
    nChannels--;
  }

  /** {@code ncclTopoCompareGraphs}. */
  private boolean isBetter() {
    if (nChannels < constraints.minChannels()) {
      return false;
    }
    Constraints bestSoFar = best.constraints();
    if (constraints.pattern() == Pattern.NVLS) {
      return (nChannels > best.nChannels() && nChannels <= space.gpus)
          || nChannels * constraints.bwInter() > best.nChannels() * bestSoFar.bwInter();
    }
    float bw = nChannels * constraints.bwIntra();
    // Solutions that differ in crossNic are compared with a handicap.
    int difference = bestSoFar.crossNic() - constraints.crossNic();
    float handicap = (float) (1.0 - difference * space.rules.crossNicHandicap);
    float bestBw = best.nChannels() * bestSoFar.bwIntra() * handicap;
    if (bw != bestBw) {
      return bw > bestBw;
    }
    return constraints.pattern() == bestSoFar.pattern()
        && constraints.crossNic() == bestSoFar.crossNic()
        && routes.hops() < best.hops();
  }

  private void backToNet(int gpu, int step, ChannelTurnaround turns, ForcedOrder order) {
    int startPort = ports[nChannels * 2];
    boolean balanced = constraints.pattern() == Pattern.BALANCED_TREE;
    // A balanced tree goes to the network at its first and at its second GPU, with half of the
    // bandwidth each.
    ChannelTurnaround next = turns.withNet(balanced && step == 0 ? 1 : ChannelTurnaround.NOWHERE);
    float bw = balanced ? constraints.bwInter() / 2 : constraints.bwInter();
    for (int port : portChoice.forGpu(gpu, constraints.typeInter())) {
      if (!mayEndAt(port, startPort, step)) {
        continue;
      }
      PathRoute route = space.gpuToNet(gpu, port);
      if (routes.takeToPort(route, space.netToGpu(port, gpu), bw)) {
        ports[nChannels * 2 + 1] = space.firstLike[port];
        visit(gpu, step, next, order);
        routes.giveBackToPort(route, bw);
      }
    }
  }

  /** {@code ncclTopoSearchCheckNet}. */
  private boolean mayEndAt(int port, int startPort, int step) {
    Pattern pattern = constraints.pattern();
    int named = space.firstLike[port];
    if (space.rails.isOnOtherPlane(port, startPort)) {
      return false;
    }
    if (pattern == Pattern.TREE && named != startPort) {
      return false;
    }
    if (alternating) {
      if ((nChannels & 1) == 1 && named != ports[(nChannels - 1) * 2]) {
        return false;
      }
    } else if (constraints.crossNic() == 0 && !space.rails.isOnSameRail(port, startPort)) {
      return false;
    }
    return pattern != Pattern.BALANCED_TREE || step == 0 || named == ports[nChannels * 2 + 1];
  }

  private int forcedGpu(int step, ForcedOrder order) {
    return order == ForcedOrder.PCI ? step : previousChannel(step);
  }

  private void tryInOrder(int gpu, int step, ChannelTurnaround turns) {
    NetPreference preference = NetPreference.NONE;
    if (turns.toNet() != ChannelTurnaround.NOWHERE) {
      preference = turns.toNet() == step + 1 ? NetPreference.NEAR_FIRST : NetPreference.NEAR_LAST;
    }
    int[] next = takeBuffer();
    int startPort = space.crossesNetwork ? ports[nChannels * 2] : 0;
    int count =
        gpuOrder.next(
            gpu, preference, startPort, constraints.pattern(), used, 1L << nChannels, next);
    for (int i = 0; i < count; i++) {
      tryGpu(gpu, next[i], step + 1, turns, ForcedOrder.NONE);
    }
    level--;
  }

  private int[] takeBuffer() {
    if (level == candidates.length) {
      throw new IllegalStateException("more levels than GPUs and channels");
    }
    int[] buffer = candidates[level];
    if (buffer == null) {
      buffer = new int[space.gpus];
      candidates[level] = buffer;
    }
    level++;
    return buffer;
  }

  private void tryGpu(int from, int to, int step, ChannelTurnaround turns, ForcedOrder order) {
    PathRoute route = space.gpuToGpu(from, to);
    if (routes.takeInside(route, space.gpuToGpu(to, from), 1)) {
      long channel = 1L << nChannels;
      used[to] ^= channel;
      visit(to, step, turns, order);
      used[to] ^= channel;
      routes.giveBackInside(route, 1);
    }
  }

  private void backToFirst(int gpu, int step, ChannelTurnaround turns, ForcedOrder order) {
    int first = gpus[nChannels * space.gpus];
    PathRoute route = space.gpuToGpu(gpu, first);
    if (routes.takeInside(route, space.gpuToGpu(first, gpu), 1)) {
      visit(first, step + 1, turns.withoutFirst(), order);
      routes.giveBackInside(route, 1);
    }
  }

  /** Adds all other GPUs to the channel of a head. */
  private void joinAll(int head) {
    int step = nChannels * space.gpus;
    for (int g = 0; g < space.gpus; g++) {
      if (g != head) {
        gpus[++step] = g;
      }
    }
    visit(head, space.gpus, ChannelTurnaround.NONE, ForcedOrder.NONE);
  }
}
