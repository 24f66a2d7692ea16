package dev.topo.visualizer.study;

import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.variant.GainReason;
import dev.topo.simulator.variant.PathComparison;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.simulator.variant.WhatIfReport.VariantOutcome;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.times.LimitWords;
import dev.topo.visualizer.times.PredictionSentence;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Summarises the effect of edits in one sentence: the busbw of the main call and of the call that
 * changes most besides, with reasons; for several variants, the best one.
 */
public final class WhatIfSentence {
  /**
   * A second call is named if the logarithm of its change is more than this factor times that of
   * the main call.
   */
  private static final double MIN_FACTOR_BEYOND_MAIN = 1.5;

  /** Number of variants that are named. */
  private static final int MAX_VARIANTS = 2;

  private final WhatIfReport report;

  private WhatIfSentence(WhatIfReport report) {
    this.report = report;
  }

  /** Returns the sentence. */
  public static String of(WhatIfReport report) {
    WhatIfSentence sentence = new WhatIfSentence(report);
    return report.variants().size() == 1
        ? sentence.one(report.variants().get(0))
        : sentence.several();
  }

  private String one(VariantOutcome variant) {
    Optional<WhatIfOutcome> outcome = variant.outcome();
    String subject = report.job() + " " + EditWords.of(variant.variant(), report.nodes()) + ": ";
    return Sentence.of(
        outcome
            .map(this::wordings)
            .orElseGet(
                () ->
                    List.of(variant.failure().map(UnusableTopologyException::sentence).orElse("")))
            .stream()
            .map(effect -> subject + effect + ".")
            .toList());
  }

  /** What the edits make fail, then their effects on other calls; longest wording first. */
  private List<String> wordings(WhatIfOutcome after) {
    Optional<String> failing = failing(after);
    if (failing.isEmpty()) {
      return effects(after);
    }
    return after.prediction(report.mainCall()).isEmpty()
        ? List.of(failing.get())
        : effects(after).stream().map(effect -> failing.get() + "; " + effect).toList();
  }

  /** The calls that NCCL refuses only because of the edits; a job that makes them fails. */
  private Optional<String> failing(WhatIfOutcome after) {
    return PredictionSentence.failing(
        report.calls().stream()
            .filter(after.result().predictor()::isRefused)
            .filter(call -> report.before().prediction(call).isPresent()));
  }

  /** The effects of the edits; longest wording first. */
  private List<String> effects(WhatIfOutcome after) {
    List<EditedCall> shifts = EditedCall.of(report, after);
    // NCCL's rules may predict a gain from removed devices, which no run has confirmed.
    boolean isReduced = GainReason.isReduced(report.before(), after);
    List<EditedCall> reported =
        shifts.stream()
            .filter(shift -> shift.isCertain() && !(isReduced && shift.isGain()))
            .toList();
    if (reported.isEmpty()) {
      return nothing(after, shifts);
    }
    EditedCall main = new EditedCall(report.mainCall(), report.before(), after);
    String first = main.amount() + (main.isCertain() ? main.cause() : "");
    Optional<EditedCall> second =
        reported.stream()
            .filter(shift -> !shift.call().equals(main.call()))
            .filter(shift -> shift.hasRanges() || !main.hasRanges())
            .filter(
                shift ->
                    shift.size() > (main.isCertain() ? MIN_FACTOR_BEYOND_MAIN * main.size() : 0))
            .max(Comparator.comparingDouble(EditedCall::size));
    if (second.isEmpty()) {
      return List.of(first, main.amount());
    }
    String beside = "; %s %s".formatted(second.get().call().label(), second.get().verb());
    String full = beside + second.get().cause();
    return List.of(first + full, first + beside, first, main.amount());
  }

  private List<String> nothing(WhatIfOutcome after, List<EditedCall> shifts) {
    EditedCall main = new EditedCall(report.mainCall(), report.before(), after);
    String unchanged =
        (shifts.size() == 1
                ? main.call().label() + " does not change"
                : "none of %s calls (%s) changes".formatted(shifts.size(), sizes()))
            + beyond(shifts);
    if (report.before().connection().nRanks() == 1) {
      return List.of(
          unchanged + ", as one rank sends nothing (" + Hint.TWO_NODES + " has two nodes)");
    }
    PathComparison.Result paths = PathComparison.compare(report.before(), after);
    boolean isOfPorts =
        !paths.changes().isEmpty()
            && paths.changes().stream().noneMatch(change -> change.to().startsWith("GPU "));
    if (isOfPorts && report.before().connection().nNodes() == 1) {
      return List.of(
          unchanged
              + ", as a job of one node uses no network port ("
              + Hint.TWO_NODES
              + " has two nodes)");
    }
    if (main.was().isEmpty() || main.is().isEmpty()) {
      return List.of(
          unchanged + ", as " + (main.is().isEmpty() ? main.amount() : "it was refused before"));
    }
    if (shifts.size() == 1) {
      return List.of(
          main.amount() + (main.isVisible() ? main.choice() : main.cause()), main.amount());
    }
    String amount = main.amount() + (main.isVisible() ? "" : main.cause());
    return List.of(unchanged + "; " + amount, amount, main.amount());
  }

  /** Qualifies "does not change" if some calls do change. */
  private static String beyond(List<EditedCall> shifts) {
    if (shifts.stream().anyMatch(EditedCall::isCertain)) {
      return " for the worse";
    }
    return shifts.stream().anyMatch(EditedCall::isVisible) ? " beyond its range" : "";
  }

  /** The sizes that were tried; sizes between them may change. */
  private String sizes() {
    List<String> sizes =
        report.calls().stream()
            .map(Call::sizeBytes)
            .distinct()
            .sorted()
            .map(QuantityFormat::size)
            .toList();
    return sizes.size() == 1
        ? sizes.get(0)
        : "%s sizes, %s to %s".formatted(sizes.size(), sizes.get(0), Last.of(sizes));
  }

  private String several() {
    List<WhatIfOutcome> ranked = report.ranked();
    Call call = report.mainCall();
    WhatIfOutcome best = ranked.get(0);
    List<Integer> places = report.places();
    int asItIs = places.get(ranked.indexOf(report.before()));
    int n = report.variants().size();
    if (ranked.size() == 1) {
      return "NCCL does not start by any of %s variants of %s.".formatted(n, report.job());
    }
    if (Last.of(places) == 1) {
      return "All %s variants of %s are as good as it is: %s."
          .formatted(n, report.job(), busbw(best, call));
    }
    if (asItIs == 1) {
      String noneBetter =
          "None of %s variants of %s is better than it is, at %s"
              .formatted(n, report.job(), busbw(report.before(), call));
      return Sentence.of(
          noneBetter + "; " + others(MAX_VARIANTS + 1, report.before()) + ".", noneBetter + ".");
    }
    EditedCall shift = new EditedCall(call, report.before(), best);
    String bestVariant =
        "Best of %s variants of %s is “%s”: %s"
            .formatted(
                n,
                report.job(),
                best.name(),
                failing(best).map(failing -> failing + "; ").orElse("") + shift.amount());
    String others = ranked.size() > 2 ? "; " + others(MAX_VARIANTS, best) : "";
    return Sentence.of(
        bestVariant + shift.cause() + others + ".",
        bestVariant + shift.cause() + ".",
        bestVariant + ".");
  }

  private static String busbw(WhatIfOutcome outcome, Call call) {
    Optional<Prediction> prediction = outcome.prediction(call);

    return prediction
        .map(
            predicted ->
                "%s %s GB/s busbw%s"
                    .formatted(
                        call.label(),
                        BusbwWords.range(predicted).text(),
                        LimitWords.clause(outcome.result(), predicted)))
        .orElse(call.label() + " is refused");
  }

  /** The next best variants, with what they change. */
  private String others(int most, WhatIfOutcome named) {
    List<String> words = new ArrayList<>();
    List<WhatIfOutcome> others =
        report.ranked().stream()
            .filter(outcome -> !outcome.equals(named) && !outcome.equals(report.before()))
            .toList();
    for (WhatIfOutcome outcome : others.stream().limit(most).toList()) {
      EditedCall shift = new EditedCall(report.mainCall(), report.before(), outcome);
      words.add(
          "“%s” %s"
              .formatted(
                  outcome.name(),
                  shift.relative().isEmpty()
                      ? "is not comparable"
                      : shift.isVisible() ? shift.verb() : "changes nothing"));
    }
    return String.join(", ", words);
  }
}
