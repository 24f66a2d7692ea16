package dev.topo.visualizer.study;

import dev.topo.inspect.edit.Edit;
import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.variant.PlacementReport;
import dev.topo.simulator.variant.Score.RankedPlacement;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.times.LimitWords;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.RangedNumber;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * States in one sentence which placement of network cards is best, or that placement makes no
 * difference.
 */
public final class PlacementsSentence {
  /** Number of moves that are named. */
  private static final int MAX_MOVES = 2;

  private final PlacementReport report;

  private PlacementsSentence(PlacementReport report) {
    this.report = report;
  }

  /** Returns the sentence. */
  public static String of(PlacementReport report) {
    return new PlacementsSentence(report).sentence();
  }

  private String sentence() {
    List<RankedPlacement> ranked = report.ranked();
    List<Integer> places = report.places();
    RankedPlacement best = ranked.get(0);
    RankedPlacement worst = Last.of(ranked);
    String cards = QuantityFormat.count(report.cards().nCards(), "network card");
    String tried =
        report.selection().isAll() ? "" : " of the %s that were tried".formatted(ranked.size());
    if (ranked.size() == 1) {
      return "The %s of %s can be placed in one way only: %s."
          .formatted(cards, report.job(), amount(best));
    }
    if (Last.of(places) == 1) {
      return "Where the %s of %s are makes no difference%s: %s%s."
          .formatted(cards, report.job(), tried, amount(best), limit());
    }
    String range =
        TimeChange.isNone(best.score().busbwGBps() / worst.score().busbwGBps() - 1)
            ? "; busbw is the same everywhere"
            : "; the worst gives " + number(worst) + " GB/s";
    if (best.placement().isPresent()) {
      String none =
          "No placement%s of the %s of %s is better than the present one: %s"
              .formatted(tried, cards, report.job(), amount(best));
      return Sentence.of(none + limit() + range + ".", none + range + ".", none + ".");
    }
    List<String> moves = best.placement().moves().stream().map(Edit::text).toList();
    Optional<RankedPlacement> now =
        ranked.stream().filter(placement -> placement.placement().isPresent()).findFirst();
    String gain =
        amount(best) + now.map(placement -> " instead of " + number(placement)).orElse("");
    String subject = "Best%s for the %s of %s: ".formatted(tried, cards, report.job());
    return Sentence.of(
        subject + first(moves, MAX_MOVES) + ": " + gain + range + ".",
        subject + first(moves, MAX_MOVES) + ": " + gain + ".",
        subject + first(moves, 1) + ": " + gain + ".",
        subject + QuantityFormat.count(moves.size(), "move") + ": " + gain + ".");
  }

  private static String first(List<String> moves, int limit) {
    int more = moves.size() - limit;
    return moves.stream().limit(limit).collect(Collectors.joining("; "))
        + (more > 0 ? " and " + QuantityFormat.count(more, "more move") : "");
  }

  private String amount(RankedPlacement placement) {
    return "%s %s GB/s busbw"
        .formatted(report.mainCall().label(), ranged(report, placement).text());
  }

  private String number(RankedPlacement placement) {
    return ranged(report, placement).number();
  }

  /**
   * The busbw of a placement with the relative range of the unmoved job, whose time has the same
   * source.
   */
  static RangedNumber ranged(PlacementReport report, RankedPlacement placement) {
    double busbw = placement.score().busbwGBps();
    return report
        .unmoved()
        .prediction(report.mainCall())
        .map(BusbwWords::range)
        .filter(known -> known.value() > 0)
        .map(known -> known.times(busbw / known.value()))
        .orElseGet(() -> RangedNumber.withoutRange(busbw));
  }

  private String limit() {
    Optional<Prediction> prediction = report.unmoved().prediction(report.mainCall());
    return prediction
        .map(predicted -> LimitWords.clause(report.unmoved().result(), predicted))
        .orElse("");
  }
}
