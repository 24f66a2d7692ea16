package dev.topo.visualizer.report;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.Curve;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import dev.topo.visualizer.chart.ModelTimes;
import dev.topo.visualizer.chart.SweepCharts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * busbw over the requested sizes, measured or not: predicted, by NCCL's own model, and measured
 * where there are measurements. Times are those out of place and of NCCL's choice; of several
 * measurements of a size the last counts.
 */
final class ForecastChart {
  private final ModelTimes times;
  private final List<Long> sizes;

  /** Charts over some sizes in bytes, in ascending order. */
  public ForecastChart(ModelTimes times, List<Long> sizes) {
    this.times = times;
    this.sizes = List.copyOf(sizes);
  }

  /** The chart of a collective. */
  public Chart of(Collective collective, List<Measurement> measurements) {
    List<Curve> curves = new ArrayList<>();
    List<Measurement> measured = SweepCharts.measured(measurements, collective, Optional.empty());
    if (!measured.isEmpty()) {
      curves.add(
          SweepCharts.curve("measured", Look.MEASURED, measured, m -> Optional.of(m.busbwGBps())));
    }
    // Before the prediction, so that its dashes are seen where both are the same.
    curves.add(
        new Curve(SweepCharts.NCCL_MODEL, Look.NCCL_MODEL, points(collective, times::ncclUs)));
    curves.add(
        new Curve(
            SweepCharts.predicted(Optional.of(times.predictor())),
            Look.PREDICTED,
            points(collective, times::predictedUs)));
    return Chart.bySize(collective.label(), SweepCharts.BUSBW, curves);
  }

  private List<Point> points(
      Collective collective, Function<CollectiveCall, Optional<Double>> timeUs) {
    int nRanks = times.predictor().tuner().facts().nRanks();
    List<Point> points = new ArrayList<>();
    for (long size : sizes) {
      timeUs
          .apply(CollectiveCall.of(collective, size))
          .ifPresent(us -> points.add(new Point(size, collective.busbwGBps(size, us, nRanks))));
    }
    return points;
  }
}
