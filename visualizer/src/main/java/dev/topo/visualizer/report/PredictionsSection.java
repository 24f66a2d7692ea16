package dev.topo.visualizer.report;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.Curve;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import dev.topo.visualizer.chart.MeasuredCharts;
import dev.topo.visualizer.times.PredictionRow;
import dev.topo.visualizer.view.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Predicted times: a chart for each collective and a table. */
record PredictionsSection(ReportSubject subject) {
  static Element of(ReportSubject subject) {
    PredictionsSection predictions = new PredictionsSection(subject);
    Element section =
        Element.section("predictions", "Predictions", Element.paragraph(subject.basis().source()));
    if (!subject.basis().caveats().isEmpty()) {
      section = section.add(Element.list(subject.basis().caveats()).as("caveats"));
    }
    return section
        .add(predictions.charts())
        .add(
            PredictionRow.COLUMNS
                .without("nodes", "hosts", "ranks")
                .page(
                    "NCCL's choice by size, and what would be faster",
                    PredictionRow.of(subject.forecast(subject.calls().collectives()))));
  }

  private Element charts() {
    Optional<String> obstacle = ChartFigure.obstacle();
    if (obstacle.isPresent()) {
      return Element.paragraph(
              "No charts: " + obstacle.get() + ". The table below has the same numbers.")
          .as("note");
    }
    List<Element> figures = new ArrayList<>();
    for (Collective collective : subject.calls().collectives()) {
      Chart chart = chart(collective);
      figures.add(ChartFigure.of(chart, subject.id("c" + collective.number() + "-"), label(chart)));
    }
    return Element.of("div", figures).as("charts");
  }

  /** busbw over the requested sizes: measured out of place, by NCCL's own model, and predicted. */
  private Chart chart(Collective collective) {
    List<Measurement> measured =
        MeasuredCharts.measured(
            subject.measured().map(MeasuredRun::measurements).orElseGet(List::of),
            collective,
            Optional.empty());
    List<Curve> curves = new ArrayList<>();
    if (!measured.isEmpty()) {
      curves.add(
          MeasuredCharts.curve(
              "measured", Look.MEASURED, measured, m -> Optional.of(m.busbwGBps())));
    }
    CallPredictor predictor = subject.predictor();
    // Before the prediction, so that its dashes are seen where both are the same.
    curves.add(
        new Curve(
            MeasuredCharts.NCCL_MODEL,
            Look.NCCL_MODEL,
            points(collective, call -> MeasuredCharts.ncclUs(predictor, call))));
    curves.add(
        new Curve(
            MeasuredCharts.predicted(Optional.of(predictor)),
            Look.PREDICTED,
            points(collective, call -> MeasuredCharts.predictedUs(predictor, call))));
    return Chart.bySize(collective.label(), MeasuredCharts.BUSBW, curves);
  }

  private List<Point> points(
      Collective collective, Function<CollectiveCall, Optional<Double>> timeUs) {
    List<Point> points = new ArrayList<>();
    for (long size : subject.calls().sizes()) {
      timeUs
          .apply(CollectiveCall.of(collective, size))
          .ifPresent(
              us -> points.add(new Point(size, collective.busbwGBps(size, us, subject.nRanks()))));
    }
    return points;
  }

  /** The title of a chart with the last value of each curve. */
  private static String label(Chart chart) {
    StringBuilder label = new StringBuilder("busbw of ").append(chart.title()).append(" by size");
    for (Curve curve : chart.curves()) {
      if (!curve.points().isEmpty()) {
        Point last = curve.points().get(curve.points().size() - 1);
        String busbw = QuantityFormat.bandwidth(last.value());
        String size = QuantityFormat.size(last.at());
        label.append("; %s %s GB/s at %s".formatted(curve.name(), busbw, size));
      }
    }
    return label.append('.').toString();
  }
}
