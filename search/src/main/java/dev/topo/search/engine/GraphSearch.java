package dev.topo.search.engine;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.GraphReader;
import dev.topo.search.engine.SearchMonitor.AttemptEnd;
import dev.topo.search.engine.SearchMonitor.SearchOutcome;
import dev.topo.search.engine.SearchMonitor.StepBudget;
import dev.topo.search.engine.SearchSchedule.ScheduleFacts;
import dev.topo.search.path.Domain;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.SearchRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds the graphs of a domain as NCCL does when it creates a communicator: rings, then trees with
 * as many channels, then the graphs for in-network reduction and NVLink multicast ({@code
 * initTransportsRank}, {@code nccl:src/init.cc}, and {@code ncclTopoCompute}, {@code
 * nccl:src/graph/search.cc}). Used once, because each search begins with the rounded bandwidth that
 * the previous one gave back.
 */
public final class GraphSearch {
  private final Domain domain;
  private final SearchRules rules;
  private final Topology topology;
  private final NcclSettings settings;
  private final Optional<NodeGraphs> stated;
  private final SearchMonitor monitor;
  private final ScheduleFacts facts;
  private final ChannelEngine engine;

  /**
   * A search on a domain.
   *
   * @param stated graphs from NCCL_GRAPH_FILE; those with channels are used unchanged, the others
   *     are starting points of the search
   */
  public GraphSearch(
      Domain domain, NcclSettings settings, Optional<NodeGraphs> stated, SearchMonitor monitor) {
    this.domain = domain;
    this.rules = domain.profile().search();
    this.topology = domain.topology();
    this.settings = domain.profile().complete(settings);
    this.stated = stated;
    this.monitor = monitor;
    this.facts = ScheduleFacts.of(domain);
    this.engine = new ChannelEngine(domain, settings);
  }

  /**
   * All graphs of a domain under the given settings; those in NCCL_GRAPH_FILE are read from it.
   *
   * @param inputs reads that file
   */
  public static NodeGraphs findAll(Domain domain, NcclSettings settings, Inputs inputs) {
    return findAll(domain, settings, inputs, SearchMonitor.NONE);
  }

  public static NodeGraphs findAll(
      Domain domain, NcclSettings settings, Inputs inputs, SearchMonitor monitor) {
    return new GraphSearch(
            domain, settings, GraphFileSource.read(domain, settings, inputs), monitor)
        .findAll();
  }

  NodeGraphs findAll() {
    List<ChannelGraph> graphs = new ArrayList<>();
    ChannelGraph ring = find(GraphRequest.ring(domain.profile())).graph();
    graphs.add(ring);
    graphs.add(find(GraphRequest.likeRing(GraphKind.TREE, ring.nChannels())).graph());
    if (hasCollNet()) {
      graphs.add(find(GraphRequest.likeRing(GraphKind.COLLNET_CHAIN, ring.nChannels())).graph());
      if (rules.graphFormat.graphs().contains(GraphKind.COLLNET_DIRECT)) {
        graphs.add(find(GraphRequest.heads(GraphKind.COLLNET_DIRECT, domain.profile())).graph());
      }
    }
    if (hasNvls()) {
      graphs.add(find(GraphRequest.heads(GraphKind.NVLS, domain.profile())).graph());
    }
    return new NodeGraphs(graphs);
  }

  private boolean hasCollNet() {
    return settings.collNet() && topology.nets().stream().anyMatch(net -> net.collNet());
  }

  /**
   * True if NVLS is requested or enabled by default ({@code ncclNvlsInit}, {@code
   * nccl:src/transport/nvls.cc}).
   */
  private boolean hasNvls() {
    boolean multicast = topology.hasNvSwitch() && facts.minSm() >= rules.nvlsSm;
    int enable = settings.nvlsEnable();
    return topology.gpus().size() >= rules.nvlsMinGpus && (enable == 2 ? multicast : enable != 0);
  }

  /** Finds one graph; to be called in the order of {@link #findAll}. */
  public SearchOutcome find(GraphRequest request) {
    SearchOutcome outcome = DeepStack.call(facts.gpus(), () -> search(request));
    monitor.finished(request.kind(), outcome);
    return outcome;
  }

  private SearchOutcome search(GraphRequest request) {
    GraphKind kind = request.kind();
    int crossNic = crossNic(kind.pattern());
    Optional<ChannelGraph> given =
        stated.flatMap(graphs -> graphs.find(kind)).filter(graph -> isUsable(graph));
    if (given.isPresent() && given.get().nChannels() > 0) {
      return new SearchOutcome.NotSearched(given.get());
    }
    Constraints usual = initial(request, crossNic);
    Constraints initial = given.map(usual::beginningLike).orElse(usual);
    if (facts.gpus() == 1 && initial.pattern() != Pattern.RING) {
      initial = initial.with(c -> c.pattern = Pattern.TREE);
    }
    if (kind == GraphKind.NVLS && (!topology.hasNvSwitch() || facts.minSm() < rules.nvlsSm)) {
      return new SearchOutcome.NotSearched(engine.emptySolution(initial).toGraph(kind));
    }
    return search(kind, initial, crossNic);
  }

  /** NCCL ignores a graph that changes ports where the user forbids it. */
  private boolean isUsable(ChannelGraph graph) {
    return settings.crossNic() != 0 || graph.crossNic() != 1;
  }

  private int crossNic(Pattern pattern) {
    boolean mayChangePorts =
        pattern == Pattern.RING
            || pattern == Pattern.BALANCED_TREE
            || pattern == Pattern.SPLIT_TREE;
    return topology.nets().size() > 1 && mayChangePorts ? settings.crossNic() : 0;
  }

  private Constraints initial(GraphRequest request, int crossNic) {
    GraphKind kind = request.kind();
    int minChannels = request.minChannels();
    int maxChannels = request.maxChannels();
    if (kind == GraphKind.NVLS) {
      maxChannels = Math.min(rules.nvlsHeads, facts.gpus());
      // On one node every GPU must be a head, so that all carry the same load.
      minChannels = domain.crossesNetwork() ? minChannels : maxChannels;
    } else if (kind == GraphKind.COLLNET_DIRECT) {
      maxChannels = Math.min(rules.collNetHeads, facts.gpus());
    } else if (kind == GraphKind.RING && isSplitNvlink() && minChannels == 1 && maxChannels >= 2) {
      // Two NVLink islands with a slow link in between: trees do better there and need two
      // channels.
      minChannels = rules.islandsMinRings;
    }
    return new Constraints(
        kind.pattern(),
        crossNic == 1 ? 1 : 0,
        0,
        0,
        facts.typeIntra().nearest(),
        facts.typeInter().nearest(),
        kind.pattern() != Pattern.NVLS,
        minChannels,
        maxChannels);
  }

  /** True if NVLink forms exactly two groups of several GPUs ({@code ncclTopoSplitNvLink}). */
  private boolean isSplitNvlink() {
    int[] gpus = topology.indexes(NodeType.GPU);
    int[] group = new int[gpus.length];
    int[] members = new int[gpus.length];
    for (int g = 0; g < gpus.length; g++) {
      group[g] = g;
    }
    for (int g = 0; g < gpus.length; g++) {
      for (int p = g + 1; p < gpus.length; p++) {
        if (domain.paths().type(gpus[g], gpus[p]) == PathType.NVL) {
          group[p] = group[g];
        }
      }
      members[group[g]]++;
    }
    int groups = 0;
    for (int count : members) {
      groups += count > 1 ? 1 : 0;
    }
    return groups == 2;
  }

  private SearchOutcome search(GraphKind kind, Constraints initial, int crossNic) {
    float totalBw = facts.bandwidth().totalGBps();
    if (facts.gpus() == 1 && !rules.limitsSingleGpu) {
      totalBw = Float.POSITIVE_INFINITY;
    } else if (facts.gpus() > 1 && initial.pattern() != Pattern.RING) {
      totalBw = (float) (totalBw * (facts.gpus() * 1.0 / (facts.gpus() - 1)));
    }
    SearchSchedule schedule = new SearchSchedule(facts, initial, crossNic, totalBw);
    Solution best = engine.emptySolution(initial);
    engine.countHopsFrom(best);
    int attempts = 0;
    long steps = 0;
    boolean cutOff = false;
    StepBudget budget;
    boolean more;
    do {
      budget = schedule.budget();
      Constraints attempt = schedule.current();
      monitor.attemptStarted(kind, attempt);
      engine.search(kind, attempt, best, budget, monitor);
      monitor.attemptEnded(kind, attempt, end(budget), budget.taken());
      attempts++;
      steps += budget.taken();
      cutOff |= budget.isExhausted();
      boolean firstPass = !schedule.isSecondPass();
      int found = best.nChannels();
      more = schedule.advance(best, budget);
      if (firstPass && schedule.isSecondPass()) {
        engine.countHopsFrom(best);
        monitor.secondPass(kind, found, best.nChannels());
      }
    } while (more);
    return outcome(kind, best, cutOff, new SearchOutcome.Stats(attempts, steps));
  }

  private static AttemptEnd end(StepBudget budget) {
    if (budget.isPerfect()) {
      return AttemptEnd.PERFECT;
    }
    return budget.isExhausted() ? AttemptEnd.OUT_OF_STEPS : AttemptEnd.COMPLETE;
  }

  private SearchOutcome outcome(
      GraphKind kind, Solution best, boolean cutOff, SearchOutcome.Stats stats) {
    ChannelGraph graph = best.toGraph(kind);
    if (graph.nChannels() == 0) {
      boolean mustHave = kind == GraphKind.RING || kind == GraphKind.TREE;
      return new SearchOutcome.Infeasible(mustHave ? fallback(graph) : graph, stats);
    }
    return cutOff
        ? new SearchOutcome.BudgetExhausted(graph, stats)
        : new SearchOutcome.Found(graph, stats);
  }

  private ChannelGraph fallback(ChannelGraph empty) {
    Channel.Nets ports =
        rules.fallbackUsesPortsOfGpus
            ? new Channel.Nets(portOf(0), portOf(facts.gpus() - 1))
            : new Channel.Nets(new NodeId(0, 0), new NodeId(0, 0));
    Optional<Channel.Nets> nets = domain.crossesNetwork() ? Optional.of(ports) : Optional.empty();
    Channel inFileOrder = new Channel(topology.gpus().stream().map(GpuNode::rank).toList(), nets);
    return new ChannelGraph(
        empty.kind(),
        empty.pattern(),
        empty.crossNic(),
        rules.fallbackGBps,
        rules.fallbackGBps,
        empty.latencyInter(),
        PathType.SYS,
        PathType.SYS,
        empty.sameChannels(),
        List.of(inFileOrder));
  }

  /** The preferred port of a GPU; NCCL looks it up on a single node, too. */
  private NodeId portOf(int gpu) {
    return topology.nets().get(domain.paths().localDevices().netFor(gpu, 0)).id();
  }

  /**
   * A search for one graph.
   *
   * @param kind purpose of the graph
   * @param minChannels the smallest number of channels of a solution
   * @param maxChannels the number of channels at which the search ends
   */
  public record GraphRequest(GraphKind kind, int minChannels, int maxChannels) {

    /**
     * The search for rings, which comes first; half of the channels are reserved for their
     * duplicates.
     */
    public static GraphRequest ring(NcclProfile profile) {
      return new GraphRequest(GraphKind.RING, 1, profile.search().maxChannels / 2);
    }

    /** The search for a chain of GPUs with as many channels as the ring has. */
    static GraphRequest likeRing(GraphKind kind, int ringChannels) {
      return new GraphRequest(kind, ringChannels, ringChannels);
    }

    /** The search for heads at the NVSwitch or for in-network reduction. */
    static GraphRequest heads(GraphKind kind, NcclProfile profile) {
      return new GraphRequest(kind, 1, profile.search().maxChannels);
    }
  }

  /**
   * Runs a search on a stack that is large enough for its recursion. Its depth is the number of
   * GPUs times the number of channels, which on large NVLink domains exceeds the stack of an
   * ordinary thread.
   */
  static final class DeepStack {
    /** Number of GPUs up to which a search fits the stack of any thread. */
    private static final int SHALLOW_GPUS = 16;

    /** Enough for NCCL's 576 GPUs in 64 channels; unused memory is not committed. */
    private static final long STACK_BYTES = 512L << 20;

    private DeepStack() {}

    /**
     * Runs {@code search} on this thread or, for many GPUs, on one with a deep stack, and returns
     * its result or throws its exception.
     */
    static <T> T call(int gpus, Supplier<T> search) {
      if (gpus <= SHALLOW_GPUS) {
        return search.get();
      }
      FutureTask<T> task = new FutureTask<>(search::get);
      Thread thread = new Thread(null, task, "topo-search", STACK_BYTES);
      thread.setDaemon(true);
      thread.start();
      try {
        return task.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while searching", e);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException failure) {
          throw failure;
        }
        if (e.getCause() instanceof Error failure) {
          throw failure;
        }
        throw new IllegalStateException("the search failed", e.getCause());
      }
    }
  }

  /** Reads the graphs of a domain from NCCL_GRAPH_FILE. */
  public static final class GraphFileSource {
    private static final String SETTING = "NCCL_GRAPH_FILE";

    private GraphFileSource() {}

    /** The graph file of a job; empty if NCCL searches for all graphs. */
    public static Optional<String> file(NcclSettings settings) {
      return settings.text(SETTING);
    }

    /**
     * The graphs of the file that the settings name; empty if they name none.
     *
     * @param inputs reads the file
     * @throws TopologyFormatException if the file does not fit the domain
     */
    static Optional<NodeGraphs> read(Domain domain, NcclSettings settings, Inputs inputs) {
      return file(settings).map(file -> read(file, domain, inputs));
    }

    /** NCCL does not check the channels of such a file; incomplete ones are rejected here. */
    private static NodeGraphs read(String file, Domain domain, Inputs inputs) {
      Topology topology = domain.topology();
      NodeGraphs graphs =
          new GraphReader(topology, domain.crossesNetwork(), domain.profile().search().graphFormat)
              .read(Path.of(file), inputs);
      List<Integer> expected = topology.gpus().stream().map(GpuNode::rank).sorted().toList();
      for (ChannelGraph graph : graphs.all()) {
        for (Channel channel : graph.channels()) {
          // A channel of NVLS has only its head in a file.
          if (graph.kind() != GraphKind.NVLS
              && !channel.ranks().stream().sorted().toList().equals(expected)) {
            throw new TopologyFormatException(
                file,
                "a channel of the %s graph has the GPUs of ranks %s, expected each of %s once"
                    .formatted(graph.kind().label(), channel.ranks(), expected));
          }
        }
      }
      return domain.crossesNetwork() ? graphs : withoutNets(graphs);
    }

    /** On one node NCCL ignores the ports of a file that was dumped on several. */
    private static NodeGraphs withoutNets(NodeGraphs graphs) {
      return new NodeGraphs(
          Stream.of(GraphKind.values())
              .flatMap(kind -> graphs.find(kind).stream())
              .map(ChannelGraph::withoutNets)
              .toList());
    }
  }
}
