package dev.topo.visualizer.study;

import dev.topo.inspect.trace.CallKind;
import dev.topo.model.Alike;
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
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.Fields;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Advice for a whole job as text and as data: {@code options[]}, advised ones first. */
record JobAdviceOutput(TextWriter out, int maxRows) {
  /** Number of changes and calls shown in the verbose form, and on a screen. */
  private static final int MAX_ROWS_VERBOSE = 20;

  private static final int MAX_ROWS = 5;

  private static final Columns<SiteChange> CALL =
      WorkloadFields.kinds(SiteChange.class, SiteChange::site)
          .column("count", "count", row -> row.site().count())
          .column("now", "by", row -> change(row).now().launchName())
          .column("CTAs now", "ctas", row -> change(row).now().ctas())
          .column("then", "byAfter", row -> change(row).then().launchName())
          .column("CTAs then", "ctasAfter", row -> change(row).then().ctas())
          .field("tuner", row -> change(row).then().forced().isPresent())
          .field("buffers", row -> change(row).then().setup().buffers().label())
          .column("faster by", row -> faster(row.gain()))
          .column("range", row -> range(row.gain()))
          .fields(fields -> fields.including(SiteChange::gain, AdviceFields.GAIN));

  private static final Columns<JobOption> OPTION =
      Columns.of(JobOption.class)
          .field("advised", JobOption::isAdvised)
          .column("change", "title", JobAdviceOutput::title)
          .field(
              "settings",
              option ->
                  HowTo.settings(new Setup(option.settings(), Buffers.PLAIN)).stream()
                      .map(instruction -> instruction.text())
                      .toList())
          .column("step", option -> new StepRange(option.step()).time())
          .column("range", option -> new StepRange(option.step()).range())
          .column("exposed", option -> new StepRange(option.step()).exposed())
          .column("faster by", option -> faster(option.gain()))
          .column("its range", option -> range(option.gain()))
          .fields(fields -> fields.including(JobOption::gain, AdviceFields.GAIN))
          .field("after", JobOption::step)
          .field("moreCtas", option -> Math.max(0, option.moreCtas()))
          .field("takesFromComputation", JobOption::takesFromComputation)
          .field("unknownKinds", JobOption::unknown)
          .column("", option -> option.isAdvised() ? "advised" : "only a measurement tells")
          .fields(fields -> fields.list("calls", JobOption::changed, CALL.fields()));

  static final Fields<JobAdvice> FIELDS =
      Fields.of(JobAdvice.class)
          .field("may", advice -> AdviceFields.labels(advice.may()))
          .list("options", JobAdvice::options, OPTION.fields())
          .field("caveats", JobAdvice::notes);

  static void write(TextWriter out, JobAdvice ofGroups, boolean isVerbose) {
    JobAdvice advice = ofGroups.ofGroupKinds();
    JobAdviceOutput text = new JobAdviceOutput(out, isVerbose ? MAX_ROWS_VERBOSE : MAX_ROWS);
    out.line(
        "\nadvice for the job as a whole; may change: %s",
        String.join(", ", AdviceFields.labels(advice.may())));
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
          "tuner plugin: %s by %s"
              .formatted(change.now().call().label(), change.then().launchName()));
    }
    out.lines("    ", List.copyOf(rules));
    for (Buffers kind : AdviceFields.REGISTRATIONS) {
      List<String> operations = best.buffers(kind);
      if (!operations.isEmpty()) {
        out.line("    program: %s: %s", String.join(", ", operations), HowTo.buffers(kind));
      }
    }
    out.paragraph(
        "    %s; communication of %s%s then %s (%s)%s"
            .formatted(
                less(best.gain()),
                WorkloadWords.whole(best.workload()),
                best.workload()
                    .step()
                    .map(one -> " is " + QuantityFormat.time(one.communicationUs()) + " now,")
                    .orElse(""),
                new StepRange(step).time(),
                new StepRange(step).range(),
                new StepRange(step)
                    .exposed(
                        (was, now) -> "; exposed %s now, then %s".formatted(was, now),
                        best.exposedNowUs())),
        "      ");
    if (best.moreCtas() > 0) {
      out.paragraph(
          "    cost: up to %s more multiprocessors of each GPU while a call runs%s"
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
          QuantityFormat.count(best.unknown(), "kind"), percent(best.unknownPart()));
    }
    if (!best.slower().isEmpty()) {
      out.line(
          "    slower by it: %s",
          best.slower().stream()
              .map(JobAdviceOutput::text)
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
    CompactTable table = OPTION.table(1, advice.options().stream().limit(maxRows).toList());

    if (table.size() > 0) {
      table.write(out);
    }
  }

  /** Writes the calls that the best change affects. */
  private void calls(JobOption best) {
    CompactTable table = CALL.table(2);
    Alike.by(best.changed(), Row::of).values().stream()
        .limit(maxRows)
        .forEach(alike -> table.row(CALL.cells(together(alike))));
    out.line("\n  its calls, by the model");
    table.write(out);
  }

  /**
   * The key of a row of the call table: calls that differ only in running beside computation share
   * a row.
   */
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

  private static SiteChange together(List<SiteChange> alike) {
    SiteChange first = alike.get(0);
    CallSite site = CallSite.together(alike.stream().map(SiteChange::site).toList());
    return new SiteChange(site, first.change(), first.timeUs(), first.share());
  }

  private static CallChange change(SiteChange site) {
    return site.change().orElseThrow();
  }

  private static String faster(Gain gain) {
    return percent(gain.ratio() - 1);
  }

  private static String range(Gain gain) {
    return "%s to %s".formatted(percent(gain.least() - 1), percent(gain.most() - 1));
  }

  static String title(JobOption option) {
    return String.join(
        ", ",
        AdviceText.changes(
            option.settings(),
            option.byTuner().isEmpty() ? List.of() : List.of("tuner plugin"),
            AdviceFields.REGISTRATIONS.stream()
                .filter(kind -> !option.buffers(kind).isEmpty())
                .toList()));
  }

  /** States by which fraction a gain shortens the calls of a job. */
  static String less(Gain gain) {
    return "the calls of the job take %s less time (%s to %s)"
        .formatted(part(gain.ratio()), part(gain.least()), part(gain.most()));
  }

  private static String part(double ratio) {
    return percent(1 - 1 / ratio);
  }

  private static String percent(double fraction) {
    return QuantityFormat.percent(fraction, 0);
  }
}
