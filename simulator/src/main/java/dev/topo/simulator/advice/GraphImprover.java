package dev.topo.simulator.advice;

import dev.topo.inspect.lint.FileKind;
import dev.topo.inspect.lint.Linter;
import dev.topo.inspect.lint.SourceText;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.xml.GraphFormat;
import dev.topo.model.xml.GraphWriter;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Domain;
import dev.topo.search.path.LinkTable;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.advice.BetterGraph.CallGain;
import dev.topo.simulator.evaluate.ChannelRoutes;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.packing.ChannelSpace;
import dev.topo.simulator.packing.NodeLinks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * Searches for graphs with which the calls of a job are faster than with those of NCCL's search. It
 * packs several numbers of channels by the link model, at the raw rates of links and at the
 * bandwidths that NCCL plans with, and predicts the calls with each packing ({@link JobEvaluator}).
 * Packings that slow a call down by more than a tolerance are dropped. Of those with about the best
 * geometric mean of gains, the one with the fewest channels is the answer. There is no answer if
 * NCCL's own graphs are as fast on as many channels, as a setting is enough then. For jobs of equal
 * machines.
 */
public record GraphImprover(JobEvaluator evaluator) {
  /**
   * Least mean relative gain that justifies a file, both over the present job and over NCCL's own
   * graphs on as many channels, for which a setting is enough.
   */
  static final double LEAST_GAIN = 0.05;

  /** Least mean relative gain that justifies more channels, which take more SMs. */
  private static final double LEAST_GAIN_OF_CHANNELS = 0.05;

  private static final String NOT_PREDICTED =
      "no calibration fits the machine, and NCCL's own model follows the file";

  /** The default of NCCL_CROSS_NIC. */
  private static final int CROSS_NIC_AUTO = 2;

  /** Candidate graphs, and the times of the calls with them. */
  private record Candidate(NodeGraphs graphs, int channels, List<CallGain> calls, LinkShare share) {
    double gain() {
      return mean(CallGain::beforeUs);
    }

    /** True if the graphs also gain over NCCL's own graphs on as many channels. */
    boolean isGainOfGraphs() {
      return mean(CallGain::channelsUs) >= Math.log1p(LEAST_GAIN);
    }

    private double mean(ToDoubleFunction<CallGain> reference) {
      return calls.stream()
          .mapToDouble(call -> Math.log(reference.applyAsDouble(call) / call.afterUs()))
          .average()
          .orElse(0);
    }

    boolean slowsNoCall() {
      return calls.stream().allMatch(call -> !TimeChange.isMore(call.afterUs(), call.beforeUs()));
    }
  }

  /**
   * Finds the best graphs for the calls of a request.
   *
   * @throws dev.topo.model.job.UnusableTopologyException if NCCL would not start
   */
  public GraphAnswer improve(JobRequest request) {
    return improve(evaluator.evaluate(request));
  }

  /** Finds the best graphs for the calls of an evaluated job. */
  GraphAnswer improve(JobResult before) {
    Connection connection = before.connection();
    Optional<String> refusal = refusal(before);
    if (refusal.isPresent()) {
      return new GraphAnswer.None(refusal.get(), Optional.empty());
    }
    NcclProfile profile = before.request().profile();
    Domain domain = connection.domain(0);
    NodeGraphs nccl = connection.searchedGraphs(0);
    Optional<Paths> actual = before.predictor().planner().actual();
    Paths paths = actual.orElse(domain.paths());
    GraphPacker byRates = packer(before, domain, nccl, LinkCapacities.raw(paths));
    LinkShare share = byRates.share(nccl);
    if (before.predictions().values().stream().noneMatch(GraphImprover::isPredicted)) {
      return new GraphAnswer.None(NOT_PREDICTED, Optional.of(share));
    }
    GraphPacker byPlannedRates = packer(before, domain, nccl, LinkCapacities.planned(paths));
    List<Candidate> candidates = new ArrayList<>();
    for (GraphPacker packer : List.of(byRates, byPlannedRates)) {
      for (int count : packer.counts()) {
        NodeGraphs graphs = packer.packed(count);
        if (isAccepted(file(graphs, domain, profile), profile)) {
          candidates.add(candidate(before, graphs, byRates));
        }
      }
    }
    List<Candidate> faster =
        candidates.stream()
            .filter(Candidate::slowsNoCall)
            .filter(candidate -> candidate.gain() >= Math.log1p(LEAST_GAIN))
            .toList();
    return best(faster.stream().filter(Candidate::isGainOfGraphs).toList())
        .<GraphAnswer>map(best -> better(before, byRates, best))
        .orElseGet(() -> new GraphAnswer.None(reason(share, best(faster)), Optional.of(share)));
  }

  private static String reason(LinkShare share, Optional<Candidate> byChannels) {
    if (byChannels.isPresent()) {
      return "the graphs of NCCL's search are as fast on as many channels (NCCL_MIN_NCHANNELS="
          + byChannels.get().channels()
          + ")";
    }
    return share.isReached()
        ? "the rings and trees of NCCL's search reach the bound of these links"
            + (share.proven() ? "" : ", as far as is known")
        : "no graph is predicted to make the calls faster by %s %% on average"
            .formatted(Math.round(100 * LEAST_GAIN));
  }

  /** Returns the candidate with the fewest channels among those with about the best gain. */
  private static Optional<Candidate> best(List<Candidate> candidates) {
    double most = candidates.stream().mapToDouble(Candidate::gain).max().orElse(0);
    return candidates.stream()
        .filter(candidate -> candidate.gain() >= most - Math.log1p(LEAST_GAIN_OF_CHANNELS))
        .min(
            Comparator.comparingInt(Candidate::channels)
                .thenComparing(Comparator.comparingDouble(Candidate::gain).reversed()));
  }

  /** Describes why no graphs can be searched; empty if they can. */
  private static Optional<String> refusal(JobResult before) {
    Connection connection = before.connection();
    int machines = before.request().job().machines().size();
    if (before.request().job().machines().stream().distinct().count() > 1
        || connection.nNodes() != machines) {
      return Optional.of("one graph file fits equal nodes only, which the job does not have");
    }
    Domain domain = connection.domain(0);
    if (connection.nRanks() < 2
        || (domain.crossesNetwork() && domain.topology().nets().isEmpty())) {
      return Optional.of("the job has nothing to lay channels over: one rank, or no ports");
    }
    return Optional.empty();
  }

  /**
   * True if a time shows the effect of graphs. NCCL's own model takes its bandwidths from the graph
   * file, so its times show nothing.
   */
  private static boolean isPredicted(Prediction prediction) {
    return prediction.source().predictsTimes();
  }

  private static GraphPacker packer(
      JobResult before, Domain domain, NodeGraphs nccl, IntToDoubleFunction capacity) {
    Optional<Paths> actual = before.predictor().planner().actual();
    if (actual.isEmpty()) {
      int nodes = before.connection().nNodes();
      NodeLinks links = NodeLinks.of(domain, nodes, capacity);
      boolean mayCross = before.connection().settings().crossNic() == CROSS_NIC_AUTO;
      return new GraphPacker(domain, nccl, links, new GraphAssembler(domain), mayCross);
    }
    ChannelRoutes routes = before.predictor().planner().routes().orElseThrow();
    NodeLinks links = actual(domain, routes, capacity);
    NodeLinks planned = actual(domain, routes, LinkCapacities.planned(actual.get()));
    GraphAssembler assembler =
        new GraphAssembler(
            domain,
            (unit, packing) ->
                new ChannelSpace(planned, unit.pattern()).totalGBps(packing.channels())
                    / unit.nChannels());
    return new GraphPacker(domain, nccl, links, assembler, false);
  }

  private static NodeLinks actual(
      Domain domain, ChannelRoutes routes, IntToDoubleFunction capacity) {
    List<Integer> ranks = domain.topology().gpus().stream().map(GpuNode::rank).toList();
    LinkTable table = routes.linkTable();
    return NodeLinks.ofActual(
        domain, table, (from, to) -> routes.links(ranks.get(from), ranks.get(to)), capacity);
  }

  /** Evaluates the job with NCCL's own graphs on at least the given number of channels. */
  private JobResult onChannels(JobResult before, int channels) {
    if (channels <= before.connection().nChannels()) {
      return before;
    }
    JobRequest request = before.request();
    NodeGraphs nccl = before.connection().searchedGraphs(0);
    NcclSettings more = NcclSettings.of(Map.of("NCCL_MIN_NCHANNELS", String.valueOf(channels)));
    Job job = request.job().withSettings(settings -> settings.with(more));
    return evaluator.with((domain, unused, inputs) -> nccl).evaluate(request.withJob(job));
  }

  private Candidate candidate(JobResult before, NodeGraphs graphs, GraphPacker byRates) {
    JobResult after =
        evaluator.with((domain, settings, inputs) -> graphs).evaluate(before.request());
    JobResult channelsOnly = onChannels(before, after.connection().nChannels());
    List<CallGain> calls = new ArrayList<>();
    before
        .predictions()
        .forEach(
            (call, time) -> {
              Prediction faster = after.predictions().get(call);
              Prediction onMoreChannels = channelsOnly.predictions().get(call);
              if (call instanceof CollectiveCall collective
                  && isPredicted(time)
                  && faster != null
                  && onMoreChannels != null
                  && isPredicted(faster)) {
                calls.add(
                    new CallGain(
                        collective, time.timeUs(), onMoreChannels.timeUs(), faster.timeUs()));
              }
            });
    return new Candidate(graphs, after.connection().nChannels(), calls, byRates.share(graphs));
  }

  /**
   * True if NCCL can read a graph file. It has room for some thousand elements, which a file for 72
   * GPUs can exceed.
   */
  private static boolean isAccepted(String file, NcclProfile profile) {
    SourceText text = new SourceText("", file.getBytes(StandardCharsets.UTF_8));
    return new Linter(profile)
        .lint(text, FileKind.GRAPH).stream()
            .noneMatch(finding -> finding.severity() == Severity.ERROR);
  }

  private BetterGraph better(JobResult before, GraphPacker byRates, Candidate best) {
    Connection connection = before.connection();
    return new BetterGraph(
        best.graphs,
        file(best.graphs, connection.domain(0), before.request().profile()),
        connection.nChannels(),
        best.channels,
        best.calls,
        byRates.share(connection.searchedGraphs(0)),
        best.share,
        orders(connection.searchedGraphs(0)).containsAll(orders(best.graphs)));
  }

  /** The distinct channels of rings and trees. */
  private static Set<Channel> orders(NodeGraphs graphs) {
    Set<Channel> orders = new HashSet<>(graphs.get(GraphKind.RING).channels());
    orders.addAll(graphs.get(GraphKind.TREE).channels());
    return orders;
  }

  /**
   * Writes a graph file. Graphs without channels are left out, as NCCL would otherwise start their
   * search from the file.
   */
  private static String file(NodeGraphs graphs, Domain domain, NcclProfile profile) {
    GraphFormat format = profile.search().graphFormat;
    List<GraphKind> kinds =
        format.graphs().stream().filter(kind -> graphs.get(kind).nChannels() > 0).toList();
    return GraphWriter.write(graphs, domain.topology(), format.withGraphs(kinds));
  }
}
