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
    out.line(subject(scaling));
    out.lines("  ! ", scaling.caveats());
    tables(scaling).forEach((title, table) -> out.line("\n%s", title).table(table));
    return Answer.of(out.toString());
  }

  /** The machine, the numbers of nodes, and how calls are made. */
  static String subject(Scaling scaling) {
    List<Forecast> forecasts = scaling.forecasts();
    Forecast first = forecasts.get(0);
    Forecast last = forecasts.get(forecasts.size() - 1);
    return "%s: %d to %s, %s"
        .formatted(
            scaling.machine(),
            scaling.stated(first),
            QuantityFormat.count(scaling.stated(last), scaling.noun())
                + (scaling.isByHosts()
                    ? " in %d to %s"
                        .formatted(
                            first.nNodes(), QuantityFormat.count(last.nNodes(), "NVLink domain"))
                    : ""),
            PredictionText.launch(first.predictor().planner().context()));
  }

  /** The nodes of a job: {@code 4 nodes}, {@code 18 hosts (1 NVLink domain)}. */
  static String nodes(Scaling scaling, Forecast forecast) {
    return QuantityFormat.count(scaling.stated(forecast), scaling.noun())
        + (scaling.isByHosts()
            ? " (%s)".formatted(QuantityFormat.count(forecast.nNodes(), "NVLink domain"))
            : "");
  }

  /** The nodes of a job behind those of another: {@code 8}, {@code 36 (2 domains)}. */
  static String more(Scaling scaling, Forecast forecast) {
    return scaling.stated(forecast)
        + (scaling.isByHosts()
            ? " (%s)".formatted(QuantityFormat.count(forecast.nNodes(), "domain"))
            : "");
  }

  private static TextTable table(Map<String, TextTable> tables, Call call, String columns) {
    String title =
        "%s of %s".formatted(call.operation().label(), QuantityFormat.size(call.sizeBytes()));
    return tables.computeIfAbsent(title, key -> TextTable.indented().header(columns));
  }

  private static Map<String, TextTable> tables(Scaling scaling) {
    String columns = scaling.noun() + "s," + PredictionRow.SCALING_COLUMNS;
    Map<String, TextTable> tables = new LinkedHashMap<>();
    for (Forecast forecast : scaling.forecasts()) {
      for (PredictedCall call : forecast.calls()) {
        if (call.shown().isEmpty()) {
          table(tables, call.call(), columns)
              .row(
                  scaling.stated(forecast),
                  forecast.nRanks(),
                  "refused by NCCL: " + call.refusal());
        }
      }
      for (PredictionRow row : PredictionRow.of(forecast)) {
        table(tables, row.prediction().call(), columns)
            .row(PredictionRow.SHOWN.cells(columns, row));
      }
    }
    return tables;
  }
}
