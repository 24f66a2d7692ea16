package dev.topo.visualizer.chart;

import dev.topo.inspect.measured.PredictedTable;
import dev.topo.inspect.measured.PredictedTable.Range;
import dev.topo.model.operation.Call;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.visualizer.chart.Chart.Horizontal;
import dev.topo.visualizer.chart.Chart.Shaded;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Predicted busbw of NCCL's choice, without measurements. Calls that NCCL refuses, and those that
 * no model covers, are left out.
 */
public final class PredictedCharts {
  private PredictedCharts() {}

  /**
   * The busbw of a communicator by size: a curve for each operation. The range of a single curve is
   * shaded; those of several would hide each other.
   *
   * @param title the machines in words
   * @param result the communicator
   * @param calls the calls; sizes in ascending order for each operation
   * @return empty if nothing is predicted
   */
  public static Optional<Chart> bySize(String title, JobResult result, List<Call> calls) {
    Map<String, List<Prediction>> byOperation =
        calls.stream()
            .flatMap(call -> result.predict(call).stream())
            .collect(
                Collectors.groupingBy(
                    prediction -> prediction.call().operation().label(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    boolean isOne = byOperation.size() == 1;
    List<Curve> curves = new ArrayList<>();
    byOperation.forEach(
        (name, predictions) ->
            curves.add(
                new Curve(
                    name,
                    isOne ? Look.PREDICTED : Look.NEXT,
                    points(predictions, Prediction::busbwGBps))));
    Optional<Shaded> shaded =
        byOperation.values().stream()
            .filter(predictions -> isOne)
            .map(PredictedCharts::range)
            .filter(range -> range.upper().size() > 1)
            .findFirst();
    return curves.isEmpty()
        ? Optional.empty()
        : Optional.of(new Chart(title, SweepCharts.BUSBW, Horizontal.SIZE, curves, shaded));
  }

  /**
   * The busbw of jobs of several numbers of nodes: a chart for each operation and size, a curve for
   * each machine.
   *
   * @param machines for each machine, by its name, the jobs by their number of nodes
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
    return ScalingCharts.of(tables);
  }

  private static PredictedTable.Prediction row(int nodes, Prediction prediction) {
    return new PredictedTable.Prediction(
        nodes,
        prediction.call().operation().ncclTestsName(),
        prediction.call().sizeBytes(),
        prediction.busbwGBps(),
        lowest(prediction).flatMap(low -> highest(prediction).map(high -> new Range(low, high))));
  }

  private static Shaded range(List<Prediction> predictions) {
    List<Prediction> known =
        predictions.stream().filter(prediction -> prediction.spread().isPresent()).toList();
    return new Shaded(
        SweepCharts.RANGE,
        points(known, end(PredictedCharts::highest)),
        points(known, end(PredictedCharts::lowest)));
  }

  private static ToDoubleFunction<Prediction> end(Function<Prediction, Optional<Double>> of) {
    return prediction -> of.apply(prediction).orElseThrow();
  }

  /** busbw at the end of the range where the call takes longest; empty where none is known. */
  private static Optional<Double> lowest(Prediction prediction) {
    return prediction.longestUs().stream()
        .mapToObj(us -> prediction.busbwGBps() * prediction.timeUs() / us)
        .findFirst();
  }

  private static Optional<Double> highest(Prediction prediction) {
    return prediction.shortestUs().stream()
        .mapToObj(us -> prediction.busbwGBps() * prediction.timeUs() / us)
        .findFirst();
  }

  private static List<Point> points(
      List<Prediction> predictions, ToDoubleFunction<Prediction> value) {
    return predictions.stream()
        .map(
            prediction -> new Point(prediction.call().sizeBytes(), value.applyAsDouble(prediction)))
        .toList();
  }
}
