package dev.topo.simulator.sweep;

import dev.topo.model.io.PlainNumber;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.sweep.Ranking.Limit;
import dev.topo.simulator.sweep.Ranking.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Summarizes the answer of a sweep in sentences. */
public final class SweepSummary {
  private SweepSummary() {}

  /** The sentences of the summary; a single one if no design has all answers. */
  public static List<String> sentences(SweepAnswer answer) {
    List<ComparedDesign> ranked = answer.ranked();
    if (ranked.isEmpty()) {
      return List.of(
          answer.designs().isEmpty() && answer.excluded() > 0
              ? "No design keeps the limits: " + Limit.text(answer.ranking().limits()) + "."
              : "No design has a time in every scenario" + limits(answer) + ".");
    }
    List<String> sentences = new ArrayList<>();
    ComparedDesign best = ranked.get(0);
    sentences.add(best(answer, ranked, best));
    fastest(answer, ranked, best).ifPresent(sentences::add);
    if (!answer.effects().isEmpty()) {
      AxisEffect effect = answer.effects().get(0);
      sentences.add(
          String.format(
              Locale.ROOT,
              "What matters most is %s: between its values the time differs by a factor of %.2f in the mean, and of %.2f for %s.",
              effect.axis(),
              effect.meanFactor(),
              effect.mostFactor(),
              effect.most().label()));
    }
    NetworkGain.of(answer).ifPresent(gain -> sentences.add(gain.sentence(answer.axes())));
    long unknown =
        best.outcomes().stream().filter(outcome -> outcome.timeLowUs().isEmpty()).count();
    if (unknown > 0) {
      sentences.add(
          "For %s of the %s times of the best design no range is known: the order of the designs is that of the model."
              .formatted(unknown, best.outcomes().size()));
    }
    return sentences;
  }

  private static String limits(SweepAnswer answer) {
    return answer.excluded() == 0 ? "" : "; %s do not keep the limits".formatted(answer.excluded());
  }

  private static String best(SweepAnswer answer, List<ComparedDesign> ranked, ComparedDesign best) {
    double merit = best.merit().orElseThrow();
    List<ComparedDesign> others = ranked.subList(1, ranked.size());
    long close =
        others.stream()
            .filter(other -> !TimeChange.isMore(merit, other.merit().orElseThrow()))
            .count();
    String begin =
        "Best by %s over %s %s: %s%s"
            .formatted(
                label(answer.ranking().objective()),
                answer.scenarios().size(),
                answer.scenarios().size() == 1 ? "scenario" : "scenarios",
                best.label(answer.axes()),
                answer.hasPrices() ? " at a price of " + price(best) + " a node" : "");
    if (others.isEmpty()) {
      return begin + ".";
    }
    if (close > 0) {
      return begin
          + "; %s other %s within %s of it, which the model cannot tell apart."
              .formatted(close, close == 1 ? "design is" : "designs are", TimeChange.THRESHOLD);
    }
    ComparedDesign next = others.get(0);
    return begin
        + String.format(
            Locale.ROOT,
            "; the next, %s, reaches %.0f %% of it.",
            next.label(answer.axes()),
            100 * next.merit().orElseThrow() / merit);
  }

  private static Optional<String> fastest(
      SweepAnswer answer, List<ComparedDesign> ranked, ComparedDesign best) {
    ComparedDesign fastest = best;
    for (ComparedDesign design : ranked) {
      if (design.speed().orElseThrow() > fastest.speed().orElseThrow()) {
        fastest = design;
      }
    }
    double factor = fastest.speed().orElseThrow() / best.speed().orElseThrow();
    if (!TimeChange.isMore(factor, 1)) {
      return Optional.empty();
    }
    double cost = answer.cost(fastest) / answer.cost(best);
    return Optional.of(
        String.format(
            Locale.ROOT,
            "The fastest is %s: %.2f times the speed, for %.2f times the %s.",
            fastest.label(answer.axes()),
            factor,
            cost,
            answer.hasPrices() ? "price" : "network cards"));
  }

  /** The name of an objective in text. */
  public static String label(Objective objective) {
    return switch (objective) {
      case TIME -> "speed";
      case BUSBW -> "busbw";
      case SPEED_PER_PRICE -> "speed per price";
      case SPEED_PER_NIC -> "speed per network card";
    };
  }

  /** The price of a node of a design as text. */
  public static String price(ComparedDesign design) {
    return PlainNumber.of(design.nodePrice()).toPlainString();
  }
}
