package dev.topo.visualizer.times;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.CompactTable;
import dev.topo.visualizer.view.OptionWords;
import dev.topo.visualizer.view.RangedNumber;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Predictions on one screen: a narrow table for each operation, then what they rest on. */
public final class PredictionBrief {
  private final Forecast forecast;
  private final TextWriter out = new TextWriter();
  private final BasisLines basis = new BasisLines();

  private PredictionBrief(Forecast forecast) {
    this.forecast = forecast;
  }

  /**
   * The predictions of a forecast.
   *
   * @param isNamed whether the user has named operations: else AllReduce stands for all
   */
  public static Answer of(Forecast forecast, boolean isNamed) {
    return Answer.of(new PredictionBrief(forecast).text(isNamed));
  }

  private String text(boolean isNamed) {
    out.paragraph(PredictionText.subject(forecast), "  ");
    if (forecast.nNodes() == 1) {
      out.line(PredictionText.calibration(forecast));
    }
    Map<Operation, List<PredictionRow>> rows = new LinkedHashMap<>();
    for (PredictedCall call : forecast.calls()) {
      rows.computeIfAbsent(call.call().collective(), key -> new ArrayList<>())
          .addAll(PredictionRow.of(forecast, call));
    }
    forecast
        .peers()
        .forEach(
            peer ->
                rows.computeIfAbsent(peer.operation(), key -> new ArrayList<>())
                    .add(PredictionRow.of(forecast, peer)));
    rows.forEach(
        (operation, of) -> {
          if (isNamed || operation == Collective.ALL_REDUCE) {
            table(operation, of);
          }
        });
    basis.write(out, forecast.limits());
    if (!isNamed && rows.size() > 1) {
      PredictionHeadline.others(forecast).ifPresent(others -> out.line("also %s", others));
      out.line(
          OptionWords.of(SpecText.of("other operations: %s %s", SpecField.COLLECTIVE, others())));
    }
    return out.toString();
  }

  private void table(Operation operation, List<PredictionRow> rows) {
    out.line("\n%s", operation.label());
    boolean isEach = rows.stream().map(PredictionRow::size).distinct().count() < rows.size();
    CompactTable table =
        new CompactTable(
            isEach ? 2 : 1,
            List.of(
                "size",
                "by",
                "channels",
                "time",
                "range",
                "busbw",
                "range",
                "limited by",
                isEach ? "" : "faster"));
    for (PredictionRow row : rows) {
      Prediction prediction = row.prediction();
      basis.add(prediction);
      RangedNumber busbw = BusbwWords.range(prediction);
      table.row(
          row.size(),
          prediction.launchName(),
          row.channels(),
          PredictionRow.time(prediction, RangedNumber::number),
          PredictionRow.time(prediction, RangedNumber::range),
          busbw.number() + " GB/s",
          busbw.range(),
          row.limit(),
          row.remark(isEach));
    }
    if (table.size() > 0) {
      table.write(out);
    }
    if (operation instanceof Collective collective) {
      out.lines("  ", forecast.obstacles(collective));
    }
  }

  static String others() {
    return Arrays.stream(Collective.values())
        .filter(collective -> collective != Collective.ALL_REDUCE)
        .map(Collective::ncclTestsName)
        .collect(Collectors.joining(", "));
  }
}
