package dev.topo.visualizer.study;

import dev.topo.inspect.trace.CallKind;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.CallChange;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.HowTo;
import dev.topo.simulator.advice.Setup;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.JobOption;
import dev.topo.simulator.workload.SiteChange;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import dev.topo.visualizer.report.WorkloadWords;
import dev.topo.visualizer.view.CompactTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Advice for a job as a whole, for people. */
final class JobAdviceText {
  /** Changes and calls that are shown where all is shown, and where it has to fit on a screen. */
  private static final int MOST = 20;

  private static final int FEW = 5;

  private static final List<String> OPTION_COLUMNS =
      List.of("change", "step", "range", "exposed", "faster by", "its range", "");
  private static final List<String> CALL_COLUMNS =
      List.of(
          "call",
          "size",
          "group",
          "count",
          "now",
          "CTAs now",
          "then",
          "CTAs then",
          "faster by",
          "range");

  private final TextWriter out;
  private final int most;

  private JobAdviceText(TextWriter out, int most) {
    this.out = out;
    this.most = most;
  }

  static void write(TextWriter out, JobAdvice ofGroups, boolean isVerbose) {
    JobAdvice advice = ofGroups.ofGroupKinds();
    JobAdviceText text = new JobAdviceText(out, isVerbose ? MOST : FEW);
    out.line(
        "\nadvice for the job as a whole; may change: %s",
        String.join(", ", AdviceData.labels(advice.may())));
    advice.best().ifPresentOrElse(text::best, () -> text.none(advice));
    text.options(advice);
    advice.best().ifPresent(text::calls);
  }

  private void none(JobAdvice advice) {
    out.line(
        advice.options().isEmpty()
            ? "  nothing is advised: no change that is known does anything to these calls"
            : "  nothing is advised: no gain of the sum over all calls is larger than its range");
  }

  private void best(JobOption best) {
    StepTime step = best.step();
    out.line("  best: %s", title(best));
    HowTo.settings(new Setup(best.settings(), Buffers.PLAIN))
        .forEach(instruction -> out.line("    %s", instruction));
    Set<String> rules = new LinkedHashSet<>();
    for (CallChange change : best.byTuner()) {
      rules.add(
          "tuner plugin: %s of %s by %s"
              .formatted(
                  change.now().call().operation().label(),
                  QuantityFormat.size(change.now().call().sizeBytes()),
                  change.then().launchName()));
    }
    out.lines("    ", List.copyOf(rules));
    for (Buffers kind : List.of(Buffers.REGISTERED, Buffers.SYMMETRIC)) {
      List<String> operations = best.buffers(kind);
      if (!operations.isEmpty()) {
        out.line("    program: %s: %s", String.join(", ", operations), HowTo.buffers(kind));
      }
    }
    out.paragraph(
        "    the calls of the job take %s less time (%s to %s); communication of %s%s then %s (%s)%s"
            .formatted(
                part(best.gain().ratio()),
                part(best.gain().least()),
                part(best.gain().most()),
                WorkloadWords.whole(best.workload()),
                best.workload()
                    .step()
                    .map(one -> " is " + QuantityFormat.time(one.communicationUs()) + " now,")
                    .orElse(""),
                new StepRange(step).time(),
                new StepRange(step).range(),
                step.exposedUs().isPresent()
                    ? "; exposed %s now, then %s"
                        .formatted(
                            QuantityFormat.time(best.exposedNowUs()), new StepRange(step).exposed())
                    : ""),
        "      ");
    if (best.moreCtas() > 0) {
      out.paragraph(
          "    cost: up to %d more multiprocessors of each GPU while a call runs%s"
              .formatted(
                  best.moreCtas(),
                  best.takesFromComputation()
                      ? ", which computation beside calls loses: by how much is not known"
                      : ""),
          "      ");
    }
    if (best.unknown() > 0) {
      out.line(
          "    %s of calls (%s of the time) taken to stay: what the change does to them is not known",
          QuantityFormat.count((int) best.unknown(), "kind"), percent(best.unknownPart()));
    }
    if (!best.slower().isEmpty()) {
      out.line(
          "    slower by it: %s",
          best.slower().stream()
              .map(JobAdviceText::text)
              .distinct()
              .collect(Collectors.joining(", ")));
    }
  }

  private static String text(SiteChange change) {
    CallSite site = change.site();
    return "%s of %s in %s by %s"
        .formatted(
            site.title(),
            QuantityFormat.size(site.kind().bytes()),
            site.kind().group().title(),
            percent(1 / change.gain().ratio() - 1));
  }

  private void options(JobAdvice advice) {
    CompactTable table = new CompactTable(1, OPTION_COLUMNS);
    for (JobOption option : advice.options().stream().limit(most).toList()) {
      StepTime step = option.step();
      Gain gain = option.gain();
      table.row(
          title(option),
          new StepRange(step).time(),
          new StepRange(step).range(),
          new StepRange(step).exposed(),
          percent(gain.ratio() - 1),
          "%s to %s".formatted(percent(gain.least() - 1), percent(gain.most() - 1)),
          option.isAdvised() ? "advised" : "only a measurement tells");
    }
    if (table.size() > 0) {
      table.write(out);
    }
  }

  /** The calls that the best change does something to. */
  private void calls(JobOption best) {
    CompactTable table = new CompactTable(2, CALL_COLUMNS);
    Map<Row, List<CallSite>> rows = new LinkedHashMap<>();
    for (SiteChange change : best.changed()) {
      rows.computeIfAbsent(Row.of(change), key -> new ArrayList<>()).add(change.site());
    }
    rows.entrySet().stream()
        .limit(most)
        .forEach(row -> row(table, row.getKey().change, CallSite.together(row.getValue())));
    out.line("\n  its calls, by the model");
    table.write(out);
  }

  /** A row of the table of calls, of which those beside computation are no others. */
  private record Row(
      String title, String group, int ranks, long bytes, DataType type, CallChange change) {
    static Row of(SiteChange change) {
      CallKind kind = change.site().kind();
      return new Row(
          change.site().title(),
          kind.group().title(),
          kind.group().size(),
          kind.bytes(),
          kind.dataType(),
          change.change().orElseThrow());
    }
  }

  private static void row(CompactTable table, CallChange change, CallSite site) {
    Gain gain = change.gain().orElse(Gain.NONE);
    table.row(
        site.title(),
        QuantityFormat.size(site.kind().bytes()),
        WorkloadWords.groups(site.kind().group().title(), site),
        site.count(),
        change.now().launchName(),
        change.now().ctas(),
        change.then().launchName(),
        change.then().ctas(),
        percent(gain.ratio() - 1),
        "%s to %s".formatted(percent(gain.least() - 1), percent(gain.most() - 1)));
  }

  static String title(JobOption option) {
    List<String> parts = new ArrayList<>();
    option.settings().values().forEach((name, value) -> parts.add(name + "=" + value));
    if (!option.byTuner().isEmpty()) {
      parts.add("tuner plugin");
    }
    for (Buffers kind : List.of(Buffers.REGISTERED, Buffers.SYMMETRIC)) {
      if (!option.buffers(kind).isEmpty()) {
        parts.add(kind.label() + " buffers");
      }
    }
    return String.join(", ", parts);
  }

  /** By which part less a call takes with a gain. */
  static String part(double ratio) {
    return percent(1 - 1 / ratio);
  }

  private static String percent(double part) {
    return QuantityFormat.percent(part, 0);
  }
}
