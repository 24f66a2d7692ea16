package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.OptionWords;
import dev.topo.visualizer.view.RangedNumber;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Busbw by number of nodes on one screen: a narrow table for each operation. */
public final class ScalingBrief {
  private final Scaling scaling;
  private final TextWriter out = new TextWriter();
  private final BasisLines basis = new BasisLines();

  private ScalingBrief(Scaling scaling) {
    this.scaling = scaling;
  }

  /**
   * The tables, then what they rest on.
   *
   * @param isNamed whether the user has named operations: else AllReduce stands for all
   */
  public static Answer of(Scaling scaling, boolean isNamed) {
    return Answer.of(new ScalingBrief(scaling).text(isNamed));
  }

  private String text(boolean isNamed) {
    out.line(ScalingText.subject(scaling));
    Set<Call> calls = calls();
    Map<Operation, CompactTable> tables = new LinkedHashMap<>();
    for (Call call : calls) {
      if (isNamed || call.operation() == Collective.ALL_REDUCE) {
        CompactTable table =
            tables.computeIfAbsent(call.operation(), key -> new CompactTable(2, columns()));
        scaling.forecasts().forEach(forecast -> rows(table, forecast, call));
      }
    }
    tables.forEach(
        (operation, table) -> {
          out.line("\n%s", operation.label());
          table.write(out);
        });
    basis.write(out, scaling.limits());
    if (!isNamed && calls.stream().map(Call::operation).distinct().count() > 1) {
      out.line(
          OptionWords.of(
              SpecText.of(
                  "other operations: %s %s", SpecField.COLLECTIVE, PredictionBrief.others())));
    }
    return out.toString();
  }

  private List<String> columns() {
    return List.of(
        "size",
        scaling.noun() + "s",
        "ranks",
        "by",
        "channels",
        "time",
        "busbw",
        "range",
        "limited by",
        "faster");
  }

  /** The calls in their order, whatever the number of nodes. */
  private Set<Call> calls() {
    Set<Call> calls = new LinkedHashSet<>();
    for (Forecast forecast : scaling.forecasts()) {
      forecast.calls().forEach(call -> calls.add(call.call()));
      forecast.peers().forEach(peer -> calls.add(peer.call()));
    }
    return calls;
  }

  private void rows(CompactTable table, Forecast forecast, Call call) {
    forecast.calls().stream()
        .filter(predicted -> predicted.call().equals(call) && predicted.shown().isEmpty())
        .map(PredictedCall::refusal)
        .forEach(
            refusal ->
                table.row(
                    QuantityFormat.size(call.sizeBytes()),
                    scaling.stated(forecast),
                    forecast.nRanks(),
                    "-",
                    "",
                    "",
                    "",
                    "",
                    "refused by NCCL: " + refusal,
                    ""));
    List<PredictionRow> rows =
        PredictionRow.of(forecast).stream()
            .filter(row -> row.prediction().call().equals(call))
            .toList();
    for (PredictionRow row : rows) {
      basis.add(row.prediction());
      RangedNumber busbw = BusbwWords.range(row.prediction());
      table.row(
          row.size(),
          scaling.stated(forecast),
          forecast.nRanks(),
          row.prediction().launchName(),
          row.channels(),
          PredictionRow.time(row.prediction(), RangedNumber::number),
          busbw.number() + " GB/s",
          busbw.range(),
          row.limit(),
          row.remark(rows.size() > 1));
    }
  }
}
