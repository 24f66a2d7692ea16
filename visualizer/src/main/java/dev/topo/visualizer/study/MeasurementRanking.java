package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.CallAdvice.Candidate;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.Lever;
import dev.topo.visualizer.view.RangedNumber;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A change that only a measurement can judge, with the calls that it is predicted to make faster.
 *
 * @param with the change
 * @param calls those calls, the largest gain first
 */
record MeasurementRanking(String with, List<CallAdvice> calls) {
  /** Copies the list. */
  MeasurementRanking {
    calls = List.copyOf(calls);
  }

  /** The changes for some calls, that with the largest gain of all its calls together first. */
  static List<MeasurementRanking> of(List<CallAdvice> calls) {
    Map<String, List<CallAdvice>> byChange = new LinkedHashMap<>();
    for (CallAdvice advice : calls) {
      advice
          .candidate()
          .ifPresent(
              candidate ->
                  byChange
                      .computeIfAbsent(with(candidate.variant()), key -> new ArrayList<>())
                      .add(advice));
    }
    List<MeasurementRanking> ranking = new ArrayList<>();
    byChange.forEach(
        (with, some) ->
            ranking.add(
                new MeasurementRanking(
                    with,
                    some.stream()
                        .sorted(Comparator.comparingDouble(MeasurementRanking::ratio).reversed())
                        .toList())));
    ranking.sort(Comparator.comparingDouble(MeasurementRanking::weight).reversed());
    return ranking;
  }

  /** The way to run a call that only a measurement can judge. */
  static Alternative variant(CallAdvice advice) {
    return advice.candidate().orElseThrow().variant();
  }

  private double weight() {
    return calls.stream().mapToDouble(advice -> Math.log(ratio(advice))).sum();
  }

  private static double ratio(CallAdvice advice) {
    return advice.now().timeUs() / advice.candidate().orElseThrow().variant().timeUs();
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
    Candidate candidate = advice.candidate().orElseThrow();
    return candidate
        .gain()
        .map(
            gain ->
                number(gain, gain.leastPercent())
                    + " to "
                    + number(gain, gain.mostPercent())
                    + " %")
        .orElse("range not known");
  }

  private static String number(Gain gain, double percent) {
    return RangedNumber.of(percent, gain.leastPercent(), gain.mostPercent()).number();
  }

  /** Multiprocessors that it takes beyond those of now. */
  String cost() {
    int more =
        calls.stream()
            .mapToInt(
                advice -> advice.candidate().orElseThrow().variant().ctas() - advice.now().ctas())
            .max()
            .orElse(0);
    return more > 0 ? "%d more SMs of each GPU".formatted(more) : "none";
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
