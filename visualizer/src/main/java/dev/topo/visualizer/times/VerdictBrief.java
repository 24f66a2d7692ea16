package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.Verdict;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.RangedNumber;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measured beside predicted busbw on one screen: those nearest their tolerance. */
public final class VerdictBrief {
  /** Rows in all tables. */
  private static final int MOST = 18;

  private static final List<String> COLUMNS =
      List.of(
          "size",
          "by",
          "measured",
          "busbw",
          "predicted",
          "range",
          "slowdown",
          "in place",
          "tolerance",
          "limited by",
          "verdict");

  private VerdictBrief() {}

  /** The verdicts, those on collectives first. */
  public static Answer of(Forecast forecast, List<? extends Verdict> verdicts) {
    TextWriter out = new TextWriter();
    out.line(PredictionText.subject(forecast));
    if (forecast.nNodes() == 1) {
      out.line(PredictionText.calibration(forecast));
    }
    BasisLines basis = new BasisLines();
    verdicts.forEach(verdict -> basis.add(verdict.prediction()));
    Set<Verdict> shown = new HashSet<>(worst(verdicts));
    Map<Operation, CompactTable> tables = new LinkedHashMap<>();
    for (Verdict verdict : verdicts) {
      if (shown.contains(verdict)) {
        row(
            tables.computeIfAbsent(
                verdict.prediction().call().operation(), key -> new CompactTable(1, COLUMNS)),
            forecast,
            verdict);
      }
    }
    tables.forEach(
        (operation, table) -> {
          out.line("\n%s", operation.label());
          table.write(out);
        });
    if (shown.size() < verdicts.size()) {
      out.line(
          "\nthe %d of %d nearest their tolerance; -v shows all", shown.size(), verdicts.size());
    }
    basis.write(out, forecast.limits());
    long launches =
        verdicts.stream()
            .filter(verdict -> verdict instanceof MeasurementVerdict call && call.hasSlowLaunches())
            .count();
    if (launches > 0) {
      out.line(
          "%d took longer to launch than on the calibrated host, which depends on the CPU",
          launches);
    }
    return Answer.of(out.toString());
  }

  /** Those that do not pass come first. */
  private static List<? extends Verdict> worst(List<? extends Verdict> verdicts) {
    return verdicts.stream()
        .sorted(
            Comparator.<Verdict, Boolean>comparing(Verdict::passes)
                .thenComparing(Comparator.comparingDouble(Verdict::partOfTolerance).reversed()))
        .limit(MOST)
        .toList();
  }

  private static void row(CompactTable table, Forecast forecast, Verdict verdict) {
    Prediction prediction = verdict.prediction();
    table.row(
        QuantityFormat.size(prediction.call().sizeBytes()),
        prediction.launchName(),
        QuantityFormat.time(verdict.measuredUs(false)),
        QuantityFormat.bandwidth(verdict.measuredBusbwGBps()) + " GB/s",
        PredictionRow.time(prediction, RangedNumber::number),
        PredictionRow.time(prediction, RangedNumber::range),
        QuantityFormat.change(verdict.excess(), 0),
        QuantityFormat.change(verdict.excessInPlace(), 0),
        verdict.tolerance().isPresent()
            ? QuantityFormat.percent(verdict.tolerance().getAsDouble(), 0)
            : "not known",
        PredictionRow.of(forecast, prediction).limit(),
        verdict.verdict());
  }
}
