package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.variant.WhatIfReport;
import dev.topo.simulator.variant.WhatIfReport.VariantOutcome;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.times.BasisLines;
import dev.topo.visualizer.times.BusbwWords;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.CompactTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The calls that edits change, or the variants in their order, on one screen. */
final class WhatIfBrief {
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

  /** Smaller changes of busbw are told together. */
  private static final double SMALL = 0.02;

  /** Rows of calls: those that change most. */
  private static final int MOST = 12;

  private final WhatIfReport report;
  private final TextWriter out = new TextWriter();
  private final BasisLines basis = new BasisLines();

  /** Reasons why NCCL refuses calls. */
  private static final int MOST_REFUSALS = 2;

  private WhatIfBrief(WhatIfReport report) {
    this.report = report;
  }

  static Answer of(WhatIfReport report) {
    WhatIfBrief text = new WhatIfBrief(report);
    if (report.variants().size() == 1) {
      report.variants().get(0).outcome().ifPresent(text::one);
    } else {
      text.several();
    }
    return Answer.of(text.out.toString());
  }

  private void one(WhatIfOutcome after) {
    List<CallShift> shifts = CallShift.of(report, after);
    for (CallShift shift : shifts) {
      shift.was().ifPresent(basis::add);
      shift.is().ifPresent(basis::add);
    }
    List<CallShift> shown = shifts.stream().filter(WhatIfBrief::isShown).toList();
    table(shown);
    List<CallShift> none =
        shifts.stream().filter(shift -> shift.was().isEmpty() && shift.is().isEmpty()).toList();
    List<CallShift> small =
        shifts.stream().filter(shift -> !shown.contains(shift) && !none.contains(shift)).toList();
    if (!small.isEmpty()) {
      out.paragraph((shown.isEmpty() ? "as before: " : "within 2 %: ") + calls(small), "  ");
    }
    if (!none.isEmpty()) {
      out.line("no time before and after: %s", calls(none));
    }
    Set<String> obstacles = new LinkedHashSet<>();
    shifts.stream()
        .filter(shift -> shift.is().isEmpty())
        .forEach(
            shift -> after.result().predictor().obstacle(shift.call()).ifPresent(obstacles::add));
    out.lines("", obstacles.stream().limit(MOST_REFUSALS).toList());
    if (obstacles.size() > MOST_REFUSALS) {
      out.line("and %d more reasons (-v)", obstacles.size() - MOST_REFUSALS);
    }
    out.line("%s", graphs(after));
    MemoryChange.line(
            after.result().connection().nRanks(),
            report.before().memory(report.calls()),
            after.memory(report.calls()))
        .ifPresent(line -> out.paragraph(line, "  "));
    basis.write(out, List.of());
    if (!shown.isEmpty()) {
      out.paragraph(
          "rests on: two predictions for each change: errors that both share cancel out;"
              + " the range of the change was not measured",
          "  ");
    }
  }

  private static boolean isShown(CallShift shift) {
    boolean isOne = shift.was().isPresent() != shift.is().isPresent();
    boolean isOfTwo = shift.was().isPresent() && shift.relative().isEmpty();
    return isOne
        || shift.is().isPresent() && (isOfTwo || Math.abs(shift.relative().orElse(0)) >= SMALL);
  }

  /** Calls in few words: {@code AllReduce of 1 MiB, 1 GiB; Reduce of all sizes}. */
  private String calls(List<CallShift> shifts) {
    if (shifts.size() == report.calls().size() && shifts.size() > 1) {
      return "all %d calls".formatted(shifts.size());
    }
    Map<Operation, List<String>> sizes = new LinkedHashMap<>();
    for (CallShift shift : shifts) {
      sizes
          .computeIfAbsent(shift.call().operation(), key -> new ArrayList<>())
          .add(QuantityFormat.size(shift.call().sizeBytes()));
    }
    List<String> words = new ArrayList<>();
    sizes.forEach(
        (operation, some) -> {
          long all = report.calls().stream().filter(c -> c.operation() == operation).count();
          boolean isAll = some.size() == all && all > 1;
          words.add(operation.label() + " of " + (isAll ? "all sizes" : String.join(", ", some)));
        });
    return String.join("; ", words);
  }

  private void table(List<CallShift> shown) {
    if (shown.isEmpty()) {
      return;
    }
    CompactTable table = new CompactTable(5, CALL_COLUMNS);
    List<CallShift> most =
        shown.stream()
            .sorted(Comparator.comparingDouble(WhatIfBrief::weight).reversed())
            .limit(MOST)
            .toList();
    shown.stream()
        .filter(most::contains)
        .forEach(
            shift ->
                table.row(
                    shift.call().operation().label(),
                    QuantityFormat.size(shift.call().sizeBytes()),
                    busbw(shift.was()),
                    busbw(shift.is()),
                    shift.percent(),
                    shift.runs()));
    out.table(table.differing());
    if (shown.size() > MOST) {
      out.line(
          "%s with smaller changes: -v", QuantityFormat.count(shown.size() - MOST, "more call"));
    }
  }

  /** How much a call changes; one of which only one time is known comes first. */
  private static double weight(CallShift shift) {
    return shift.relative().isEmpty() ? Double.MAX_VALUE : shift.size();
  }

  private static String busbw(Optional<Prediction> prediction) {
    return prediction.map(BusbwWords::text).orElse("-");
  }

  /** Bandwidths of graphs and the number of channels in one line. */
  private String graphs(WhatIfOutcome after) {
    List<String> words = new ArrayList<>();
    for (GraphKind kind : GraphKind.values()) {
      double was = report.before().bandwidthGBps(kind);
      double is = after.bandwidthGBps(kind);
      if (was > 0 || is > 0) {
        words.add("%s %s GB/s".formatted(kind.label(), arrow(number(was), number(is))));
      }
    }
    return "graphs%s: %s; channels %s"
        .formatted(
            after.crossesNetwork() ? " between nodes" : "",
            String.join(", ", words),
            arrow(
                String.valueOf(report.before().result().connection().nChannels()),
                String.valueOf(after.result().connection().nChannels())));
  }

  private static String number(double gbps) {
    return PrintfNumber.general((float) gbps);
  }

  private static String arrow(String before, String after) {
    return before.equals(after) ? after : before + " → " + after;
  }

  /** Variants with the same place and the same figures share a row. */
  private void several() {
    List<WhatIfOutcome> ranked = report.ranked();
    List<Integer> places = report.places();
    Call main = report.mainCall();
    Map<List<Object>, List<String>> rows = new LinkedHashMap<>();
    for (int i = 0; i < ranked.size(); i++) {
      WhatIfOutcome outcome = ranked.get(i);
      outcome.prediction(main).ifPresent(basis::add);
      rows.computeIfAbsent(figures(places.get(i), outcome, main), key -> new ArrayList<>())
          .add(outcome.name());
    }
    CompactTable table = new CompactTable(2, VARIANT_COLUMNS);
    rows.forEach(
        (figures, names) -> {
          List<Object> cells = new ArrayList<>(figures);
          cells.add(1, String.join("; ", names));
          table.row(cells.toArray());
        });
    out.line("%s, busbw in GB/s of %s", report.job(), WhatIfText.call(main));
    out.table(table.differing());
    for (VariantOutcome variant : report.variants()) {
      if (variant.outcome().isEmpty()) {
        out.line("-  %s: %s", variant.variant().name(), failure(variant));
      }
    }
    List<String> named = new ArrayList<>();
    for (VariantOutcome variant : report.variants()) {
      if (!variant.variant().edits().isEmpty()
          && !variant.variant().name().equals(variant.variant().text())) {
        named.add("%s: %s".formatted(variant.variant().name(), variant.variant().text()));
      }
    }
    if (!named.isEmpty()) {
      out.line("").lines("", named);
    }
    basis.write(out, List.of());
  }

  private List<Object> figures(int place, WhatIfOutcome outcome, Call main) {
    CallShift shift = new CallShift(main, report.before(), outcome);
    return List.of(
        place,
        product(outcome, GraphKind.RING),
        product(outcome, GraphKind.TREE),
        outcome.result().connection().nChannels(),
        outcome
            .memory(report.calls())
            .map(memory -> QuantityFormat.size(memory.gpuBytes()))
            .orElse("-"),
        busbw(outcome.prediction(main)),
        shift.percent().equals("=") ? "" : shift.percent(),
        outcome.prediction(main).map(Prediction::launchName).orElse("refused"));
  }

  private static String product(WhatIfOutcome outcome, GraphKind kind) {
    return WhatIfText.product(
            outcome.graph(kind), outcome.crossesNetwork(), outcome.bandwidthGBps(kind))
        .replace(" GB/s", "");
  }

  private static String failure(VariantOutcome variant) {
    return variant.failure().map(exception -> exception.sentence()).orElse("");
  }
}
