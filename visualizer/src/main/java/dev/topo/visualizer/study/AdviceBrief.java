package dev.topo.visualizer.study;

import dev.topo.hw.verify.TriedCall;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.Check;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.simulator.advice.Plan;
import dev.topo.visualizer.times.BasisLines;
import dev.topo.visualizer.view.Answer;
import java.util.Comparator;
import java.util.List;

/** Actions and measurements to make, on one screen. */
final class AdviceBrief {
  /** Calls that are faster, and changes to measure. */
  private static final int MOST = 6;

  /** Changes to measure where others are known to gain. */
  private static final int MOST_BESIDE = 3;

  private final AdviceReport report;
  private final TextWriter out = new TextWriter();

  private AdviceBrief(AdviceReport report) {
    this.report = report;
  }

  static Answer of(AdviceReport report, List<TriedCall> tried, String command) {
    AdviceBrief text = new AdviceBrief(report);
    AdviceText parts = new AdviceText(report, text.out);
    Plan plan = report.advice().plan();
    if (plan.isAdvised()) {
      parts.plan(plan, false);
      text.faster(plan);
    }
    parts.tried(tried);
    report.advice().graph().filter(answer -> !isNone(answer)).ifPresent(parts::graph);
    text.measure(command, plan.isAdvised());
    text.basis();
    return Answer.of(text.out.toString());
  }

  private static boolean isNone(GraphAnswer answer) {
    return answer instanceof GraphAnswer.None;
  }

  private void faster(Plan plan) {
    List<CallAdvice> faster =
        plan.calls().stream()
            .filter(CallAdvice::isAdvised)
            .sorted(Comparator.comparingDouble((CallAdvice advice) -> -advice.gain().least()))
            .toList();
    TextTable table = TextTable.indented().header("call,time now,then,faster by,range,by");
    for (CallAdvice advice : faster.stream().limit(MOST).toList()) {
      table.row(
          WhatIfText.call(advice.call()),
          QuantityFormat.briefTime(advice.now().timeUs()),
          QuantityFormat.briefTime(advice.best().timeUs()),
          AdviceText.percent(advice.gain().ratio() - 1),
          AdviceText.range(advice.gain()),
          advice.best().launchName());
    }
    out.line("").table(table);
    if (faster.size() > MOST) {
      out.line("  %s with -v", QuantityFormat.count(faster.size() - MOST, "more call"));
    }
    CallAdvice first = faster.get(0);
    Check check = Check.byRun(first.now(), first.best(), report.ownSettings(), report.nRanks());
    if (check.after().startsWith(check.before() + " ")) {
      out.line(
          "  check: %s, then with %s",
          check.before(), check.after().substring(check.before().length() + 1));
    } else {
      out.line("  check before: %s", check.before());
      out.line("  check after:  %s", check.after());
    }
  }

  private void measure(String command, boolean follows) {
    List<MeasurementRanking> ranking = MeasurementRanking.of(report.advice().calls());
    if (ranking.isEmpty()) {
      return;
    }
    int most = follows ? MOST_BESIDE : MOST;
    TextTable table = TextTable.indented();
    table.header("change,calls,gains most,predicted,range,cost");
    for (MeasurementRanking measurementRanking : ranking.stream().limit(most).toList()) {
      CallAdvice best = measurementRanking.best();
      table.row(
          measurementRanking.with(),
          measurementRanking.calls().size(),
          WhatIfText.call(best.call()),
          measurementRanking.percent(best),
          measurementRanking.range(best),
          measurementRanking.cost());
    }
    if (follows) {
      out.line("");
    }
    out.line(
            "worth measuring, the most promising first; all of it by\n  %s",
            MeasurementCommand.of(report, ranking, MOST, command))
        .table(table);
    if (ranking.size() > most) {
      out.line("  %s with -v", QuantityFormat.count(ranking.size() - most, "more change"));
    }
  }

  private void basis() {
    BasisLines basis = new BasisLines();
    report
        .advice()
        .calls()
        .forEach(advice -> report.now().predict(advice.call()).ifPresent(basis::add));
    basis.write(out, List.of());
    AdviceReport.ofGains(report.now(), report.advice().gains())
        .ifPresentOrElse(
            why -> out.paragraph("not modelled: " + why, "  "),
            () -> out.line("rests on: gains measured on such a machine; docs/advise.md"));
  }
}
