package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.sweep.ComparedDesign;
import dev.topo.simulator.sweep.EqualDesigns;
import dev.topo.simulator.sweep.SweepAnswer;
import dev.topo.simulator.sweep.SweepSummary;
import dev.topo.visualizer.view.Answer.Sentence;
import java.util.List;

/** Summarises a sweep in one sentence: the best design, the objective, and its lead. */
public final class SweepSentence {
  private SweepSentence() {}

  /**
   * Returns the sentence. If no design has all times, it says that there is nothing to choose from.
   */
  public static String of(SweepAnswer answer) {
    List<EqualDesigns> ranked =
        EqualDesigns.of(answer).stream()
            .filter(designs -> designs.first().merit().isPresent())
            .toList();
    if (ranked.isEmpty()) {
      return SweepSummary.sentences(answer).get(0);
    }
    EqualDesigns best = ranked.get(0);
    String choice = best(answer, best) + lead(answer, best, ranked.subList(1, ranked.size()));
    String unknown = unknownRanges(best.first());
    return Sentence.of(choice + decisiveAxis(answer) + unknown, choice + unknown) + ".";
  }

  /** The best design, with the number of designs that it was chosen from and by what. */
  private static String best(SweepAnswer answer, EqualDesigns best) {
    return "Best of %s by %s over %s: %s%s%s"
        .formatted(
            QuantityFormat.count(answer.designs().size(), "design"),
            SweepSummary.label(answer.ranking().objective()),
            QuantityFormat.count(answer.scenarios().size(), "scenario"),
            best.label(answer.axes()),
            answer.hasPrices()
                ? " at a price of " + SweepSummary.price(best.first()) + " a node"
                : "",
            best.designs().size() > 1
                ? " (%s equal designs)".formatted(best.designs().size())
                : "");
  }

  /** The number of other designs that may be as good, or else the next best one. */
  private static String lead(SweepAnswer answer, EqualDesigns best, List<EqualDesigns> others) {
    long indistinguishable =
        others.stream()
            .filter(other -> !TimeChange.isMore(merit(best), merit(other)))
            .mapToLong(other -> other.designs().size())
            .sum();
    if (indistinguishable > 0) {
      return "; %s %s within %s, which the model cannot tell apart"
          .formatted(
              indistinguishable,
              indistinguishable == 1 ? "other is" : "others are",
              TimeChange.THRESHOLD);
    }
    return others.isEmpty()
        ? ""
        : TextWriter.format(
            "; the next (%s) reaches %.0f %% of it",
            others.get(0).label(answer.axes()), 100 * merit(others.get(0)) / merit(best));
  }

  private static double merit(EqualDesigns designs) {
    return designs.first().merit().orElseThrow();
  }

  /** The axis whose values change the time most; empty if none has several values. */
  private static String decisiveAxis(SweepAnswer answer) {
    return answer.effects().stream()
        .findFirst()
        .map(
            effect ->
                TextWriter.format(
                    "; %s matters most (a factor of %.1f)", effect.axis(), effect.meanFactor()))
        .orElse("");
  }

  /** The number of times of the best design without a known range; empty if all have one. */
  private static String unknownRanges(ComparedDesign best) {
    int times = best.outcomes().size();
    long unknown =
        best.outcomes().stream().filter(outcome -> outcome.timeLowUs().isEmpty()).count();
    if (unknown == 0) {
      return "";
    }
    return unknown == times
        ? "; no range is known for its times"
        : "; no range is known for %s of its %s times".formatted(unknown, times);
  }
}
