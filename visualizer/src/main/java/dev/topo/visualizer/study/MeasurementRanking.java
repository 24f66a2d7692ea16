package dev.topo.visualizer.study;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.Lever;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.RangedNumber;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A change that only a measurement can judge, with the calls that it is predicted to make faster.
 *
 * @param with the change
 * @param calls those calls, the largest gain first
 */
record MeasurementRanking(String with, List<CallAdvice> calls) {
  static final Columns<MeasurementRanking> COLUMNS =
      Columns.of(MeasurementRanking.class)
          .column("change", MeasurementRanking::with)
          .column("calls", ranking -> ranking.calls.size())
          .column("gains most", ranking -> WhatIfText.call(ranking.best().call()))
          .column("predicted", ranking -> ranking.percent(ranking.best()))
          .column("range", ranking -> ranking.range(ranking.best()))
          .column("cost", MeasurementRanking::cost);

  /** Copies the list. */
  MeasurementRanking {
    calls = List.copyOf(calls);
  }

  /** The changes for some calls, that with the largest gain of all its calls together first. */
  static List<MeasurementRanking> of(List<CallAdvice> calls) {
    List<CallAdvice> some =
        calls.stream().filter(advice -> advice.candidate().isPresent()).toList();
    return Alike.by(some, advice -> with(variant(advice))).entrySet().stream()
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

  /** The way to run a call that only a measurement can judge. */
  static Alternative variant(CallAdvice advice) {
    return advice.candidate().orElseThrow().variant();
  }

  private double weight() {
    return calls.stream().mapToDouble(advice -> Math.log(ratio(advice))).sum();
  }

  private static double ratio(CallAdvice advice) {
    return advice.now().timeUs() / variant(advice).timeUs();
  }

  /** The call that gains most. */
  CallAdvice best() {
    return calls.get(0);
  }

  /** The predicted gain of a call: {@code 28 %}. */
  String percent(CallAdvice advice) {
    return RangedNumber.withoutRange(100 * (ratio(advice) - 1)).number() + " %";
  }

  /** The range of that gain, for people. */
  String range(CallAdvice advice) {
    return advice.candidate().orElseThrow().gain().map(AdviceText::range).orElse("range not known");
  }

  /** Multiprocessors that it takes beyond those of now. */
  String cost() {
    int more =
        calls.stream()
            .mapToInt(advice -> variant(advice).ctas() - advice.now().ctas())
            .max()
            .orElse(0);
    return more > 0 ? "%s more SMs of each GPU".formatted(more) : "none";
  }

  /** Words for the changes: settings, the tuner's choice, buffers. */
  static String with(Alternative best) {
    List<String> words = new ArrayList<>();
    best.setup().settings().values().forEach((name, value) -> words.add(name + "=" + value));
    if (best.levers().contains(Lever.PAIR)) {
      words.add("the tuner plugin");
    }
    if (best.setup().buffers() != Buffers.PLAIN) {
      words.add(best.setup().buffers().label() + " buffers");
    }
    return QuantityFormat.listed(words);
  }
}
