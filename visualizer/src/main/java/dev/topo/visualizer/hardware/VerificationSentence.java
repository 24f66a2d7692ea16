package dev.topo.visualizer.hardware;

import dev.topo.hw.verify.MeasuredChoice;
import dev.topo.hw.verify.MeasuredChoice.Result;
import dev.topo.hw.verify.Verification;
import dev.topo.inspect.log.Fact;
import dev.topo.inspect.log.LogComparison;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Summarises a verification in one sentence: whether topo agrees with NCCL, or else where they
 * first differ.
 */
public final class VerificationSentence {
  /** Number of topics named if predictions differ. */
  private static final int MAX_TOPICS = 3;

  /** A longer place, such as a path in a tree, is replaced by its topic. */
  private static final int MAX_PLACE_LENGTH = 40;

  private VerificationSentence() {}

  /** Returns the sentence. */
  public static String of(Verification verification) {
    LogComparison comparison = verification.comparison();
    String nccl = "NCCL " + verification.rules().named();
    String agreement =
        comparison.differences().isEmpty()
            ? "topo agrees with %s here in all %s facts that its dumps and logs have"
                .formatted(nccl, comparison.facts().size())
            : differences(nccl, comparison);
    return (verification.wrongResults() == 0
            ? agreement
            : "%s of collectives are wrong (topo run shows them); %s"
                .formatted(QuantityFormat.count(verification.wrongResults(), "result"), agreement))
        + choices(verification.choices())
        + ".";
  }

  private static String differences(String nccl, LogComparison comparison) {
    List<Fact> differences = comparison.differences();
    Fact first = differences.get(0);
    return "topo and %s differ in %s of %s facts (%s), first in %s: NCCL has %s, predicted is %s"
        .formatted(
            nccl,
            differences.size(),
            comparison.facts().size(),
            QuantityFormat.firstOf(
                differences.stream().map(fact -> fact.topic().label()).distinct().toList(),
                MAX_TOPICS),
            first.where().length() > MAX_PLACE_LENGTH
                ? "the " + first.topic().label()
                : first.where(),
            first.expected(),
            first.found());
  }

  /** Findings about NCCL's choices; empty without measurements. */
  private static String choices(List<MeasuredChoice> choices) {
    if (choices.isEmpty()) {
      return "";
    }
    List<MeasuredChoice> slower =
        choices.stream().filter(choice -> choice.result() == Result.SLOWER).toList();
    Optional<MeasuredChoice> worst =
        slower.stream().max(Comparator.comparingDouble(choice -> choice.lostPercent().orElse(0.0)));
    return worst
        .map(
            choice ->
                TextWriter.format(
                    "; NCCL's choice is slower than another in %d of %d sizes, most for %s of %s: by %.0f %%",
                    slower.size(),
                    choices.size(),
                    choice.chosen().collective().label(),
                    QuantityFormat.size(choice.chosen().sizeBytes()),
                    choice.lostPercent().orElse(0.0)))
        .orElse(
            "; no other algorithm or protocol is measurably faster than NCCL's choice in %s"
                .formatted(QuantityFormat.count(choices.size(), "size")));
  }
}
