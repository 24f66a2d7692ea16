package dev.topo.visualizer.chart;

import dev.topo.inspect.measured.PredictedTable;
import dev.topo.inspect.measured.PredictedTable.Range;
import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.visualizer.chart.Chart.Horizontal;
import dev.topo.visualizer.chart.Chart.Shaded;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Charts of the predicted busbw of NCCL's choice, without measurements. Calls that NCCL refuses or
 * that no model covers are omitted.
 */
public final class PredictedCharts {
  /** The call of a chart over numbers of nodes. */
  private record Subject(String operation, long bytes) {
    String title() {
      return operation + ", " + QuantityFormat.size(bytes);
    }
  }

  private PredictedCharts() {}

  /**
   * Returns the busbw of a communicator by size, with a curve for each operation.
   *
   * @param title a description of the machines
   * @param result the evaluated communicator
   * @param calls the calls; sizes in ascending order for each operation
   * @return empty if nothing is predicted
   */
  public static Optional<Chart> bySize(String title, JobResult result, List<Call> calls) {
    int nodes = result.request().job().machines().size();
    Map<String, List<PredictedTable.Prediction>> byOperation =
        Alike.by(
            calls.stream().flatMap(call -> result.predict(call).stream()).toList(),
            prediction -> prediction.operation().label(),
            prediction -> row(nodes, prediction));
    return byOperation.isEmpty()
        ? Optional.empty()
        : Optional.of(chart(title, Horizontal.SIZE, byOperation));
  }

  /**
   * Returns the busbw of jobs by number of nodes: a chart for each operation and size, with a curve
   * for each machine.
   *
   * @param machines the jobs of each machine by number of nodes; machines by name
   */
  public static List<Chart> byNodes(
      Map<String, Map<Integer, JobResult>> machines, List<Call> calls) {
    Map<String, List<PredictedTable.Prediction>> tables = new LinkedHashMap<>();
    machines.forEach(
        (name, jobs) -> {
          List<PredictedTable.Prediction> rows = new ArrayList<>();
          calls.forEach(
              call ->
                  jobs.forEach(
                      (nodes, job) ->
                          job.predict(call)
                              .ifPresent(prediction -> rows.add(row(nodes, prediction)))));
          tables.put(name, rows);
        });
    return ofTables(tables);
  }

  /**
   * Returns the busbw in tables by number of nodes: a chart for each operation and size in the
   * order of the first table, except those with a single number of nodes.
   *
   * @param tables the predictions in each table, by table name
   */
  public static List<Chart> ofTables(Map<String, List<PredictedTable.Prediction>> tables) {
    Map<Subject, Map<String, List<PredictedTable.Prediction>>> byCall = new LinkedHashMap<>();
    tables.forEach(
        (name, rows) ->
            rows.forEach(
                row ->
                    byCall
                        .computeIfAbsent(
                            new Subject(row.operation(), row.bytes()), key -> new LinkedHashMap<>())
                        .computeIfAbsent(name, key -> new ArrayList<>())
                        .add(row)));
    return byCall.entrySet().stream()
        .filter(entry -> entry.getValue().values().stream().anyMatch(rows -> rows.size() > 1))
        .map(entry -> chart(entry.getKey().title(), Horizontal.NODES, entry.getValue()))
        .toList();
  }

  /**
   * A chart with a curve for each name. The range is shaded only for a single curve; the ranges of
   * several would hide each other.
   */
  private static Chart chart(
      String title, Horizontal horizontal, Map<String, List<PredictedTable.Prediction>> byName) {
    boolean isOne = byName.size() == 1;
    List<Curve> curves = new ArrayList<>();
    byName.forEach(
        (name, rows) ->
            curves.add(
                new Curve(
                    name,
                    isOne ? Look.PREDICTED : Look.NEXT,
                    points(horizontal, rows, PredictedTable.Prediction::busbwGBps))));
    return new Chart(
        title,
        MeasuredCharts.BUSBW,
        horizontal,
        curves,
        isOne ? range(horizontal, byName.values().iterator().next()) : Optional.empty());
  }

  /** The range of predictions as a shaded area; empty if fewer than two have a range. */
  static Optional<Shaded> range(Horizontal horizontal, List<PredictedTable.Prediction> rows) {
    List<PredictedTable.Prediction> known =
        rows.stream().filter(row -> row.range().isPresent()).toList();
    return known.size() < 2
        ? Optional.empty()
        : Optional.of(
            new Shaded(
                MeasuredCharts.RANGE,
                points(horizontal, known, row -> row.range().orElseThrow().highGBps()),
                points(horizontal, known, row -> row.range().orElseThrow().lowGBps())));
  }

  private static List<Point> points(
      Horizontal horizontal,
      List<PredictedTable.Prediction> rows,
      ToDoubleFunction<PredictedTable.Prediction> value) {
    return rows.stream()
        .map(
            row ->
                new Point(
                    horizontal == Horizontal.SIZE ? row.bytes() : row.nodes(),
                    value.applyAsDouble(row)))
        .sorted(Comparator.comparingLong(Point::at))
        .toList();
  }

  /** A prediction as a table row, with the range of its busbw. */
  static PredictedTable.Prediction row(int nodes, Prediction prediction) {
    double busbwTimesUs = prediction.busbwGBps() * prediction.timeUs();
    return new PredictedTable.Prediction(
        nodes,
        prediction.operation().ncclTestsName(),
        prediction.sizeBytes(),
        prediction.busbwGBps(),
        prediction.spread().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Range(
                    busbwTimesUs / prediction.longestUs().getAsDouble(),
                    busbwTimesUs / prediction.shortestUs().getAsDouble())));
  }

  /** The predicted time of NCCL's choice in microseconds; empty if NCCL refuses the call. */
  public static Optional<Double> predictedUs(CallPredictor predictor, CollectiveCall call) {
    return predictor.predict(call, false).map(CollectivePrediction::timeUs);
  }

  /** NCCL's own estimate for its choice in microseconds; empty if it refuses the call. */
  public static Optional<Double> ncclUs(CallPredictor predictor, CollectiveCall call) {
    return predictor.tuner().decide(call).choice().map(choice -> (double) choice.timeUs());
  }
}
