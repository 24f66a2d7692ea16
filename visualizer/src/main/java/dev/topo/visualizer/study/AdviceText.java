package dev.topo.visualizer.study;

import dev.topo.hw.verify.TriedCall;
import dev.topo.model.Alike;
import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.BetterGraph;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.CallAdvice.Candidate;
import dev.topo.simulator.advice.Check;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.simulator.advice.HowTo;
import dev.topo.simulator.advice.Lever;
import dev.topo.simulator.advice.Permission;
import dev.topo.simulator.advice.Plan;
import dev.topo.simulator.advice.Setup;
import dev.topo.visualizer.times.BasisLines;
import dev.topo.visualizer.times.PredictionRow;
import dev.topo.visualizer.times.PredictionText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords.Hint;
import dev.topo.visualizer.view.RangedNumber;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes advice as text: what makes calls faster and what to measure, on one screen; the verbose
 * form adds a table for each operation.
 */
public final class AdviceText {
  /** Number of faster calls, and of changes to measure, that fit on a screen. */
  private static final int MAX_ROWS = 6;

  /** Number of changes to measure if other changes are advised already. */
  private static final int MAX_ROWS_BESIDE_PLAN = 3;

  private final AdviceReport report;
  private final boolean isVerbose;
  private final TextWriter out;

  private AdviceText(AdviceReport report, boolean isVerbose) {
    this.report = report;
    this.isVerbose = isVerbose;
    this.out = isVerbose ? PredictionText.heading(report.forecast()) : new TextWriter();
  }

  /**
   * Returns the advice for a job: what to do and what to measure.
   *
   * @param trials the trial runs on this machine
   * @param isVerbose whether to add each call by itself and everything that is known about gains
   * @param command the command line of the question; empty if there is none
   */
  public static Answer of(
      AdviceReport report, List<TriedCall> trials, boolean isVerbose, String command) {
    return Answer.of(new AdviceText(report, isVerbose).text(trials, command));
  }

  private String text(List<TriedCall> trials, String command) {
    if (isVerbose) {
      out.lines(
          "  ! ",
          report.caveats().stream()
              .filter(caveat -> !report.forecast().caveats().contains(caveat))
              .toList());
      out.line("may change: %s\n", String.join(", ", AdviceFields.labels(report.advice().may())));
    }
    Plan plan = report.advice().plan();
    if (plan.isAdvised()) {
      plan(plan);
      faster(plan);
    } else if (isVerbose) {
      out.line("nothing is advised: no gain is larger than its range");
    }
    trials(trials);
    report
        .advice()
        .graph()
        .filter(answer -> isVerbose || answer instanceof BetterGraph)
        .ifPresent(this::graph);
    measure(command, plan.isAdvised());
    if (isVerbose) {
      operations();
    }
    basis();
    return out.toString();
  }

  /** Writes each operation by itself, then what is not advised. */
  private void operations() {
    Map<Operation, List<CallAdvice>> byOperation =
        Alike.by(report.advice().calls(), advice -> advice.call().operation());
    byOperation.values().stream().filter(AdviceText::isAdvised).forEach(this::table);
    unadvised(byOperation);
    candidates();
    unmeasured();
    notAdvised();
  }

  private void plan(Plan plan) {
    List<CallAdvice> faster = plan.calls().stream().filter(CallAdvice::isAdvised).toList();
    Setup settings = plan.settings().orElseThrow();
    out.line(
        "for all calls together: %d of %d faster, by %s on average over all",
        faster.size(), plan.calls().size(), percent(plan.gain()));
    HowTo.settings(settings).forEach(instruction -> out.line("  %s", instruction));
    if (plan.usesTuner()) {
      out.line("  tuner file: %s (docs/advise.md)", Hint.ADVISE_TUNER);
    }
    for (Buffers kind : AdviceFields.REGISTRATIONS) {
      List<Operation> operations = plan.operations(kind);
      if (!operations.isEmpty()) {
        out.line(
            "  program: of %s %s",
            QuantityFormat.joined(", ", operations, Operation::label), HowTo.buffers(kind));
        out.lines("      ", isVerbose ? HowTo.pytorch(kind) : List.of());
      }
    }
    int moreMultiprocessors =
        faster.stream()
            .mapToInt(advice -> advice.best().ctas() - advice.now().ctas())
            .max()
            .orElse(0);
    long memory = AdviceCost.memoryBytes(report.now(), settings);
    if (moreMultiprocessors > 0 || memory > 0 || isVerbose) {
      out.line(
          "  cost: %s%s",
          moreMultiprocessors > 0
              ? "up to "
                  + moreMultiprocessors
                  + " more multiprocessors of each GPU while a call runs"
              : "none",
          memory > 0 ? ", " + QuantityFormat.size(memory) + " of memory of each GPU" : "");
    }
  }

  private void faster(Plan plan) {
    List<CallAdvice> faster =
        plan.calls().stream()
            .filter(CallAdvice::isAdvised)
            .sorted(Comparator.comparingDouble((CallAdvice advice) -> -advice.gain().least()))
            .toList();
    List<CallAdvice> shown = limited(faster, MAX_ROWS);
    out.line("")
        .table(
            TextTable.indented()
                .header("call,time now,then,faster by,range,by")
                .rows(
                    shown,
                    advice ->
                        List.of(
                            PredictionRow.call(advice.call()),
                            QuantityFormat.briefTime(advice.now().timeUs()),
                            QuantityFormat.briefTime(advice.best().timeUs()),
                            percent(advice.gain().ratio() - 1),
                            range(advice.gain()),
                            advice.best().launchName())));
    omitted(faster.size() - shown.size(), "more call");
    check(faster.get(0));
  }

  /** Writes how to measure that a call is faster. */
  private void check(CallAdvice advice) {
    Check check = Check.byRun(advice.now(), advice.best(), report.ownSettings(), report.nRanks());
    if (check.after().startsWith(check.before() + " ")) {
      out.line(
          "  check: %s, then with %s",
          check.before(), check.after().substring(check.before().length() + 1));
    } else {
      out.line("  check before: %s", check.before());
      out.line("  check after:  %s", check.after());
    }
  }

  private void measure(String command, boolean isBesidePlan) {
    List<MeasurementRanking> ranking = MeasurementRanking.of(report.advice().calls());
    if (ranking.isEmpty()) {
      return;
    }
    List<MeasurementRanking> shown =
        limited(ranking, isBesidePlan ? MAX_ROWS_BESIDE_PLAN : MAX_ROWS);

    if (isBesidePlan || isVerbose) {
      out.line("");
    }
    out.line(
            "worth measuring, the most promising first; all of it by\n  %s",
            TrialCommand.of(report, ranking, MAX_ROWS, command))
        .table(MeasurementRanking.COLUMNS.shown(shown));
    omitted(ranking.size() - shown.size(), "more change");
  }

  private <T> List<T> limited(List<T> all, int limit) {
    return isVerbose ? all : all.subList(0, Math.min(limit, all.size()));
  }

  private void omitted(int count, String noun) {
    if (count > 0) {
      out.line("  %s with -v", QuantityFormat.count(count, noun));
    }
  }

  private static boolean isAdvised(List<CallAdvice> calls) {
    return calls.stream().anyMatch(CallAdvice::isAdvised);
  }

  /** Lists the operations for which nothing is advised, if something is advised for others. */
  private void unadvised(Map<Operation, List<CallAdvice>> byOperation) {
    Map<Operation, List<CallAdvice>> unadvised = new LinkedHashMap<>(byOperation);
    unadvised.values().removeIf(AdviceText::isAdvised);
    if (!unadvised.isEmpty() && unadvised.size() < byOperation.size()) {
      out.line(
          "\nnothing is advised for %s (%s)",
          QuantityFormat.joined(", ", unadvised.keySet(), Operation::label),
          sizes(unadvised.values().iterator().next()));
    }
  }

  private static String ctas(Alternative variant) {
    return QuantityFormat.ofMost(variant.ctas(), variant.mostCtas());
  }

  private void table(List<CallAdvice> calls) {
    Operation operation = calls.get(0).call().operation();
    TextTable table =
        TextTable.indented().header("size,now,CTAs,time,bound,best,CTAs,time,faster by,range,with");
    for (CallAdvice advice : calls) {
      Alternative now = advice.now();
      String size = QuantityFormat.size(advice.call().sizeBytes());
      String bound = QuantityFormat.time(report.advice().boundUs(advice.call()));
      if (advice.isAdvised()) {
        Alternative best = advice.best();
        table.row(
            size,
            now.launchName(),
            ctas(now),
            QuantityFormat.time(now.timeUs()),
            bound,
            best.launchName(),
            ctas(best),
            QuantityFormat.time(best.timeUs()),
            percent(advice.gain().ratio() - 1),
            range(advice.gain()),
            changes(best));
      } else {
        table.row(size, now.launchName(), ctas(now), QuantityFormat.time(now.timeUs()), bound, "-");
      }
    }
    out.line("\n%s", operation.label()).table(table);
    calls.stream()
        .filter(CallAdvice::isAdvised)
        .max(Comparator.comparingDouble(advice -> advice.gain().ratio()))
        .ifPresent(this::check);
  }

  private static String sizes(List<CallAdvice> calls) {
    String first = QuantityFormat.size(calls.get(0).call().sizeBytes());
    String last = QuantityFormat.size(Last.of(calls).call().sizeBytes());
    return calls.size() == 1
        ? first
        : "%s sizes from %s to %s".formatted(calls.size(), first, last);
  }

  private static String changes(Alternative best) {
    return String.join(", ", changes(best, "tuner file"));
  }

  /**
   * The changes of an alternative: settings, the tuner's choice and kinds of buffers.
   *
   * @param tuner what to call the tuner's choice
   */
  static List<String> changes(Alternative best, String tuner) {
    return changes(
        best.setup().settings(),
        best.levers().contains(Lever.PAIR) ? List.of(tuner) : List.of(),
        List.of(best.setup().buffers()));
  }

  /** The names of changes: settings, the tuner's choice if there is one, and kinds of buffers. */
  static List<String> changes(NcclSettings settings, List<String> tuner, List<Buffers> kinds) {
    List<String> words = new ArrayList<>();
    settings.values().forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(tuner);
    kinds.stream()
        .filter(kind -> kind != Buffers.PLAIN)
        .forEach(kind -> words.add(kind.label() + " buffers"));
    return words;
  }

  /** The algorithm or kernel that runs a call, and the changes that select it. */
  static String how(Alternative alternative) {
    String changes = changes(alternative);
    return alternative.launchName() + (changes.isEmpty() ? "" : ", " + changes);
  }

  private void trials(List<TriedCall> trials) {
    if (trials.isEmpty()) {
      return;
    }
    out.line("\nmeasured here, in turns, medians of 3 processes with a thread for each GPU")
        .table(AdviceFields.TRIED.shown(trials));
  }

  private void graph(GraphAnswer answer) {
    if (answer instanceof GraphAnswer.None none) {
      out.line("\nNCCL_GRAPH_FILE: %s", none.reason());
      return;
    }
    BetterGraph better = (BetterGraph) answer;
    out.line(
        "\nNCCL_GRAPH_FILE: %s; %d channels instead of %d%s; no gain of such"
            + " a file was measured on this machine",
        Hint.ADVISE_GRAPH,
        better.channelsAfter(),
        better.channelsBefore(),
        better.sameOrders() ? ", in the same orders: a number of channels may do as much" : "");
    out.line(
            "  of the bound rings reach %s instead of %s, trees %s instead of %s",
            percent(better.after().ring()),
            percent(better.before().ring()),
            percent(better.after().tree()),
            percent(better.before().tree()))
        .table(AdviceFields.GRAPH_CALL.shown(better.calls()));
  }

  private void candidates() {
    List<CallAdvice> uncertain =
        report.advice().calls().stream().filter(advice -> advice.candidate().isPresent()).toList();
    if (uncertain.isEmpty()) {
      return;
    }
    out.line(
            "\nnot advised, as the range of the gain is wide or not known: compare by measurements")
        .table(
            TextTable.indented()
                .header("call,predicted,range,with")
                .rows(
                    uncertain,
                    advice -> {
                      Candidate candidate = advice.candidate().orElseThrow();
                      Alternative other = candidate.variant();
                      return List.of(
                          PredictionRow.call(advice.call()),
                          percent(advice.now().timeUs() / other.timeUs() - 1),
                          candidate.gain().map(AdviceText::range).orElse("not known"),
                          how(other));
                    }));
  }

  private void unmeasured() {
    List<String> suggestions = report.tries();
    if (!suggestions.isEmpty()) {
      out.line("\nnot measured on such a machine: compare with a run as it is")
          .lines("  ", suggestions);
    }
  }

  private void notAdvised() {
    if (!report.advice().may().contains(Permission.SETTINGS) || report.notAdvised().isEmpty()) {
      return;
    }
    out.line("\nnot predicted and not advised; gains measured on 2 H200 from 1 MiB on")
        .table(
            TextTable.indented()
                .header("setting,mean,from,to")
                .rows(
                    report.notAdvised(),
                    setting ->
                        List.of(
                            setting.setting(),
                            percent(setting.meanPercent() / 100),
                            percent(setting.leastPercent() / 100),
                            percent(setting.mostPercent() / 100))));
  }

  private void basis() {
    BasisLines basis = new BasisLines();
    report
        .advice()
        .calls()
        .forEach(advice -> report.now().predict(advice.call()).ifPresent(basis::add));
    basis.write(out, List.of(), false);
    AdviceReport.ofGains(report.now(), report.advice().gains())
        .ifPresentOrElse(
            why -> out.paragraph("not modelled: " + why, "  "),
            () -> out.line("rests on: gains measured on such a machine; docs/advise.md"));
  }

  static String range(Gain gain) {
    return RangedNumber.of(gain.percent(), gain.leastPercent(), gain.mostPercent()).range() + " %";
  }

  static String percent(double fraction) {
    return Math.round(100 * fraction) + " %";
  }
}
