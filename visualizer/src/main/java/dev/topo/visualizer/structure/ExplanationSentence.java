package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.explain.Explanation;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.search.tuning.Tuner.Decision.Refusal;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An explanation in one sentence. */
public final class ExplanationSentence {
  private ExplanationSentence() {}

  /**
   * Returns NCCL's choice and its margin if the choice is explained; for other questions the first
   * sentence of the answer.
   *
   * @param isOfChoice whether NCCL's choice for the call is the question
   */
  public static String of(
      String title,
      Communicator communicator,
      Call call,
      boolean isOfChoice,
      List<Explanation> explanations) {
    if (isOfChoice && call instanceof CollectiveCall collective) {
      return communicator.tuner().decide(collective) instanceof Refusal refusal
          ? "%s on %s: %s.".formatted(call.label(), title, refusal.sentence())
          : choice(title, communicator, collective);
    }
    return explanations.stream()
        .filter(explanation -> !explanation.sentences().isEmpty())
        .findFirst()
        .map(
            explanation ->
                first(
                    title + ", " + explanation.topic() + ": ",
                    explanation.sentences().get(0).strip()))
        .orElse("Nothing is to be explained of %s.".formatted(title));
  }

  /** The sentence, cut at its first semicolon if it is too long. */
  private static String first(String subject, String sentence) {
    return Sentence.of(subject + sentence, subject + sentence.split("; |[.]$", 2)[0] + ".");
  }

  private static String choice(String title, Communicator communicator, CollectiveCall call) {
    Tuner tuner = communicator.tuner();
    Choice chosen = tuner.decide(call).choice().orElseThrow();
    Optional<Choice> next =
        Stream.of(Algorithm.values())
            .flatMap(
                algorithm ->
                    Stream.of(Protocol.values())
                        .flatMap(
                            protocol -> tuner.decide(call, algorithm, protocol).choice().stream()))
            .filter(
                choice ->
                    choice.algorithm() != chosen.algorithm()
                        || choice.protocol() != chosen.protocol())
            .min(Comparator.comparingDouble(Choice::timeUs));
    String choiceText =
        "%s on %s: NCCL runs %s/%s on %s"
            .formatted(
                call.label(),
                title,
                chosen.algorithm().label(),
                chosen.protocol().label(),
                QuantityFormat.count(chosen.channels(), "channel"));
    String paths = " " + ChannelWords.of(communicator.connection(), chosen.algorithm().graph());
    String end =
        next.map(choice -> margin(chosen, choice)).orElse(", the only pair that it can use") + ".";
    return Sentence.of(choiceText + paths + end, choiceText + end);
  }

  /**
   * The margin of the chosen pair by NCCL's own model. A setting can easily turn a small margin.
   */
  private static String margin(Choice chosen, Choice next) {
    double excess = next.timeUs() / chosen.timeUs() - 1;
    return TextWriter.format(
        excess < 0
            ? ", %1$s by its own model, which has %2$.0f %% less for %3$s/%4$s"
            : ", %1$s by its own model, the shortest; %3$s/%4$s is next with %2$.0f %% more",
        QuantityFormat.briefTime(chosen.timeUs()),
        100 * Math.abs(excess),
        next.algorithm().label(),
        next.protocol().label());
  }
}
