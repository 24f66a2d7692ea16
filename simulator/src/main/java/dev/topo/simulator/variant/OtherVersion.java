package dev.topo.simulator.variant;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.explain.ChoiceExplainer;
import dev.topo.search.explain.Explanation;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Explains why another release of NCCL decides otherwise for a call: the changes of the job, and
 * the costs of the chosen pairs in the models of both releases.
 *
 * @param requests the job with topologies built by the rules of a release
 */
record OtherVersion(
    JobEvaluator evaluator,
    ReleaseRules own,
    ReleaseRules other,
    Function<NcclProfile, JobRequest> requests,
    CollectiveCall call) {
  Explanation explain(String title) {
    UpgradeResult result =
        new Upgrade(own, other, evaluator)
            .of("", profile -> requests.apply(profile).withCalls(List.of(call)));
    List<String> sentences = new ArrayList<>();
    if (result.isEqual()) {
      sentences.add("Nothing changes in channels, graphs and the choice for this call.");
    }
    result.unknown().ifPresent(why -> sentences.add("What changes is not known: " + why + "."));
    for (UpgradePoint point : result.points()) {
      sentences.add(
          "%s, %s: %s by NCCL %s, %s by NCCL %s."
              .formatted(
                  point.topic().label(),
                  point.subject(),
                  point.before(),
                  own.release(),
                  point.after(),
                  other.release()));
    }
    if (result.before().failure().isEmpty() && result.after().failure().isEmpty()) {
      compare(communicator(own.profile()), communicator(other.profile()), sentences);
    }
    return new Explanation(title, sentences, Optional.empty());
  }

  private Communicator communicator(NcclProfile profile) {
    return evaluator.evaluate(requests.apply(profile)).communicator();
  }

  private void compare(Communicator before, Communicator after, List<String> sentences) {
    Set<Pair> pairs = new LinkedHashSet<>();
    for (Communicator communicator : List.of(before, after)) {
      Decision decision = communicator.tuner().decide(call);
      String release = (communicator == before ? own : other).release().toString();
      decision
          .choice()
          .ifPresent(
              choice -> {
                Pair pair = choice.pair();
                pairs.add(pair);
                sentences.add(
                    "NCCL %s takes %s on %s."
                        .formatted(
                            release,
                            pair.label(),
                            QuantityFormat.channels(
                                ChannelShare.launched(communicator.tuner().facts(), call, choice),
                                choice.channels())));
              });
      if (decision instanceof Decision.Refusal refusal) {
        sentences.add(refusal.sentence().replaceFirst("NCCL", "NCCL " + release) + ".");
      }
    }
    for (Pair pair : pairs) {
      sentences.add(
          "  %s: %s by NCCL %s, %s by NCCL %s"
              .formatted(
                  pair.label(),
                  cost(before, pair),
                  own.release(),
                  cost(after, pair),
                  other.release()));
    }
  }

  /**
   * The cost of a pair in the model of a release, or the reason why it does not consider the pair.
   */
  private String cost(Communicator communicator, Pair pair) {
    Optional<String> reason =
        new ChoiceExplainer(communicator).exclusion(call, pair.algorithm(), pair.protocol());
    return reason
        .map(why -> "not considered (" + why + ")")
        .or(
            () ->
                communicator
                    .tuner()
                    .decide(call, pair.algorithm(), pair.protocol())
                    .choice()
                    .stream()
                    .map(
                        choice ->
                            TextWriter.format(
                                "%.1f us (latency %.1f us, %.1f GB/s)",
                                choice.timeUs(),
                                communicator
                                    .tuner()
                                    .model()
                                    .latencyUs(
                                        call.collective(), pair.algorithm(), pair.protocol()),
                                communicator
                                    .tuner()
                                    .model()
                                    .bandwidthGBps(
                                        call.collective(), pair.algorithm(), pair.protocol())))
                    .findFirst())
        .orElse("not possible");
  }
}
