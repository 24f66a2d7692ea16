package dev.topo.visualizer.study;

import dev.topo.inspect.edit.Edit;
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

/** The best placement of network cards, or that placements do not matter, in one sentence. */
public final class PlacementsSentence {
  /** Moves that are named. */
  private static final int MOVES = 2;

  private final PlacementReport report;

  private PlacementsSentence(PlacementReport report) {
    this.report = report;
  }

  /** The sentence. */
  public static String of(PlacementReport report) {
    return new PlacementsSentence(report).sentence();
  }

  private String sentence() {
    List<RankedPlacement> ranked = report.ranked();
    List<Integer> places = report.places();
    RankedPlacement best = ranked.get(0);
    RankedPlacement worst = ranked.get(ranked.size() - 1);
    String cards = QuantityFormat.count(report.cards().nCards(), "network card");
    String tried =
        report.selection().isAll() ? "" : " of the %s that were tried".formatted(ranked.size());
    if (ranked.size() == 1) {
      return "The %s of %s can be placed in one way only: %s."
          .formatted(cards, report.job(), amount(best));
    }
    if (places.get(places.size() - 1) == 1) {
      return "Where the %s of %s are makes no difference%s: %s%s."
          .formatted(cards, report.job(), tried, amount(best), limit());
    }
    String range =
        isSame(best, worst)
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
    String begin = "Best%s for the %s of %s: ".formatted(tried, cards, report.job());
    return Sentence.of(
        begin + first(moves, MOVES) + ": " + gain + range + ".",
        begin + first(moves, MOVES) + ": " + gain + ".",
        begin + first(moves, 1) + ": " + gain + ".",
        begin + QuantityFormat.count(moves.size(), "move") + ": " + gain + ".");
  }

  private static String first(List<String> moves, int most) {
    int more = moves.size() - most;
    return moves.stream().limit(most).collect(Collectors.joining("; "))
        + (more > 0 ? " and " + QuantityFormat.count(more, "more move") : "");
  }

  private static boolean isSame(RankedPlacement placement, RankedPlacement other) {
    return TimeChange.isNone(placement.score().busbwGBps() / other.score().busbwGBps() - 1);
  }

  private String amount(RankedPlacement placement) {
    return "%s %s GB/s busbw"
        .formatted(report.mainCall().label(), ranged(report, placement).text());
  }

  private String number(RankedPlacement placement) {
    return ranged(report, placement).number();
  }

  /** The busbw of a placement with the range of the unchanged job, as both have the same source. */
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
