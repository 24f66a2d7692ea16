package dev.topo.visualizer.chart;

import dev.topo.inspect.measured.PredictedTable.Prediction;
import dev.topo.model.QuantityFormat;
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
 * Predicted busbw by number of nodes: a chart for each operation and size, a curve for each table.
 * With one table the range of the prediction is shaded.
 */
public final class ScalingCharts {
  /** Subject of a chart. */
  private record Subject(String operation, long bytes) {
    String title() {
      return operation + ", " + QuantityFormat.size(bytes);
    }
  }

  private ScalingCharts() {}

  /**
   * The charts, in the order of the first table; those with one number of nodes only are left out.
   *
   * @param tables the predictions of each table, by its name
   */
  public static List<Chart> of(Map<String, List<Prediction>> tables) {
    Map<Subject, Map<String, List<Prediction>>> subjects = new LinkedHashMap<>();
    tables.forEach(
        (name, predictions) ->
            predictions.forEach(
                prediction ->
                    subjects
                        .computeIfAbsent(
                            new Subject(prediction.operation(), prediction.bytes()),
                            key -> new LinkedHashMap<>())
                        .computeIfAbsent(name, key -> new ArrayList<>())
                        .add(prediction)));
    return subjects.entrySet().stream()
        .filter(entry -> entry.getValue().values().stream().anyMatch(rows -> rows.size() > 1))
        .map(entry -> chart(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Chart chart(Subject subject, Map<String, List<Prediction>> byTable) {
    List<Curve> curves = new ArrayList<>();
    byTable.forEach(
        (name, rows) ->
            curves.add(
                new Curve(
                    name,
                    byTable.size() == 1 ? Look.PREDICTED : Look.NEXT,
                    points(rows, Prediction::busbwGBps))));
    Optional<Shaded> shaded =
        byTable.size() == 1
            ? Optional.of(range(byTable.values().iterator().next()))
                .filter(range -> range.upper().size() > 1)
            : Optional.empty();
    return new Chart(subject.title(), SweepCharts.BUSBW, Horizontal.NODES, curves, shaded);
  }

  private static Shaded range(List<Prediction> rows) {
    List<Prediction> known = rows.stream().filter(row -> row.range().isPresent()).toList();
    return new Shaded(
        SweepCharts.RANGE,
        points(known, row -> row.range().orElseThrow().highGBps()),
        points(known, row -> row.range().orElseThrow().lowGBps()));
  }

  private static List<Point> points(List<Prediction> rows, ToDoubleFunction<Prediction> value) {
    return rows.stream()
        .sorted(Comparator.comparingInt(Prediction::nodes))
        .map(row -> new Point(row.nodes(), value.applyAsDouble(row)))
        .toList();
  }
}
