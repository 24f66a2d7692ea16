package dev.topo.visualizer.study;

import dev.topo.hw.verify.TriedCall;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Operation;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.BetterGraph;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.Check;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.simulator.advice.HowTo;
import dev.topo.simulator.advice.Lever;
import dev.topo.simulator.advice.MeasuredSetting;
import dev.topo.simulator.advice.Permission;
import dev.topo.simulator.advice.Plan;
import dev.topo.simulator.advice.Setup;
import dev.topo.visualizer.times.PredictionText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Advice as people read it: what to do for all calls, then a table for each operation. */
public final class AdviceText {
  private final AdviceReport report;
  private final TextWriter out;

  AdviceText(AdviceReport report, TextWriter out) {
    this.report = report;
    this.out = out;
  }

  /**
   * The advice for a job: what to do and what to measure.
   *
   * @param tried what was measured of it on this machine
   * @param verbose each call by itself, and all that was measured
   * @param command the command line of the question; empty without one
   */
  public static Answer of(
      AdviceReport report, List<TriedCall> tried, boolean verbose, String command) {
    return verbose ? each(report, tried) : AdviceBrief.of(report, tried, command);
  }

  private static Answer each(AdviceReport report, List<TriedCall> tried) {
    AdviceText text = new AdviceText(report, PredictionText.heading(report.forecast()));
    text.out.lines(
        "  ! ",
        report.caveats().stream()
            .filter(caveat -> !report.forecast().caveats().contains(caveat))
            .toList());
    text.out.line("may change: %s", String.join(", ", AdviceData.labels(report.advice().may())));
    text.plan(report.advice().plan(), true);
    Map<Operation, List<CallAdvice>> byOperation = new LinkedHashMap<>();
    for (CallAdvice advice : report.advice().calls()) {
      byOperation.computeIfAbsent(advice.call().operation(), key -> new ArrayList<>()).add(advice);
    }
    byOperation.values().stream().filter(AdviceText::isAdvised).forEach(text::table);
    text.without(byOperation);
    text.tried(tried);
    report.advice().graph().ifPresent(text::graph);
    text.candidates();
    text.tries();
    text.notAdvised();
    return Answer.of(text.out.toString());
  }

  void plan(Plan plan, boolean verbose) {
    if (!plan.isAdvised()) {
      out.line("\nnothing is advised: no gain is larger than its range");
      return;
    }
    List<CallAdvice> faster = plan.calls().stream().filter(CallAdvice::isAdvised).toList();
    Setup settings = plan.settings().orElseThrow();
    if (verbose) {
      out.line("");
    }
    out.line(
        "for all calls together: %d of %d faster, by %s on average over all",
        faster.size(), plan.calls().size(), percent(plan.gain()));
    HowTo.settings(settings).forEach(instruction -> out.line("  %s", instruction));
    if (plan.usesTuner()) {
      out.line("  tuner file: %s (docs/advise.md)", Hint.ADVISE_TUNER);
    }
    for (Buffers kind : List.of(Buffers.REGISTERED, Buffers.SYMMETRIC)) {
      List<Operation> operations = plan.operations(kind);
      if (!operations.isEmpty()) {
        out.line(
            "  program: of %s %s",
            operations.stream().map(Operation::label).collect(Collectors.joining(", ")),
            HowTo.buffers(kind));
        out.lines("      ", verbose ? HowTo.pytorch(kind) : List.of());
      }
    }
    int more =
        faster.stream()
            .mapToInt(advice -> advice.best().ctas() - advice.now().ctas())
            .max()
            .orElse(0);
    long memory = Cost.memoryBytes(report.now(), settings);
    if (more > 0 || memory > 0 || verbose) {
      out.line(
          "  cost: %s%s",
          more > 0
              ? "up to " + more + " more multiprocessors of each GPU while a call runs"
              : "none",
          memory > 0 ? ", " + QuantityFormat.size(memory) + " of memory of each GPU" : "");
    }
  }

  private static boolean isAdvised(List<CallAdvice> calls) {
    return calls.stream().anyMatch(CallAdvice::isAdvised);
  }

  /** The operations of which no call is advised to change, where others are. */
  private void without(Map<Operation, List<CallAdvice>> byOperation) {
    Map<Operation, List<CallAdvice>> none = new LinkedHashMap<>(byOperation);
    none.values().removeIf(AdviceText::isAdvised);
    if (!none.isEmpty() && none.size() < byOperation.size()) {
      out.line(
          "\nnothing is advised for %s (%s)",
          none.keySet().stream().map(Operation::label).collect(Collectors.joining(", ")),
          sizes(none.values().iterator().next()));
    }
  }

  private static String ctas(Alternative variant) {
    return QuantityFormat.ofMost(variant.ctas(), variant.mostCtas());
  }

  private void table(List<CallAdvice> calls) {
    Operation operation = calls.get(0).call().operation();
    TextTable table = TextTable.indented();
    table.header("size,now,CTAs,time,bound,best,CTAs,time,faster by,range,with");
    for (CallAdvice advice : calls) {
      Alternative now = advice.now();
      String size = QuantityFormat.size(advice.call().sizeBytes());
      String bound = bound(advice);
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
            with(best));
      } else {
        table.row(size, now.launchName(), ctas(now), QuantityFormat.time(now.timeUs()), bound, "-");
      }
    }
    out.line("\n%s", operation.label()).table(table);
    calls.stream()
        .filter(CallAdvice::isAdvised)
        .max(Comparator.comparingDouble(advice -> advice.gain().ratio()))
        .ifPresent(
            advice -> {
              Check check =
                  Check.byRun(advice.now(), advice.best(), report.ownSettings(), report.nRanks());
              out.line("  check before: %s", check.before());
              out.line("  check after:  %s", check.after());
            });
  }

  private static String sizes(List<CallAdvice> calls) {
    String first = QuantityFormat.size(calls.get(0).call().sizeBytes());
    String last = QuantityFormat.size(calls.get(calls.size() - 1).call().sizeBytes());
    return calls.size() == 1
        ? first
        : "%d sizes from %s to %s".formatted(calls.size(), first, last);
  }

  private String bound(CallAdvice advice) {
    OptionalDouble us = report.advice().boundUs(advice.call());
    return us.isPresent() ? QuantityFormat.time(us.getAsDouble()) : "-";
  }

  private static String with(Alternative best) {
    List<String> words = new ArrayList<>();
    best.setup().settings().values().forEach((name, value) -> words.add(name + "=" + value));
    if (best.levers().contains(Lever.PAIR)) {
      words.add("tuner file");
    }
    if (best.setup().buffers() != Buffers.PLAIN) {
      words.add(best.setup().buffers().label() + " buffers");
    }
    return String.join(", ", words);
  }

  void tried(List<TriedCall> tried) {
    if (tried.isEmpty()) {
      return;
    }
    TextTable table = TextTable.indented();
    table.header("call,as it is,with,time,faster by,predicted,held");
    for (TriedCall call : tried) {
      table.row(
          WhatIfText.call(call.way().call()),
          QuantityFormat.time(call.nowUs()),
          call.way().launchName() + (with(call.way()).isEmpty() ? "" : ", " + with(call.way())),
          QuantityFormat.time(call.wayUs()),
          percent(call.ratio() - 1),
          percent(call.predicted() - 1),
          call.held() ? "yes" : "no");
    }
    out.line("\nmeasured here, in turns, medians of 3 processes with a thread for each GPU")
        .table(table);
  }

  void graph(GraphAnswer answer) {
    if (answer instanceof GraphAnswer.None none) {
      out.line("\nNCCL_GRAPH_FILE: %s", none.reason());
      return;
    }
    BetterGraph better = (BetterGraph) answer;
    TextTable table = TextTable.indented();
    table.header("call,now,with the file,faster by");
    for (BetterGraph.CallGain gain : better.calls()) {
      table.row(
          WhatIfText.call(gain.call()),
          QuantityFormat.time(gain.beforeUs()),
          QuantityFormat.time(gain.afterUs()),
          percent(gain.gainPercent() / 100));
    }
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
        .table(table);
  }

  private void candidates() {
    List<CallAdvice> some =
        report.advice().calls().stream().filter(advice -> advice.candidate().isPresent()).toList();
    if (some.isEmpty()) {
      return;
    }
    TextTable table = TextTable.indented();
    table.header("call,predicted,range,with");
    for (CallAdvice advice : some) {
      CallAdvice.Candidate candidate = advice.candidate().orElseThrow();
      Alternative other = candidate.variant();
      Optional<Gain> gain = candidate.gain();
      table.row(
          WhatIfText.call(advice.call()),
          percent(advice.now().timeUs() / other.timeUs() - 1),
          gain.map(AdviceText::range).orElse("not known"),
          other.launchName() + (with(other).isEmpty() ? "" : ", " + with(other)));
    }
    out.line(
            "\nnot advised, as the range of the gain is wide or not known: compare by measurements")
        .table(table);
  }

  private void tries() {
    List<String> tries = report.tries();
    if (!tries.isEmpty()) {
      out.line("\nnot measured on such a machine: compare with a run as it is").lines("  ", tries);
    }
  }

  private void notAdvised() {
    if (!report.advice().may().contains(Permission.SETTINGS) || report.notAdvised().isEmpty()) {
      return;
    }
    TextTable table = TextTable.indented();
    table.header("setting,mean,from,to");
    for (MeasuredSetting setting : report.notAdvised()) {
      table.row(
          setting.setting(),
          percent(setting.meanPercent() / 100),
          percent(setting.leastPercent() / 100),
          percent(setting.mostPercent() / 100));
    }
    out.line("\nnot predicted and not advised; gains measured on 2 H200 from 1 MiB on")
        .table(table);
  }

  static String range(Gain gain) {
    return String.format(Locale.ROOT, "%.0f to %.0f %%", gain.leastPercent(), gain.mostPercent());
  }

  static String percent(double part) {
    return Math.round(100 * part) + " %";
  }
}
