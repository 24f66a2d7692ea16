package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.BetterGraph;
import dev.topo.simulator.advice.BetterGraph.CallGain;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.visualizer.view.Answer.Sentence;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Summarises advice in one sentence: the changes that make calls faster or, if none is known to,
 * what to measure first.
 */
public final class AdviceSentence {
  /** Gains of at least this ratio are written as factors instead of percentages. */
  private static final double MIN_FACTOR = 1.5;

  private final AdviceReport report;

  private AdviceSentence(AdviceReport report) {
    this.report = report;
  }

  /** Returns the sentence. */
  public static String of(AdviceReport report) {
    return new AdviceSentence(report).sentence();
  }

  /**
   * Returns the choice of algorithm and protocol to measure first; empty if none is predicted to be
   * faster.
   */
  public static Optional<String> ofTuner(AdviceReport report) {
    return MeasurementRanking.of(report.advice().calls()).stream()
        .flatMap(
            ranking ->
                ranking.calls().stream()
                    .filter(call -> MeasurementRanking.variant(call).forced().isPresent())
                    .findFirst()
                    .map(
                        call ->
                            "%s by %s, predicted %s faster (%s)"
                                .formatted(
                                    call.call().label(),
                                    MeasurementRanking.variant(call).launchName(),
                                    ranking.percent(call),
                                    ranking.range(call)))
                    .stream())
        .findFirst();
  }

  private String sentence() {
    List<CallAdvice> faster =
        report.advice().plan().calls().stream().filter(CallAdvice::isAdvised).toList();
    if (!faster.isEmpty()) {
      return faster(faster);
    }
    Optional<BetterGraph> graph =
        report.advice().graph().filter(BetterGraph.class::isInstance).map(BetterGraph.class::cast);
    return graph.map(this::graph).orElseGet(this::nothing);
  }

  private String faster(List<CallAdvice> faster) {
    CallAdvice best =
        faster.stream()
            .max(Comparator.comparingDouble(advice -> advice.gain().least()))
            .orElseThrow();
    int others = faster.size() - 1;
    return "With %s on %s, %s is %s%s."
        .formatted(
            MeasurementRanking.changes(best.best()),
            report.title(),
            best.call().label(),
            gain(best.gain()),
            others > 0
                ? "; %s of %s below"
                    .formatted(
                        QuantityFormat.count(others, "more call"), report.advice().calls().size())
                : "");
  }

  private static String gain(Gain gain) {
    boolean isFactor = gain.ratio() >= MIN_FACTOR;
    RangedNumber range =
        isFactor
            ? RangedNumber.of(gain.ratio(), gain.least(), gain.most())
            : RangedNumber.of(gain.percent(), gain.leastPercent(), gain.mostPercent());
    return range.text().replaceFirst(" |$", isFactor ? " times as fast " : " % faster ").strip();
  }

  private String graph(BetterGraph graph) {
    return graph.calls().stream()
        .max(Comparator.comparingDouble(CallGain::gainPercent))
        .map(
            gain ->
                "A graph file is predicted to make %s %s %% faster on %s, with %s channels instead of %s; no gain of such a file was measured."
                    .formatted(
                        gain.call().label(),
                        Math.round(gain.gainPercent()),
                        report.title(),
                        graph.channelsAfter(),
                        graph.channelsBefore()))
        .orElseGet(() -> "A graph file uses more of the links of " + report.title() + ".");
  }

  private String nothing() {
    String nothing = "Nothing is known to be faster on " + report.title();
    List<MeasurementRanking> ranking = MeasurementRanking.of(report.advice().calls());
    if (ranking.isEmpty()) {
      return nothing + why() + noCandidate() + ".";
    }
    MeasurementRanking first = ranking.get(0);
    CallAdvice best = first.best();
    String measure =
        "; measure first: %s, for %s predicted %s faster (%s)."
            .formatted(first.change(), best.call().label(), first.percent(best), first.range(best));
    return Sentence.of(nothing + why() + measure, nothing + measure);
  }

  private String noCandidate() {
    return report.advice().graph().isPresent()
        ? report
            .advice()
            .graph()
            .filter(GraphAnswer.None.class::isInstance)
            .map(none -> ": " + ((GraphAnswer.None) none).reason())
            .orElse("")
        : report.now().predictor().calibration().isEmpty()
            ? ": topo calibrate makes one from a measurement"
            : ", and no change that is allowed is predicted to be faster";
  }

  private String why() {
    return report.now().communicator().nNodes() > 1
        ? ", as no gain was measured between nodes"
        : report.now().predictor().calibration().isEmpty()
            ? ", as no calibration fits it"
            : report.advice().gains().isMeasured() ? "" : ", as gains were measured on 2 H200 only";
  }
}
