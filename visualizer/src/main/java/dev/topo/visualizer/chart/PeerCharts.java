package dev.topo.visualizer.chart;

import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.visualizer.chart.Chart.Horizontal;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The charts of an operation made of sends and receives over its size: measured and predicted, with
 * the range of the prediction. Times are out of place; of several measurements of a size, the last
 * counts. NCCL has no model of such operations.
 */
public final class PeerCharts {
  private final String title;
  private final Map<Long, PeerMeasurement> measured = new TreeMap<>();
  private final Map<Long, PeerPrediction> predicted = new TreeMap<>();

  private PeerCharts(
      String title,
      PeerOperation operation,
      List<PeerMeasurement> measurements,
      Optional<CallPredictor> predictor,
      List<Long> sizes) {
    this.title = title;
    measurements.stream()
        .filter(measurement -> measurement.operation() == operation)
        .forEach(measurement -> measured.put(measurement.sizeBytes(), measurement));
    Optional<PeerPredictor> peers = predictor.flatMap(PeerPredictor::of);
    for (long size : sizes.isEmpty() ? List.copyOf(measured.keySet()) : sizes) {
      peers
          .flatMap(known -> known.predict(operation, size, false))
          .ifPresent(prediction -> predicted.put(size, prediction));
    }
  }

  /** Returns the charts of the measurements of an operation in a series. */
  public static PeerCharts of(MeasuredSeries series, PeerOperation operation) {
    return new PeerCharts(
        series.name() + ", " + operation.label(),
        operation,
        series.peers(),
        series.predictor(),
        List.of());
  }

  /** Returns the charts over some sizes, measured or not. */
  public static PeerCharts of(
      PeerOperation operation,
      List<PeerMeasurement> measurements,
      CallPredictor predictor,
      List<Long> sizes) {
    return new PeerCharts(
        operation.label(), operation, measurements, Optional.of(predictor), sizes);
  }

  /** True if nothing was measured. */
  public boolean isEmpty() {
    return measured.isEmpty();
  }

  /** Measured and predicted busbw, with the range. */
  public Chart busbw() {
    List<Curve> curves = new ArrayList<>();
    if (!measured.isEmpty()) {
      curves.add(
          new Curve("measured", Look.MEASURED, points(measured, PeerMeasurement::busbwGBps)));
    }
    if (!predicted.isEmpty()) {
      curves.add(
          new Curve(
              "predicted by topo", Look.PREDICTED, points(predicted, PeerPrediction::busbwGBps)));
    }
    return new Chart(
        title,
        MeasuredCharts.BUSBW,
        Horizontal.SIZE,
        curves,
        PredictedCharts.range(
            Horizontal.SIZE,
            predicted.values().stream()
                .map(prediction -> PredictedCharts.row(1, prediction))
                .toList()));
  }

  private static <T> List<Point> points(Map<Long, T> bySize, ToDoubleFunction<T> value) {
    List<Point> points = new ArrayList<>();
    bySize.forEach((size, one) -> points.add(new Point(size, value.applyAsDouble(one))));
    return points;
  }

  /** The error of the prediction by size. */
  public Chart error() {
    List<Point> points = new ArrayList<>();
    measured.forEach(
        (size, measurement) ->
            Optional.ofNullable(predicted.get(size))
                .ifPresent(
                    time ->
                        points.add(
                            new Point(
                                size,
                                MeasuredCharts.errorPercent(
                                    time.timeUs(), measurement.timeUs())))));
    return Chart.bySize(
        title,
        MeasuredCharts.ERROR,
        List.of(new Curve("predicted by topo", Look.PREDICTED, points)));
  }
}
