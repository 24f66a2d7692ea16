package dev.topo.search.explain;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.LaunchRules.Shares;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Estimate;
import dev.topo.search.tuning.PairReasons;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.search.tuning.TuningModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Explains which algorithm and protocol NCCL chooses for a call, by what margin, and why not the
 * others.
 */
public final class ChoiceExplainer {
  /** Simple comes first: every algorithm has it, so a rule against it rules out the algorithm. */
  private static final List<Protocol> SIMPLE_FIRST =
      List.of(Protocol.SIMPLE, Protocol.LL, Protocol.LL128);

  private final Tuner tuner;
  private final PairReasons reasons;

  public ChoiceExplainer(Communicator communicator) {
    this.tuner = communicator.tuner();
    NcclSettings settings = communicator.job().settings();
    this.reasons =
        new PairReasons(
            communicator.facts(),
            settings,
            NvlsAbsence.reason(communicator.connection(), settings),
            CollNetAbsence.reason(communicator.connection(), settings));
  }

  /** The reason why NCCL does not consider a pair for a call; empty if it does. */
  public Optional<String> exclusion(CollectiveCall call, Algorithm algorithm, Protocol protocol) {
    return reasons.whyNot(call, algorithm, protocol);
  }

  /** Explains NCCL's choice for a call. */
  public Explanation explain(CollectiveCall call) {
    List<String> sentences = new ArrayList<>();
    Decision decision = tuner.decide(call);
    if (decision instanceof Decision.Refusal refusal) {
      sentences.add(refusal.sentence() + ".");
      if (call.emptiness(tuner.facts().nRanks()).isPresent()) {
        return new Explanation("choice for " + named(call), sentences);
      }
    }
    decision.choice().ifPresent(choice -> addChoice(call, choice, sentences));
    sentences.addAll(excluded(call, List.of(Protocol.values())));
    return new Explanation("choice for " + named(call), sentences);
  }

  private void addChoice(CollectiveCall call, Decision.Choice choice, List<String> sentences) {
    int channels = ChannelShare.launched(tuner.facts(), call, choice);
    sentences.add(
        TextWriter.format(
            "NCCL runs %s with %s on %s of %d threads, because %s.",
            choice.algorithm().label(),
            choice.protocol().label(),
            QuantityFormat.channels(channels, choice.channels()),
            choice.threads(),
            choice.isLastResort()
                ? "nothing else is left: its own model has no time for it"
                : "its own model has the shortest time for it, "
                    + QuantityFormat.briefTime(choice.timeUs())));
    if (channels < choice.channels()) {
      sentences.add(
          "  Its tuner allows %s channels; a single call uses only as many as %s, a call in a group may use more."
              .formatted(choice.channels(), minShare()));
    }
    List<Estimate> estimates = new ArrayList<>(tuner.estimates(call));
    if (reasons.isFallback(call, choice.algorithm(), choice.protocol())) {
      sentences.add(
          "  No pair that the settings allow can run the call; this version falls back to a ring.");
    }
    estimates.sort(Comparator.comparingDouble(Estimate::timeUs));
    for (Estimate estimate : choice.isLastResort() ? List.<Estimate>of() : estimates) {
      sentences.add(
          cost(call.collective(), estimate)
              + (estimate.pair().equals(choice.pair()) || choice.timeUs() == 0
                  ? ""
                  : ", " + more(estimate.timeUs(), choice.timeUs())));
    }
  }

  /** Describes the smallest share of each channel in a single call. */
  private String minShare() {
    return tuner.facts().profile().launch().shares instanceof Shares.ByTraffic traffic
        ? "have %s KiB of its traffic each".formatted(traffic.minBytes() / 1024)
        : "its parts of whole chunks fill";
  }

  private String cost(Collective collective, Estimate estimate) {
    TuningModel model = tuner.model();
    return TextWriter.format(
        "  %s: %s, from a latency of %s and %s GB/s algbw",
        estimate.pair().label(),
        QuantityFormat.briefTime(estimate.timeUs()),
        QuantityFormat.briefTime(
            model.latencyUs(collective, estimate.algorithm(), estimate.protocol())),
        QuantityFormat.brief(
            model.bandwidthGBps(collective, estimate.algorithm(), estimate.protocol())));
  }

  private static String more(float timeUs, float thanUs) {
    return TextWriter.format("%.0f %% more", 100 * (timeUs / thanUs - 1));
  }

  /** One line per reason with the pairs that NCCL does not consider for it. */
  private List<String> excluded(CollectiveCall call, List<Protocol> protocols) {
    Map<String, List<String>> pairs = new LinkedHashMap<>();
    for (Algorithm algorithm : Algorithm.values()) {
      for (Protocol protocol : protocols) {
        reasons
            .whyNot(call, algorithm, protocol)
            .ifPresent(
                reason ->
                    pairs
                        .computeIfAbsent(reason, key -> new ArrayList<>())
                        .add(new Pair(algorithm, protocol).label()));
      }
    }
    List<String> lines = new ArrayList<>();
    pairs.forEach(
        (reason, names) ->
            lines.add("Not considered: " + String.join(", ", names) + " (" + reason + ")."));
    return lines;
  }

  private static String named(CollectiveCall call) {
    return call.collective().label() + " of " + QuantityFormat.exactSize(call.sizeBytes());
  }

  /** Explains the cost of each pair of an algorithm, fastest first, or the rule that forbids it. */
  public Explanation whyNot(CollectiveCall call, Algorithm algorithm, Optional<Protocol> wanted) {
    Optional<Decision.Choice> best = tuner.decide(call).choice();
    List<Decision.Choice> choices = new ArrayList<>();
    List<String> forbidden = new ArrayList<>();
    for (Protocol protocol : wanted.map(List::of).orElse(SIMPLE_FIRST)) {
      reasons
          .whyNot(call, algorithm, protocol)
          .ifPresentOrElse(
              reason ->
                  forbidden.add(
                      new Pair(algorithm, protocol).label() + ": not considered, " + reason + "."),
              () -> tuner.decide(call, algorithm, protocol).choice().ifPresent(choices::add));
    }
    choices.sort(Comparator.comparingDouble(Decision.Choice::timeUs));
    List<String> sentences = new ArrayList<>();
    choices.forEach(choice -> sentences.add(comparison(call, choice, best)));
    sentences.addAll(forbidden);
    return new Explanation(
        "why not "
            + algorithm.label()
            + wanted.map(p -> "/" + p.label()).orElse("")
            + " for "
            + named(call),
        sentences);
  }

  /** Explains the cost of each algorithm with a protocol, and why others cannot use it. */
  public Explanation whyNot(CollectiveCall call, Protocol protocol) {
    List<String> sentences = new ArrayList<>();
    Optional<Decision.Choice> best = tuner.decide(call).choice();
    tuner.estimates(call).stream()
        .filter(estimate -> estimate.protocol() == protocol)
        .sorted(Comparator.comparingDouble(Estimate::timeUs))
        .map(estimate -> tuner.decide(call, estimate.algorithm(), protocol).choice())
        .flatMap(Optional::stream)
        .forEach(choice -> sentences.add(comparison(call, choice, best)));
    sentences.addAll(excluded(call, List.of(protocol)));
    return new Explanation("why not " + protocol.label() + " for " + named(call), sentences);
  }

  /** The cost of a choice compared with that of the best one. */
  private String comparison(
      CollectiveCall call, Decision.Choice choice, Optional<Decision.Choice> best) {
    int channels = ChannelShare.launched(tuner.facts(), call, choice);
    String cost =
        TextWriter.format(
            "%s: %s on %s",
            choice.pair().label(),
            QuantityFormat.briefTime(choice.timeUs()),
            QuantityFormat.channels(channels, choice.channels()));
    if (best.isEmpty()) {
      return cost + ".";
    }
    if (choice.pair().equals(best.get().pair())) {
      return cost + ", which is what NCCL runs.";
    }
    return TextWriter.format(
        "%s, %s than %s with %s.",
        cost,
        more(choice.timeUs(), best.get().timeUs()),
        best.get().pair().label(),
        QuantityFormat.briefTime(best.get().timeUs()));
  }
}
