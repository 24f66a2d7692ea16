package dev.topo.search.explain;

import dev.topo.model.Alike;
import dev.topo.model.Last;
import dev.topo.model.Link.PathType;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextWriter;
import dev.topo.search.bound.BoundFinder;
import dev.topo.search.engine.Constraints;
import dev.topo.search.engine.GraphLoad;
import dev.topo.search.engine.SearchMonitor.AttemptEnd;
import dev.topo.search.engine.SearchMonitor.SearchOutcome;
import dev.topo.search.explain.SearchTrace.Attempt;
import dev.topo.search.explain.SearchTrace.GraphTrace;
import dev.topo.search.path.Domain;
import dev.topo.search.path.LinkTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Explains the search for a graph: which bandwidths it tried and why each failed, which constraints
 * it relaxed, and which links are full.
 */
public final class GraphExplainer {
  private final Domain domain;
  private final Topology topology;

  public GraphExplainer(Domain domain) {
    this.domain = domain;
    this.topology = domain.topology();
  }

  public Explanation explain(GraphKind kind, GraphTrace trace) {
    List<String> sentences = new ArrayList<>();
    Optional<SearchOutcome> outcome = trace.outcome();
    if (outcome.isEmpty()) {
      sentences.add("NCCL does not look for this graph here: " + whyNotSearched(kind) + ".");
      return new Explanation(kind.label() + " graph", sentences);
    }
    ChannelGraph graph = outcome.get().graph();
    sentences.add(result(outcome.get(), graph, wasCutOff(trace)));
    Optional<ExplainedBound> bound = Optional.empty();
    if (graph.nChannels() > 0 && !(outcome.get() instanceof SearchOutcome.Infeasible)) {
      fullLinks(graph, sentences);
      bound = bound(outcome.get());
      bound.ifPresent(explained -> sentences.add(explained.sentence()));
    }
    firstPass(trace, sentences);
    if (trace.doubled() > trace.found()) {
      sentences.add(
          "A channel of the first pass had %s or more, which two can share better: %s became %s of half the bandwidth."
              .formatted(
                  DeviceNames.gbps(domain.profile().search().duplicateGBps),
                  channels(trace.found()),
                  trace.doubled()));
    }
    secondPass(trace, sentences);
    relaxations(graph, trace, sentences);
    return new Explanation(kind.label() + " graph", sentences, bound);
  }

  /** The bound of a graph. Empty for a graph from a file, which may use other paths. */
  private Optional<ExplainedBound> bound(SearchOutcome outcome) {
    return outcome instanceof SearchOutcome.NotSearched
        ? Optional.empty()
        : new BoundFinder(domain)
            .find(outcome.graph())
            .map(bound -> ExplainedBound.of(topology, bound));
  }

  private String whyNotSearched(GraphKind kind) {
    return switch (kind) {
      case COLLNET_CHAIN, COLLNET_DIRECT ->
          "it needs NCCL_COLLNET_ENABLE=1 and a port with in-network reduction (coll=\"1\")";
      case NVLS ->
          "it needs an NVSwitch, %s GPUs or more, all of sm %s or newer, and NCCL_NVLS_ENABLE not 0"
              .formatted(
                  NvlsAbsence.word(domain.profile().search().nvlsMinGpus),
                  domain.profile().search().nvlsSm);
      case RING, TREE -> "there was no search";
    };
  }

  /** True if the last attempt of the first pass ran out of steps. */
  private static boolean wasCutOff(GraphTrace trace) {
    List<Attempt> attempts = trace.firstPass();
    return !attempts.isEmpty() && Last.of(attempts).end() == AttemptEnd.OUT_OF_STEPS;
  }

  private static String channels(int number) {
    return QuantityFormat.count(number, "channel");
  }

  private String result(SearchOutcome outcome, ChannelGraph graph, boolean cutOff) {
    if (outcome instanceof SearchOutcome.Infeasible) {
      return "No channel fits at any bandwidth"
          + (graph.nChannels() > 0
              ? "; NCCL falls back to one channel in file order at 0.1 GB/s."
              : ".");
    }
    String text =
        "NCCL finds %s with pattern %s, each %s between GPUs over paths up to %s"
            .formatted(
                channels(graph.nChannels()),
                graph.pattern(),
                DeviceNames.gbps(graph.bwIntra()),
                DeviceNames.type(domain, graph.typeIntra()));
    if (domain.crossesNetwork()) {
      text +=
          ", and %s to the network over paths up to %s"
              .formatted(
                  DeviceNames.gbps(graph.bwInter()), DeviceNames.type(domain, graph.typeInter()));
    }
    if (outcome instanceof SearchOutcome.NotSearched) {
      return text + "; they are from a file, not from the search.";
    }
    return cutOff
        ? text
            + "; NCCL stopped an attempt at its limit of search steps, so better channels may exist."
        : text + ".";
  }

  /** Adds the links that limit the bandwidth: those with the highest load. */
  private void fullLinks(ChannelGraph graph, List<String> sentences) {
    List<GraphLoad.LoadedLink> loads = new GraphLoad(domain, graph).fullestFirst();
    if (loads.isEmpty()) {
      return;
    }
    GraphLoad.LoadedLink fullest = loads.get(0);
    long alike = loads.stream().filter(load -> load.share() > fullest.share() - 0.001).count();
    sentences.add(
        TextWriter.format(
            "The fullest link is %s: the channels take %s of its %s (%.0f %%)%s.",
            DeviceNames.of(topology, fullest.link()),
            DeviceNames.gbps(fullest.usedGBps()),
            DeviceNames.gbps(fullest.link().bwGBps()),
            100 * fullest.share(),
            alike > 1 ? ", and " + (alike - 1) + " others are as full" : ""));
  }

  private String link(int number) {
    LinkTable table = domain.paths().linkTable();
    for (int node = 0; node < topology.size(); node++) {
      if (number < table.endOf(node)) {
        return DeviceNames.of(topology, topology.links(node).get(number - table.firstOf(node)));
      }
    }
    throw new IllegalArgumentException("no link " + number);
  }

  /** Adds a sentence for each bandwidth of the first pass, about its last successful attempt. */
  private void firstPass(GraphTrace trace, List<String> sentences) {
    Alike.runs(trace.firstPass(), attempt -> attempt.constraints().bwInter())
        .forEach(attempts -> sentences.add(speed(attempts)));
  }

  private String speed(List<Attempt> attempts) {
    Optional<Attempt> last = lastImprovement(attempts);
    long steps = attempts.stream().mapToLong(Attempt::steps).sum();
    boolean cutOff = attempts.stream().anyMatch(a -> a.end() == AttemptEnd.OUT_OF_STEPS);
    Attempt decisive = last.orElse(Last.of(attempts));
    return "%s per channel: %s (%s, %s%s)%s."
        .formatted(
            DeviceNames.gbps(decisive.constraints().bwInter()),
            last.map(a -> channels(a.improvedTo()) + " found with " + demands(a.constraints()))
                .orElse("nothing better than before"),
            QuantityFormat.count(attempts.size(), "attempt"),
            QuantityFormat.count(steps, "step"),
            cutOff ? ", cut off by the budget" : "",
            decisive.end() == AttemptEnd.PERFECT ? "" : obstacle(decisive));
  }

  private static Optional<Attempt> lastImprovement(List<Attempt> attempts) {
    return attempts.stream().filter(attempt -> attempt.improvedTo() > 0).reduce((a, b) -> b);
  }

  /** What prevented further channels, as the end of a sentence; empty if nothing did. */
  private String obstacle(Attempt attempt) {
    if (attempt.blockedLink().isPresent()) {
      return "; more was stopped most often by " + link(attempt.blockedLink().getAsInt());
    }
    return attempt
        .farType()
        .map(type -> "; more was stopped by paths of type " + DeviceNames.type(domain, type))
        .orElse("");
  }

  private String demands(Constraints constraints) {
    String types = "paths up to " + DeviceNames.type(domain, constraints.typeIntra());
    if (domain.crossesNetwork()) {
      types +=
          " between GPUs and "
              + DeviceNames.type(domain, constraints.typeInter())
              + " to the network";
    }
    String crossNic = constraints.crossNic() == 0 ? "" : ", crossNic " + constraints.crossNic();
    return types
        + (constraints.sameChannels() ? ", all channels alike" : ", channels free to differ")
        + crossNic;
  }

  private void secondPass(GraphTrace trace, List<String> sentences) {
    List<Attempt> attempts = trace.secondPass();
    if (attempts.isEmpty()) {
      return;
    }
    Attempt last = Last.of(attempts);
    String tried =
        attempts.size() == 1
            ? speeds(attempts.get(0).constraints())
            : speeds(attempts.get(0).constraints()) + " up to " + speeds(last.constraints());
    sentences.add(
        "Then NCCL tries to raise the bandwidth with that many channels (%s): %s."
            .formatted(
                tried,
                lastImprovement(attempts)
                    .map(attempt -> "it gets to " + speeds(attempt.constraints()))
                    .orElseGet(() -> "it does not fit" + obstacle(last))));
  }

  private String speeds(Constraints constraints) {
    String intra = DeviceNames.gbps(constraints.bwIntra());
    return domain.crossesNetwork() && constraints.bwIntra() != constraints.bwInter()
        ? intra + " inside, " + DeviceNames.gbps(constraints.bwInter()) + " outside"
        : intra;
  }

  private void relaxations(ChannelGraph graph, GraphTrace trace, List<String> sentences) {
    if (trace.firstPass().isEmpty() || graph.nChannels() == 0) {
      return;
    }
    Constraints first = trace.firstPass().get(0).constraints();
    relaxed("GPUs", first.typeIntra(), graph.typeIntra(), sentences);
    if (domain.crossesNetwork()) {
      relaxed("GPU and port", first.typeInter(), graph.typeInter(), sentences);
    }
    if (first.pattern() != graph.pattern()) {
      sentences.add(
          "The pattern %s did not fit; %s is simpler and does."
              .formatted(first.pattern(), graph.pattern()));
    }
  }

  private void relaxed(String what, PathType wanted, PathType taken, List<String> sentences) {
    if (wanted != taken && wanted.isWithin(taken)) {
      sentences.add(
          "Paths between %s were first kept within %s and had to be allowed up to %s."
              .formatted(what, DeviceNames.type(domain, wanted), DeviceNames.type(domain, taken)));
    }
  }
}
