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

/** What to do and what to measure, on one screen. */
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
            .sorted(Comparator.comparingDouble((CallAdvice one) -> -one.gain().least()))
            .toList();
    TextTable table = TextTable.indented().header("call,time now,then,faster by,range,by");
    for (CallAdvice one : faster.stream().limit(MOST).toList()) {
      table.row(
          WhatIfText.call(one.call()),
          QuantityFormat.briefTime(one.now().timeUs()),
          QuantityFormat.briefTime(one.best().timeUs()),
          AdviceText.percent(one.gain().ratio() - 1),
          AdviceText.range(one.gain()),
          one.best().by());
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
    for (MeasurementRanking one : ranking.stream().limit(most).toList()) {
      CallAdvice best = one.best();
      table.row(
          one.with(),
          one.calls().size(),
          WhatIfText.call(best.call()),
          one.percent(best),
          one.range(best),
          one.cost());
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
    report.advice().calls().forEach(one -> report.now().predict(one.call()).ifPresent(basis::add));
    basis.write(out, List.of());
    AdviceReport.ofGains(report.now(), report.advice().gains())
        .ifPresentOrElse(
            why -> out.paragraph("not modelled: " + why, "  "),
            () -> out.line("rests on: gains measured on such a machine; docs/advise.md"));
  }
}
