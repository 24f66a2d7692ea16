package dev.topo.output.timing;

import dev.topo.model.QuantityFormat;
import dev.topo.model.text.TextTable;
import dev.topo.model.text.TextWriter;
import dev.topo.output.Answer;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.forecast.Forecast;
import dev.topo.simulator.forecast.PredictedCall;
import dev.topo.simulator.forecast.Scaling;
import dev.topo.tuning.cost.CollectiveCall;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Time and busbw by number of nodes, a table for each operation and size. */
public final class ScalingText {
  private static final String COLUMNS =
      "nodes,ranks,by,channels,time,range,algbw,busbw,range of busbw,limited by";

  private ScalingText() {}

  /** The tables, with what they rest on first. */
  public static Answer of(Scaling scaling) {
    TextWriter out = new TextWriter();
    List<Forecast> forecasts = scaling.forecasts();
    Forecast first = forecasts.get(0);
    out.line(
        "%s: %d to %s, %s",
        scaling.machine(),
        first.nNodes(),
        QuantityFormat.count(forecasts.get(forecasts.size() - 1).nNodes(), "node"),
        PredictionText.launch(first.predictor().planner().context()));
    out.lines("  ! ", scaling.caveats());
    tables(forecasts)
        .forEach(
            (call, table) ->
                out.line(
                        "\n%s of %s",
                        call.collective().label(), QuantityFormat.size(call.sizeBytes()))
                    .table(table));
    return Answer.of(out.toString());
  }

  private static Map<CollectiveCall, TextTable> tables(List<Forecast> forecasts) {
    Map<CollectiveCall, TextTable> tables = new LinkedHashMap<>();
    for (Forecast forecast : forecasts) {
      for (PredictedCall call : forecast.calls()) {
        TextTable table =
            tables.computeIfAbsent(call.call(), key -> TextTable.indented().header(COLUMNS));
        if (call.shown().isEmpty()) {
          table.row(forecast.nNodes(), forecast.nRanks(), "refused by NCCL: " + call.refusal());
        }
        for (Prediction prediction : call.shown()) {
          row(table, forecast, prediction);
        }
      }
    }
    return tables;
  }

  private static void row(TextTable table, Forecast forecast, Prediction prediction) {
    table.row(
        forecast.nNodes(),
        forecast.nRanks(),
        PredictionText.marked(prediction),
        prediction.channels(),
        QuantityFormat.time(prediction.timeUs()),
        prediction.range(),
        QuantityFormat.bandwidth(prediction.algbwGBps()),
        QuantityFormat.bandwidth(prediction.busbwGBps()) + " GB/s",
        prediction.busbwRange(),
        PredictionText.limit(forecast, prediction));
  }
}
