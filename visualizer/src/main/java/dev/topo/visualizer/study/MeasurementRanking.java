package dev.topo.visualizer.study;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.visualizer.times.PredictionRow;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Comparator;
import java.util.List;

/**
 * A change whose gain is uncertain until measured, with the calls that it is predicted to make
 * faster.
 *
 * @param change the change in words
 * @param calls the calls, largest predicted gain first
 */
record MeasurementRanking(String change, List<CallAdvice> calls) {
  static final Columns<MeasurementRanking> COLUMNS =
      Columns.of(MeasurementRanking.class)
          .column("change", MeasurementRanking::change)
          .column("calls", ranking -> ranking.calls.size())
          .column("gains most", ranking -> PredictionRow.call(ranking.best().call()))
          .column("predicted", ranking -> ranking.percent(ranking.best()))
          .column("range", ranking -> ranking.range(ranking.best()))
          .column("cost", MeasurementRanking::cost);

  /** Copies the list. */
  MeasurementRanking {
    calls = List.copyOf(calls);
  }

  /**
   * Ranks the uncertain changes for some calls by the predicted gain over all their calls, largest
   * first.
   */
  static List<MeasurementRanking> of(List<CallAdvice> calls) {
    List<CallAdvice> uncertain =
        calls.stream().filter(advice -> advice.candidate().isPresent()).toList();
    return Alike.by(uncertain, advice -> changes(variant(advice))).entrySet().stream()
        .map(
            change ->
                new MeasurementRanking(
                    change.getKey(),
                    change.getValue().stream()
                        .sorted(Comparator.comparingDouble(MeasurementRanking::ratio).reversed())
                        .toList()))
        .sorted(Comparator.comparingDouble(MeasurementRanking::weight).reversed())
        .toList();
  }

  /** The alternative for a call whose gain is uncertain until measured. */
  static Alternative variant(CallAdvice advice) {
    return advice.candidate().orElseThrow().variant();
  }

  private double weight() {
    return calls.stream().mapToDouble(advice -> Math.log(ratio(advice))).sum();
  }

  private static double ratio(CallAdvice advice) {
    return advice.now().timeUs() / variant(advice).timeUs();
  }

  /** The call with the largest gain. */
  CallAdvice best() {
    return calls.get(0);
  }

  /** The predicted gain of a call: {@code 28 %}. */
  String percent(CallAdvice advice) {
    return RangedNumber.withoutRange(100 * (ratio(advice) - 1)).number() + " %";
  }

  /** The range of the predicted gain in percent, if known. */
  String range(CallAdvice advice) {
    return advice.candidate().orElseThrow().gain().map(AdviceText::range).orElse("range not known");
  }

  /** The additional multiprocessors that the change takes. */
  String cost() {
    int additional =
        calls.stream()
            .mapToInt(advice -> variant(advice).ctas() - advice.now().ctas())
            .max()
            .orElse(0);
    return additional > 0 ? "%s more SMs of each GPU".formatted(additional) : "none";
  }

  /** The names of the changes: settings, the tuner's choice, buffers. */
  static String changes(Alternative best) {
    return QuantityFormat.listed(AdviceText.changes(best, "the tuner plugin"));
  }
}
