package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.sweep.AxisEffect;
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
    String subject =
        "Best of %s by %s over %s: %s%s%s%s"
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
                    : "",
                next(answer, ranked));
    String unknown = unknown(best.first());
    return Sentence.of(subject + effect(answer) + unknown, subject + unknown) + ".";
  }

  private static String next(SweepAnswer answer, List<EqualDesigns> ranked) {
    double merit = ranked.get(0).first().merit().orElseThrow();
    List<EqualDesigns> others = ranked.subList(1, ranked.size());
    long close =
        others.stream()
            .filter(other -> !TimeChange.isMore(merit, other.first().merit().orElseThrow()))
            .mapToLong(other -> other.designs().size())
            .sum();
    if (close > 0) {
      return "; %s %s within %s, which the model cannot tell apart"
          .formatted(close, close == 1 ? "other is" : "others are", TimeChange.THRESHOLD);
    }
    return others.isEmpty()
        ? ""
        : TextWriter.format(
            "; the next (%s) reaches %.0f %% of it",
            others.get(0).label(answer.axes()),
            100 * others.get(0).first().merit().orElseThrow() / merit);
  }

  private static String effect(SweepAnswer answer) {
    if (answer.effects().isEmpty()) {
      return "";
    }
    AxisEffect most = answer.effects().get(0);
    return TextWriter.format(
        "; %s matters most (a factor of %.1f)", most.axis(), most.meanFactor());
  }

  private static String unknown(ComparedDesign best) {
    long unknown =
        best.outcomes().stream().filter(outcome -> outcome.timeLowUs().isEmpty()).count();
    return unknown == 0
        ? ""
        : unknown == best.outcomes().size()
            ? "; no range is known for its times"
            : "; no range is known for %s of its %s times"
                .formatted(unknown, best.outcomes().size());
  }
}
