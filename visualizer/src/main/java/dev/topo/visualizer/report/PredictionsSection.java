package dev.topo.visualizer.report;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.Curve;
import dev.topo.visualizer.chart.ModelTimes;
import dev.topo.visualizer.times.ChoiceWords;
import dev.topo.visualizer.view.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Predicted times: a chart for each collective and a table. */
final class PredictionsSection {
  private final ReportSubject subject;
  private final Predictor predictor;
  private final ModelTimes times;

  private PredictionsSection(ReportSubject subject) {
    this.subject = subject;
    this.predictor = subject.predictor();
    this.times = new ModelTimes(predictor);
  }

  static Element of(ReportSubject subject) {
    PredictionsSection predictions = new PredictionsSection(subject);
    Element section =
        Element.section("predictions", "Predictions", Element.of("p", subject.basis().source()));
    List<Element> caveats =
        subject.basis().caveats().stream().map(caveat -> Element.of("li", caveat)).toList();
    if (!caveats.isEmpty()) {
      section = section.add(Element.of("ul", caveats).as("caveats"));
    }
    return section.add(predictions.charts()).add(predictions.table());
  }

  private Element charts() {
    Optional<String> obstacle = ChartFigure.obstacle();
    if (obstacle.isPresent()) {
      return Element.of(
              "p", "No charts: " + obstacle.get() + ". The table below has the same numbers.")
          .as("note");
    }
    List<Measurement> measured =
        subject.measured().map(MeasuredRun::measurements).orElseGet(List::of);
    List<Element> figures = new ArrayList<>();
    for (Collective collective : subject.calls().collectives()) {
      Chart chart = new ForecastChart(times, subject.calls().sizes()).of(collective, measured);
      figures.add(ChartFigure.of(chart, subject.id("c" + collective.number() + "-"), label(chart)));
    }
    return Element.of("div", figures).as("charts");
  }

  /** The title of a chart with the last value of each curve. */
  private static String label(Chart chart) {
    StringBuilder label = new StringBuilder("busbw of ").append(chart.title()).append(" by size");
    for (Curve curve : chart.curves()) {
      if (!curve.points().isEmpty()) {
        Curve.Point last = curve.points().get(curve.points().size() - 1);
        String busbw = QuantityFormat.bandwidth(last.value());
        String size = QuantityFormat.size(last.at());
        label.append("; %s %s GB/s at %s".formatted(curve.name(), busbw, size));
      }
    }
    return label.append('.').toString();
  }

  private Element table() {
    DataTable table =
        new DataTable("NCCL's choice by size, bandwidths in GB/s, and what would be faster");
    table.texts("collective").numbers("size").texts("by").numbers("channels").numbers("time");
    table.numbers("range", "contains 90 of 100 measurements of the validation data");
    table.numbers("algbw", "GB/s").numbers("busbw", "GB/s");
    table.numbers("model", "time in NCCL's own model");
    table.texts("limited by").texts("faster");
    for (Collective collective : subject.calls().collectives()) {
      for (long size : subject.calls().sizes()) {
        CollectiveCall call = CollectiveCall.of(collective, size);
        predictor.predict(call, false).ifPresent(prediction -> row(table, call, prediction));
      }
    }
    return table.element();
  }

  private void row(DataTable table, CollectiveCall call, CollectivePrediction prediction) {
    table.row(
        call.collective().label(),
        DataTable.size(call.sizeBytes()),
        pair(prediction) + (prediction.isCalibrated() ? "" : "*"),
        DataTable.number(
            QuantityFormat.ofMost(prediction.channels(), prediction.mostChannels()),
            prediction.channels()),
        DataTable.time(prediction.timeUs()),
        DataTable.number(prediction.range(), prediction.shortestUs().orElse(prediction.timeUs())),
        DataTable.bandwidth(prediction.algbwGBps()),
        DataTable.bandwidth(prediction.busbwGBps()),
        times.ncclUs(call).map(DataTable::time).orElse(DataTable.none()),
        DeviceFormat.limit(predictor, prediction),
        ChoiceWords.faster(predictor.compare(call)));
  }

  static String pair(CollectivePrediction prediction) {
    return prediction.algorithm().label() + "/" + prediction.protocol().label();
  }
}
