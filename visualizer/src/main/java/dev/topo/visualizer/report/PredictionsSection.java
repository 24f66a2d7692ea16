package dev.topo.visualizer.report;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.Curve;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import dev.topo.visualizer.chart.MeasuredCharts;
import dev.topo.visualizer.chart.PredictedCharts;
import dev.topo.visualizer.times.PredictionRow;
import dev.topo.visualizer.view.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The section with predicted times: a chart for each collective, and a table. */
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
    return ChartFigure.each(
        subject.calls().collectives(),
        " The table below has the same numbers.",
        collective -> {
          Chart chart = chart(collective);
          return ChartFigure.of(chart, subject.id("c" + collective.number() + "-"), label(chart));
        });
  }

  /** Busbw by size: measured out of place, by NCCL's own model, and predicted. */
  private Chart chart(Collective collective) {
    List<Measurement> measured =
        MeasuredCharts.measured(
            subject.measured().map(MeasuredRun::measurements).orElseGet(List::of),
            collective,
            Optional.empty());
    List<Curve> curves = new ArrayList<>();
    if (!measured.isEmpty()) {
      curves.add(
          Curve.of(
              "measured",
              Look.MEASURED,
              measured,
              Measurement::sizeBytes,
              m -> Optional.of(m.busbwGBps())));
    }
    CallPredictor predictor = subject.predictor();
    // Drawn before the prediction, so that its dashes stay visible where both curves coincide.
    curves.add(
        curve(
            MeasuredCharts.NCCL_MODEL,
            Look.NCCL_MODEL,
            collective,
            call -> PredictedCharts.ncclUs(predictor, call)));
    curves.add(
        curve(
            MeasuredCharts.predicted(Optional.of(predictor)),
            Look.PREDICTED,
            collective,
            call -> PredictedCharts.predictedUs(predictor, call)));
    return Chart.bySize(collective.label(), MeasuredCharts.BUSBW, curves);
  }

  private Curve curve(
      String name,
      Look look,
      Collective collective,
      Function<CollectiveCall, Optional<Double>> timeUs) {
    return Curve.of(
        name,
        look,
        subject.calls().sizes(),
        size -> size,
        size ->
            timeUs
                .apply(CollectiveCall.of(collective, size))
                .map(us -> collective.busbwGBps(size, us, subject.nRanks())));
  }

  /** The title of a chart with the last value of each curve, as alternative text. */
  private static String label(Chart chart) {
    StringBuilder label = new StringBuilder("busbw of ").append(chart.title()).append(" by size");
    for (Curve curve : chart.curves()) {
      if (!curve.points().isEmpty()) {
        Point last = Last.of(curve.points());
        String busbw = QuantityFormat.bandwidth(last.value());
        String size = QuantityFormat.size(last.at());
        label.append("; %s %s GB/s at %s".formatted(curve.name(), busbw, size));
      }
    }
    return label.append('.').toString();
  }
}
