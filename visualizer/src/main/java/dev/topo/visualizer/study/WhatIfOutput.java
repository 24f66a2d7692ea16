package dev.topo.visualizer.study;

import dev.topo.inspect.edit.EditSet;
import dev.topo.model.Alike;
import dev.topo.model.MachineFormat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextTable;
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
import dev.topo.visualizer.structure.GraphsText;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes what edits change: the calls of one variant, or several ranked variants, on one screen;
 * the verbose form shows all calls, graphs and paths of each variant.
 */
public final class WhatIfOutput {
  private static final List<String> CALL_COLUMNS =
      List.of("call", "size", "busbw before", "after", "change", "NCCL runs");
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
        Comparator.comparingDouble(entry -> isText ? -change(entry.getValue()) : 0);
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

  private static double change(WhatIfReport report) {
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
      text.compare();
    }
    if (isVerbose || report.variants().size() == 1) {
      report.variants().forEach(text::single);
    }
    text.basis();
    return Answer.of(text.out);
  }

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

  /** The number of ranks of an outcome if the edits change it; otherwise empty. */
  private String otherRanks(WhatIfOutcome after) {
    int before = report.before().connection().nRanks();
    return before == after.connection().nRanks()
        ? ""
        : " (" + JobSummary.ranks(after.connection()) + ")";
  }

  private void single(VariantOutcome variant) {
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
      out.line("%s", graphLine(after));
    }
    MemoryChange.line(
            after.connection().nRanks(),
            report.before().memory(report.calls()),
            after.memory(report.calls()))
        .ifPresent(line -> out.paragraph(line, "  "));
  }

  private void calls(WhatIfOutcome after) {
    List<EditedCall> editedCalls = EditedCall.of(report, after);
    for (EditedCall call : editedCalls) {
      call.was().ifPresent(basis::add);
      call.is().ifPresent(basis::add);
    }
    List<EditedCall> timed =
        editedCalls.stream()
            .filter(call -> call.was().isPresent() || call.is().isPresent())
            .toList();
    List<EditedCall> changed = timed.stream().filter(EditedCall::isVisible).toList();
    hasChanges |= !changed.isEmpty();
    table(isVerbose ? timed : changed);
    List<EditedCall> same = timed.stream().filter(call -> !call.isVisible()).toList();
    if (!same.isEmpty()) {
      out.paragraph(
          (changed.isEmpty() ? "as before: " : "within " + TimeChange.THRESHOLD + ": ")
              + calls(same),
          "  ");
    }
    List<EditedCall> none = editedCalls.stream().filter(call -> !timed.contains(call)).toList();
    if (!none.isEmpty()) {
      out.line("no time before and after: %s", calls(none));
    }
    Set<String> obstacles = new LinkedHashSet<>();
    editedCalls.stream()
        .filter(call -> call.is().isEmpty())
        .forEach(
            call -> after.result().predictor().obstacle(call.call()).ifPresent(obstacles::add));
    int maxReasons = isVerbose ? obstacles.size() : MAX_REFUSALS;
    out.lines("", obstacles.stream().limit(maxReasons).toList());
    if (obstacles.size() > maxReasons) {
      out.line("and %d more reasons (-v)", obstacles.size() - maxReasons);
    }
    if (isVerbose) {
      GainReason.ofGain(report.before(), after, report.calls()).ifPresent(out::line);
    }
  }

  /** Abbreviates a list of calls: {@code AllReduce of 1 MiB, 1 GiB; Reduce of all sizes}. */
  private String calls(List<EditedCall> editedCalls) {
    if (editedCalls.size() == report.calls().size() && editedCalls.size() > 1) {
      return "all %s calls".formatted(editedCalls.size());
    }
    List<String> words = new ArrayList<>();
    Alike.by(
            editedCalls,
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

  private void table(List<EditedCall> shown) {
    if (shown.isEmpty()) {
      return;
    }
    CompactTable table = new CompactTable(isVerbose ? CALL_COLUMNS.size() : 5, CALL_COLUMNS);
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

  /** The bandwidths of the graphs and the number of channels in one line. */
  private String graphLine(WhatIfOutcome after) {
    List<String> words = new ArrayList<>();
    for (GraphKind kind : GraphKind.values()) {
      double was = report.before().bandwidthGBps(kind);
      double is = after.bandwidthGBps(kind);
      if (was > 0 || is > 0) {
        words.add("%s %s GB/s".formatted(kind.label(), ChangeWords.arrow(number(was), number(is))));
      }
    }
    return "graphs%s: %s; channels %s"
        .formatted(
            after.crossesNetwork() ? " between nodes" : "",
            String.join(", ", words),
            ChangeWords.arrow(
                report.before().connection().nChannels(), after.connection().nChannels()));
  }

  private static String number(double gbps) {
    return PrintfNumber.general((float) gbps);
  }

  /** Compares several variants in a table; variants with the same place and figures share a row. */
  private void compare() {
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
    CompactTable table = new CompactTable(isVerbose ? VARIANT_COLUMNS.size() : 2, VARIANT_COLUMNS);
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

  private List<Object> figures(int place, WhatIfOutcome outcome, Call main) {
    EditedCall call = new EditedCall(main, report.before(), outcome);
    return List.of(
        place,
        product(outcome, GraphKind.RING),
        product(outcome, GraphKind.TREE),
        outcome.connection().nChannels(),
        outcome
            .memory(report.calls())
            .map(memory -> QuantityFormat.size(memory.gpuBytes()))
            .orElse("-"),
        busbw(outcome.prediction(main)),
        call.percent().equals("=") ? "" : call.percent(),
        outcome.prediction(main).map(Prediction::launchName).orElse("refused"));
  }

  /** Channels times bandwidth: {@code 8 x 48 = 384}. */
  private static String product(WhatIfOutcome outcome, GraphKind kind) {
    return product(outcome.graph(kind), outcome.crossesNetwork(), outcome.bandwidthGBps(kind));
  }

  private static String failure(VariantOutcome variant) {
    return variant.failure().map(UnusableTopologyException::sentence).orElse("");
  }

  private void graphs(WhatIfOutcome after) {
    WhatIfOutcome before = report.before();
    TextTable table = TextTable.atMargin().header(",before,after,change");
    for (GraphKind kind : GraphKind.values()) {
      if (before.graph(kind).nChannels() + after.graph(kind).nChannels() > 0) {
        table.row(
            kind.label(),
            graph(before, kind),
            graph(after, kind),
            change(before.bandwidthGBps(kind), after.bandwidthGBps(kind)));
      }
    }
    table.row("channels", before.connection().nChannels(), after.connection().nChannels(), "");
    out.line("").table(table);
    String was = MachineFormat.summary(before.machine().topology());
    String is = MachineFormat.summary(after.machine().topology());
    if (!was.equals(is)) {
      out.line("\nmachine before: %s", was);
      out.line("%s%s", after.isDeclared() ? "declared:       " : "machine after:  ", is);
    }
  }

  private static String graph(WhatIfOutcome outcome, GraphKind kind) {
    ChannelGraph graph = outcome.graph(kind);
    if (graph.nChannels() == 0) {
      return "none";
    }
    if (GraphsText.isFallback(graph)) {
      return "none fits, GPUs in file order";
    }
    String types = graph.typeIntra().toString();
    if (outcome.crossesNetwork()) {
      types +=
          " " + graph.typeInter() + (graph.crossNic() == 0 ? "" : " crossNic " + graph.crossNic());
    }
    return product(outcome, kind) + " GB/s " + types;
  }

  static String product(ChannelGraph graph, boolean crossesNetwork, double bandwidthGBps) {
    return TextWriter.format(
        "%d x %s = %s",
        graph.nChannels(),
        number(crossesNetwork ? graph.bwInter() : graph.bwIntra()),
        number(bandwidthGBps));
  }

  private static String change(double before, double after) {
    if (before <= 0 || after <= 0) {
      return "";
    }
    return before == after ? "=" : BusbwWords.percent(after / before - 1);
  }

  private void paths(WhatIfOutcome after) {
    PathComparison.Result result = PathComparison.compare(report.before(), after);
    out.line("\npaths that change: %d of %d", result.changes().size(), result.compared());
    out.table(ChangeText.ofPaths(result.changes()));
  }
}
