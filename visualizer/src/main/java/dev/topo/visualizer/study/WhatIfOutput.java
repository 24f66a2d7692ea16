package dev.topo.visualizer.study;

import dev.topo.inspect.edit.EditSet;
import dev.topo.model.Alike;
import dev.topo.model.MachineFormat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.TimeChange;
import dev.topo.simulator.variant.GainReason;
import dev.topo.simulator.variant.PathComparison;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.simulator.variant.WhatIfReport.VariantOutcome;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.times.BasisLines;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.times.PredictionRow;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.SplitAnswer;
import dev.topo.visualizer.view.SplitAnswer.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes what edits change: the calls of one variant, or several ranked variants, on one screen;
 * the verbose form shows all calls, graphs and paths of each variant.
 */
public final class WhatIfOutput {
  private static final List<String> CALL_COLUMNS =
      List.of("call", "size", "busbw before", "after", "change", "NCCL runs");

  /** Number of columns that a screen always has; it has {@code NCCL runs} if its rows differ. */
  private static final int KEPT_CALL_COLUMNS = 5;

  private static final List<String> VARIANT_COLUMNS =
      List.of(
          "",
          "variant",
          "rings GB/s",
          "trees GB/s",
          "channels",
          "GPU memory",
          "busbw",
          "change",
          "NCCL runs");

  /** Number of columns that a screen always has; it has those of the figures that differ. */
  private static final int KEPT_VARIANT_COLUMNS = 2;

  /** Number of calls shown on a screen: those that change most. */
  private static final int MAX_CALLS = 12;

  /** Number of reasons for refused calls shown on a screen. */
  private static final int MAX_REFUSALS = 2;

  private final WhatIfReport report;
  private final boolean isVerbose;
  private final TextWriter out = new TextWriter();
  private final BasisLines basis = new BasisLines();
  private boolean hasChanges;

  private WhatIfOutput(WhatIfReport report, boolean isVerbose) {
    this.report = report;
    this.isVerbose = isVerbose;
  }

  /**
   * Returns the answer for the communicators of a job by label; a text begins with the one that
   * changes most.
   *
   * @param format {@code text} or {@code json}
   * @param isVerbose whether the text is complete instead of fitting on a screen
   */
  public static Answer of(Map<String, WhatIfReport> reports, String format, boolean isVerbose) {
    boolean isText = format.equals("text");
    Comparator<Map.Entry<String, WhatIfReport>> order =
        Comparator.comparingDouble(entry -> isText ? -largestChange(entry.getValue()) : 0);
    return SplitAnswer.of(
        reports.entrySet().stream()
            .sorted(order)
            .map(
                entry ->
                    new Part(
                        entry.getKey(),
                        (isText ? of(entry.getValue(), isVerbose) : WhatIfJson.of(entry.getValue()))
                            .saying(WhatIfSentence.of(entry.getValue())),
                        entry.getValue().before().result().request().job()))
            .toList(),
        format,
        isVerbose);
  }

  /** The largest change of the main call by any variant. */
  private static double largestChange(WhatIfReport report) {
    return report.variants().stream()
        .flatMap(variant -> variant.outcome().stream())
        .mapToDouble(after -> new EditedCall(report.mainCall(), report.before(), after).size())
        .max()
        .orElse(0);
  }

  /** Returns the text about a communicator. */
  public static Answer of(WhatIfReport report, boolean isVerbose) {
    WhatIfOutput text = new WhatIfOutput(report, isVerbose);
    if (isVerbose) {
      text.out.line("%s: %s", report.job(), JobSummary.ranks(report.before().connection()));
    }
    if (report.variants().size() > 1) {
      text.ranking();
    }
    if (isVerbose || report.variants().size() == 1) {
      report.variants().forEach(text::changes);
    }
    text.basis();
    return Answer.of(text.out);
  }

  /**
   * Writes a table of several variants, best first; those with the same place and figures share a
   * row. Variants with which NCCL does not start follow it, then the edits of variants with a name.
   */
  private void ranking() {
    List<WhatIfOutcome> ranked = report.ranked();
    List<Integer> places = report.places();
    Call main = report.mainCall();
    Map<List<Object>, List<String>> rows = new LinkedHashMap<>();
    for (int i = 0; i < ranked.size(); i++) {
      WhatIfOutcome outcome = ranked.get(i);
      outcome.prediction(main).ifPresent(basis::add);
      rows.computeIfAbsent(figures(places.get(i), outcome, main), key -> new ArrayList<>())
          .add(outcome.name() + (isVerbose ? otherRanks(outcome) : ""));
    }
    CompactTable table =
        new CompactTable(
            isVerbose ? VARIANT_COLUMNS.size() : KEPT_VARIANT_COLUMNS, VARIANT_COLUMNS);
    rows.forEach(
        (figures, names) -> {
          List<Object> cells = new ArrayList<>(figures);
          cells.add(1, String.join("; ", names));
          table.row(cells.toArray());
        });
    out.line("%s, busbw in GB/s of %s", report.job(), PredictionRow.call(main));
    out.table(table.differing());
    for (VariantOutcome variant : report.variants()) {
      if (variant.outcome().isEmpty()) {
        out.line("-  %s: %s", variant.variant().name(), failure(variant));
      }
    }
    List<String> named = new ArrayList<>();
    for (VariantOutcome variant : report.variants()) {
      EditSet edits = variant.variant();
      if (!edits.edits().isEmpty() && !edits.name().equals(edits.text())) {
        named.add("%s: %s".formatted(edits.name(), edits.text()));
      }
    }
    if (!named.isEmpty()) {
      out.line("").lines("", named);
    }
  }

  /** The cells of a row of {@link #ranking}, without the name of the variant. */
  private List<Object> figures(int place, WhatIfOutcome outcome, Call main) {
    EditedCall call = new EditedCall(main, report.before(), outcome);
    return List.of(
        place,
        EditedGraphs.bandwidth(outcome, GraphKind.RING),
        EditedGraphs.bandwidth(outcome, GraphKind.TREE),
        outcome.connection().nChannels(),
        outcome
            .memory(report.calls())
            .map(memory -> QuantityFormat.size(memory.gpuBytes()))
            .orElse("-"),
        busbw(outcome.prediction(main)),
        call.percent().equals("=") ? "" : call.percent(),
        outcome.prediction(main).map(Prediction::launchName).orElse("refused"));
  }

  /** Why NCCL does not start with a variant. */
  private static String failure(VariantOutcome variant) {
    return variant.failure().map(UnusableTopologyException::sentence).orElse("");
  }

  /** The number of ranks of an outcome if the edits change it; otherwise empty. */
  private String otherRanks(WhatIfOutcome after) {
    int before = report.before().connection().nRanks();
    return before == after.connection().nRanks()
        ? ""
        : " (" + JobSummary.ranks(after.connection()) + ")";
  }

  /** Writes what a variant changes; nothing if NCCL does not start with it. */
  private void changes(VariantOutcome variant) {
    if (variant.outcome().isEmpty()) {
      return;
    }
    WhatIfOutcome after = variant.outcome().get();
    if (isVerbose) {
      out.line("\nwhat if %s%s\n", variant.variant().text(), otherRanks(after));
    }
    calls(after);
    if (isVerbose) {
      graphs(after);
      paths(after);
    } else {
      out.line("%s", new EditedGraphs(report.before(), after).line());
    }
    MemoryChange.line(
            after.connection().nRanks(),
            report.before().memory(report.calls()),
            after.memory(report.calls()))
        .ifPresent(line -> out.paragraph(line, "  "));
  }

  /** Writes the calls that change, those that do not, and those without a time. */
  private void calls(WhatIfOutcome after) {
    List<EditedCall> all = EditedCall.of(report, after);
    for (EditedCall call : all) {
      call.was().ifPresent(basis::add);
      call.is().ifPresent(basis::add);
    }
    List<EditedCall> timed =
        all.stream().filter(call -> call.was().isPresent() || call.is().isPresent()).toList();
    List<EditedCall> changed = timed.stream().filter(EditedCall::isVisible).toList();
    hasChanges |= !changed.isEmpty();
    table(isVerbose ? timed : changed);
    List<EditedCall> same = timed.stream().filter(call -> !call.isVisible()).toList();
    if (!same.isEmpty()) {
      String heading = changed.isEmpty() ? "as before: " : "within " + TimeChange.THRESHOLD + ": ";
      out.paragraph(heading + names(same), "  ");
    }
    List<EditedCall> untimed = all.stream().filter(call -> !timed.contains(call)).toList();
    if (!untimed.isEmpty()) {
      out.line("no time before and after: %s", names(untimed));
    }
    obstacles(after, all);
    if (isVerbose) {
      GainReason.ofGain(report.before(), after, report.calls()).ifPresent(out::line);
    }
  }

  /** Writes a table of calls in their order; on a screen, of those that change most. */
  private void table(List<EditedCall> shown) {
    if (shown.isEmpty()) {
      return;
    }
    CompactTable table =
        new CompactTable(isVerbose ? CALL_COLUMNS.size() : KEPT_CALL_COLUMNS, CALL_COLUMNS);
    int limit = isVerbose ? shown.size() : MAX_CALLS;
    List<EditedCall> mostChanged =
        shown.stream()
            .sorted(Comparator.comparingDouble(WhatIfOutput::weight).reversed())
            .limit(limit)
            .toList();
    shown.stream()
        .filter(mostChanged::contains)
        .forEach(
            call ->
                table.row(
                    call.call().operation().label(),
                    QuantityFormat.size(call.call().sizeBytes()),
                    busbw(call.was()),
                    busbw(call.is()),
                    call.percent(),
                    call.runs()));
    out.table(table.differing());
    if (shown.size() > limit) {
      out.line(
          "%s with smaller changes: -v", QuantityFormat.count(shown.size() - limit, "more call"));
    }
  }

  /** How much a call changes; calls with only one known time come first. */
  private static double weight(EditedCall call) {
    return call.relative().isEmpty() ? Double.MAX_VALUE : call.size();
  }

  private static String busbw(Optional<Prediction> prediction) {
    return prediction.map(BusbwWords::text).orElse("-");
  }

  /** Abbreviates a list of calls: {@code AllReduce of 1 MiB, 1 GiB; Reduce of all sizes}. */
  private String names(List<EditedCall> calls) {
    if (calls.size() == report.calls().size() && calls.size() > 1) {
      return "all %s calls".formatted(calls.size());
    }
    List<String> words = new ArrayList<>();
    Alike.by(
            calls,
            call -> call.call().operation(),
            call -> QuantityFormat.size(call.call().sizeBytes()))
        .forEach(
            (operation, some) -> {
              long all = report.calls().stream().filter(c -> c.operation() == operation).count();
              boolean isAll = some.size() == all && all > 1;
              words.add(
                  operation.label() + " of " + (isAll ? "all sizes" : String.join(", ", some)));
            });
    return String.join("; ", words);
  }

  /** Writes why calls have no time after the edits, each reason once. */
  private void obstacles(WhatIfOutcome after, List<EditedCall> calls) {
    List<String> reasons =
        calls.stream()
            .filter(call -> call.is().isEmpty())
            .flatMap(call -> after.result().predictor().obstacle(call.call()).stream())
            .distinct()
            .toList();
    int limit = isVerbose ? reasons.size() : MAX_REFUSALS;
    out.lines("", reasons.stream().limit(limit).toList());
    if (reasons.size() > limit) {
      out.line("and %d more reasons (-v)", reasons.size() - limit);
    }
  }

  /** Writes the graphs before and after the edits, and the machines if they differ. */
  private void graphs(WhatIfOutcome after) {
    out.line("").table(new EditedGraphs(report.before(), after).table());
    String was = MachineFormat.summary(report.before().machine().topology());
    String is = MachineFormat.summary(after.machine().topology());
    if (!was.equals(is)) {
      out.line("\nmachine before: %s", was);
      out.line("%s%s", after.isDeclared() ? "declared:       " : "machine after:  ", is);
    }
  }

  /** Writes the paths that change. */
  private void paths(WhatIfOutcome after) {
    PathComparison.Result result = PathComparison.compare(report.before(), after);
    out.line("\npaths that change: %d of %d", result.changes().size(), result.compared());
    out.table(ChangeText.ofPaths(result.changes()));
  }

  /** Writes what the times and their changes rest on. */
  private void basis() {
    if (isVerbose) {
      out.line("");
      basis.lines().forEach(line -> out.paragraph(line, "  "));
    } else {
      basis.write(out, List.of(), false);
    }
    if (hasChanges) {
      out.paragraph(
          "rests on: two predictions for each change: errors that both share cancel out;"
              + " the range of the change was not measured",
          "  ");
    }
  }
}
