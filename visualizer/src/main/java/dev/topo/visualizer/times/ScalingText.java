package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.CollectivePrediction;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.PeerPrediction;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.visualizer.view.Answer;
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
    tables(forecasts).forEach((title, table) -> out.line("\n%s", title).table(table));
    return Answer.of(out.toString());
  }

  private static String title(Operation operation, long bytes) {
    return "%s of %s".formatted(operation.label(), QuantityFormat.size(bytes));
  }

  private static TextTable table(Map<String, TextTable> tables, String title) {
    return tables.computeIfAbsent(title, key -> TextTable.indented().header(COLUMNS));
  }

  private static Map<String, TextTable> tables(List<Forecast> forecasts) {
    Map<String, TextTable> tables = new LinkedHashMap<>();
    for (Forecast forecast : forecasts) {
      for (PredictedCall call : forecast.calls()) {
        TextTable table = table(tables, title(call.call().collective(), call.call().sizeBytes()));
        if (call.shown().isEmpty()) {
          table.row(forecast.nNodes(), forecast.nRanks(), "refused by NCCL: " + call.refusal());
        }
        for (CollectivePrediction prediction : call.shown()) {
          row(table, forecast, prediction);
        }
      }
      for (PeerPrediction peer : forecast.peers()) {
        row(table(tables, title(peer.operation(), peer.sizeBytes())), forecast, peer);
      }
    }
    return tables;
  }

  private static void row(TextTable table, Forecast forecast, PeerPrediction peer) {
    table.row(
        forecast.nNodes(),
        forecast.nRanks(),
        peer.protocol().label(),
        peer.channels(),
        QuantityFormat.time(peer.timeUs()),
        peer.range(),
        QuantityFormat.bandwidth(peer.algbwGBps()),
        QuantityFormat.bandwidth(peer.busbwGBps()) + " GB/s",
        peer.busbwRange(),
        PredictionText.limit(forecast, peer));
  }

  private static void row(TextTable table, Forecast forecast, CollectivePrediction prediction) {
    table.row(
        forecast.nNodes(),
        forecast.nRanks(),
        PredictionText.marked(prediction),
        QuantityFormat.ofMost(prediction.channels(), prediction.mostChannels()),
        QuantityFormat.time(prediction.timeUs()),
        prediction.range(),
        QuantityFormat.bandwidth(prediction.algbwGBps()),
        QuantityFormat.bandwidth(prediction.busbwGBps()) + " GB/s",
        prediction.busbwRange(),
        PredictionText.limitBesideNccl(forecast, prediction));
  }
}
