package dev.topo.visualizer.chart;

import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.visualizer.chart.Chart.Horizontal;
import dev.topo.visualizer.chart.Chart.Shaded;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The charts of an operation made of sends and receives over its size: measured and predicted, with
 * the range of the prediction. Times are those out of place; of several measurements of a size the
 * last counts. NCCL has no model of such operations.
 */
public final class PeerCharts {
  private final String title;
  private final PeerOperation operation;
  private final Map<Long, PeerMeasurement> measured = new TreeMap<>();
  private final Map<Long, PeerPrediction> predicted = new TreeMap<>();

  private PeerCharts(
      String title,
      PeerOperation operation,
      List<PeerMeasurement> measurements,
      Optional<Predictor> predictor,
      List<Long> sizes) {
    this.title = title;
    this.operation = operation;
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

  /** The charts of what was measured of an operation in a sweep. */
  public static PeerCharts of(Sweep sweep, PeerOperation operation) {
    return new PeerCharts(
        sweep.name() + ", " + operation.label(),
        operation,
        sweep.peers(),
        sweep.predictor(),
        List.of());
  }

  /** The charts over some sizes, measured or not. */
  public static PeerCharts of(
      PeerOperation operation,
      List<PeerMeasurement> measurements,
      Predictor predictor,
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
          new Curve(
              "measured",
              Look.MEASURED,
              points(measured, measurement -> Optional.of(measurement.busbwGBps()))));
    }
    if (!predicted.isEmpty()) {
      curves.add(
          new Curve(
              "predicted by topo",
              Look.PREDICTED,
              points(predicted, prediction -> Optional.of(prediction.busbwGBps()))));
    }
    return new Chart(
        title,
        SweepCharts.BUSBW,
        Horizontal.SIZE,
        curves,
        Optional.of(range()).filter(range -> range.upper().size() > 1));
  }

  private Shaded range() {
    return new Shaded(
        SweepCharts.RANGE,
        points(
            predicted,
            prediction -> busbw(prediction, prediction.shortestUs().stream().boxed().findFirst())),
        points(
            predicted,
            prediction -> busbw(prediction, prediction.longestUs().stream().boxed().findFirst())));
  }

  private static Optional<Double> busbw(PeerPrediction prediction, Optional<Double> us) {
    return us.map(time -> prediction.busbwGBps() * prediction.timeUs() / time);
  }

  private static <T> List<Point> points(Map<Long, T> bySize, Function<T, Optional<Double>> value) {
    List<Point> points = new ArrayList<>();
    bySize.forEach((size, one) -> value.apply(one).ifPresent(v -> points.add(new Point(size, v))));
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
                                SweepCharts.errorPercent(time.timeUs(), measurement.timeUs())))));
    return Chart.bySize(
        title, SweepCharts.ERROR, List.of(new Curve("predicted by topo", Look.PREDICTED, points)));
  }

  /** The operation. */
  public PeerOperation operation() {
    return operation;
  }
}
