package dev.topo.visualizer.chart;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.visualizer.chart.Chart.Horizontal;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;

/**
 * The charts of a measured series for one collective. Times are out of place. If NCCL's choice was
 * measured more than once at a size, the last measurement counts.
 */
public record MeasuredCharts(MeasuredSeries series, Collective collective) {
  /** The axis of charts of busbw. */
  public static final String BUSBW = "busbw in GB/s";

  /** The axis of charts of times, where lower is better. */
  public static final String TIME = "time in ms";

  /** The axis of charts of errors. */
  static final String ERROR = "time, % above measured";

  /** The name of the range of predictions, for the legend. */
  static final String RANGE = "90 of 100 runs";

  /** The name of the curve of NCCL's own model. */
  public static final String NCCL_MODEL = "NCCL's own model";

  private String title() {
    return series.name() + ", " + collective.label();
  }

  private List<Measurement> measured(Optional<Pair> forced) {
    return measured(series.measurements(), collective, forced);
  }

  /**
   * Returns the last measurement of each size, of NCCL's choice or of a forced pair; measurements
   * with a set number of channels are ignored.
   */
  public static List<Measurement> measured(
      List<Measurement> measurements, Collective collective, Optional<Pair> forced) {
    Map<Long, Measurement> bySize = new TreeMap<>();
    for (Measurement measurement : measurements) {
      if (measurement.collective() == collective
          && measurement.channels().isEmpty()
          && measurement.forced().equals(forced)) {
        bySize.put(measurement.sizeBytes(), measurement);
      }
    }
    return List.copyOf(bySize.values());
  }

  /** True if NCCL's choice was not measured. */
  public boolean isEmpty() {
    return measured(Optional.empty()).isEmpty();
  }

  private CollectiveCall call(Measurement measurement) {
    return CollectiveCall.of(collective, measurement.sizeBytes());
  }

  private Optional<Double> predictedUs(Measurement measurement) {
    return series
        .predictor()
        .flatMap(predictor -> PredictedCharts.predictedUs(predictor, call(measurement)));
  }

  private Optional<Double> ncclUs(Measurement measurement) {
    return series
        .predictor()
        .flatMap(predictor -> PredictedCharts.ncclUs(predictor, call(measurement)));
  }

  private static Curve curve(
      String name,
      Look look,
      List<Measurement> rows,
      Function<Measurement, Optional<Double>> value) {
    return Curve.of(name, look, rows, Measurement::sizeBytes, value);
  }

  /** The times by topo and by NCCL's own model, as what a chart shows of them. */
  private List<Curve> models(
      List<Measurement> rows, ToDoubleBiFunction<Measurement, Double> shown) {
    return List.of(
        curve(
            predicted(series.predictor()),
            Look.PREDICTED,
            rows,
            m -> predictedUs(m).map(us -> shown.applyAsDouble(m, us))),
        curve(
            NCCL_MODEL,
            Look.NCCL_MODEL,
            rows,
            m -> ncclUs(m).map(us -> shown.applyAsDouble(m, us))));
  }

  /** Busbw of NCCL's choice: measured, predicted, and by NCCL's own model. */
  public Chart busbw() {
    List<Measurement> rows = measured(Optional.empty());
    List<Curve> curves = new ArrayList<>();
    curves.add(curve("measured", Look.MEASURED, rows, m -> Optional.of(m.busbwGBps())));
    if (series.predictor().isPresent()) {
      curves.addAll(models(rows, this::busbw));
    }
    return Chart.bySize(title(), BUSBW, curves);
  }

  /** Returns the name of the curve of predictions, which says if they are not calibrated. */
  public static String predicted(Optional<CallPredictor> predictor) {
    boolean isCalibrated = predictor.flatMap(CallPredictor::calibration).isPresent();
    return isCalibrated ? "predicted by topo" : "predicted by topo, not calibrated";
  }

  private double busbw(Measurement row, double us) {
    return collective.busbwGBps(row.sizeBytes(), us, row.nGpus());
  }

  /** The errors of the prediction and of NCCL's own model by size. */
  public Chart error() {
    List<Measurement> rows = measured(Optional.empty());
    return Chart.bySize(title(), ERROR, models(rows, MeasuredCharts::error));
  }

  private static double error(Measurement row, double us) {
    return errorPercent(us, row.timeUs());
  }

  static double errorPercent(double predictedUs, double measuredUs) {
    return 100 * (predictedUs / measuredUs - 1);
  }

  /**
   * The busbw of each forced algorithm and protocol, with NCCL's choice marked and its regret
   * shaded.
   */
  public Chart pairs() {
    Map<Pair, List<Measurement>> pairs = new LinkedHashMap<>();
    series.measurements().stream()
        .filter(m -> m.collective() == collective)
        .map(Measurement::forced)
        .flatMap(Optional::stream)
        .distinct()
        .sorted(Comparator.comparing(Pair::algorithm).thenComparing(Pair::protocol))
        .forEach(pair -> pairs.put(pair, measured(Optional.of(pair))));
    List<Curve> curves = new ArrayList<>();
    pairs.forEach(
        (pair, rows) ->
            curves.add(curve(pair.toString(), Look.NEXT, rows, m -> Optional.of(m.busbwGBps()))));
    List<Point> best = new ArrayList<>();
    List<Point> chosen = new ArrayList<>();
    for (Measurement row : measured(Optional.empty())) {
      Optional<Measurement> choice = chosenOf(row, pairs);
      if (choice.isPresent()) {
        double highest =
            pairs.values().stream()
                .flatMap(List::stream)
                .filter(m -> m.sizeBytes() == row.sizeBytes())
                .mapToDouble(Measurement::busbwGBps)
                .max()
                .orElse(choice.get().busbwGBps());
        best.add(new Point(row.sizeBytes(), highest));
        chosen.add(new Point(row.sizeBytes(), choice.get().busbwGBps()));
      }
    }
    if (chosen.isEmpty()) {
      return Chart.bySize(title(), BUSBW, curves);
    }
    curves.add(new Curve("NCCL's choice", Look.MARKS, chosen));
    return new Chart(
        title(),
        BUSBW,
        Horizontal.SIZE,
        curves,
        Optional.of(new Chart.Shaded("regret", best, chosen)));
  }

  /** The measurement of the pair that NCCL chooses at the size of a row. */
  private Optional<Measurement> chosenOf(Measurement row, Map<Pair, List<Measurement>> pairs) {
    return series
        .predictor()
        .map(CallPredictor::tuner)
        .flatMap(tuner -> tuner.decide(call(row)).choice())
        .flatMap(
            choice ->
                pairs
                    .getOrDefault(new Pair(choice.algorithm(), choice.protocol()), List.of())
                    .stream()
                    .filter(m -> m.sizeBytes() == row.sizeBytes())
                    .findFirst());
  }
}
