package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Call;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.visualizer.view.Answer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Time and busbw by number of nodes, a table for each operation and size. */
public final class ScalingText {
  private ScalingText() {}

  /** The tables, with what they rest on first. */
  public static Answer of(Scaling scaling) {
    TextWriter out = new TextWriter();
    List<Forecast> forecasts = scaling.forecasts();
    out.line(subject(scaling));
    out.lines("  ! ", scaling.caveats());
    tables(forecasts).forEach((title, table) -> out.line("\n%s", title).table(table));
    return Answer.of(out.toString());
  }

  /** The machine, the numbers of nodes, and how calls are made. */
  static String subject(Scaling scaling) {
    List<Forecast> forecasts = scaling.forecasts();
    Forecast first = forecasts.get(0);
    return "%s: %d to %s, %s"
        .formatted(
            scaling.machine(),
            first.nNodes(),
            QuantityFormat.count(forecasts.get(forecasts.size() - 1).nNodes(), "node"),
            PredictionText.launch(first.predictor().planner().context()));
  }

  private static TextTable table(Map<String, TextTable> tables, Call call) {
    String title =
        "%s of %s".formatted(call.operation().label(), QuantityFormat.size(call.sizeBytes()));
    return tables.computeIfAbsent(
        title, key -> TextTable.indented().header(PredictionRow.SCALING_COLUMNS));
  }

  private static Map<String, TextTable> tables(List<Forecast> forecasts) {
    Map<String, TextTable> tables = new LinkedHashMap<>();
    for (Forecast forecast : forecasts) {
      for (PredictedCall call : forecast.calls()) {
        if (call.shown().isEmpty()) {
          table(tables, call.call())
              .row(forecast.nNodes(), forecast.nRanks(), "refused by NCCL: " + call.refusal());
        }
      }
      for (PredictionRow row : PredictionRow.of(forecast)) {
        table(tables, row.prediction().call())
            .row(PredictionRow.SHOWN.cells(PredictionRow.SCALING_COLUMNS, row));
      }
    }
    return tables;
  }
}
