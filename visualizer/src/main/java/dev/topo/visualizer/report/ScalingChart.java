package dev.topo.visualizer.report;

import dev.topo.simulator.sweep.ComparedDesign;
import dev.topo.simulator.sweep.Scenario;
import dev.topo.simulator.sweep.SweepAnswer;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.Chart.Horizontal;
import dev.topo.visualizer.chart.Curve;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import dev.topo.visualizer.chart.MeasuredCharts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Charts of the times of the best designs by number of nodes, one for each call or workload. */
final class ScalingChart {
  /** Maximum number of curves: one for each available colour. */
  private static final int MAX_CURVES = 6;

  private static final int MAX_CHARTS = 8;
  private static final double US_PER_MS = 1000;

  private ScalingChart() {}

  /** Returns the charts; empty if there are no designs or only one number of nodes. */
  static Optional<List<Chart>> of(SweepAnswer answer) {
    if (answer.scenarios().stream().map(Scenario::nodes).distinct().count() < 2) {
      return Optional.empty();
    }
    List<ComparedDesign> best = answer.ranked().stream().limit(MAX_CURVES).toList();
    List<Chart> charts =
        answer.scenarios().stream()
            .map(Scenario::question)
            .distinct()
            .limit(MAX_CHARTS)
            .map(question -> chart(question, best, answer))
            .toList();
    return best.isEmpty() ? Optional.empty() : Optional.of(charts);
  }

  private static Chart chart(String question, List<ComparedDesign> designs, SweepAnswer answer) {
    List<Curve> curves = new ArrayList<>();
    for (ComparedDesign design : designs) {
      List<Point> points = new ArrayList<>();
      for (int s = 0; s < answer.scenarios().size(); s++) {
        Scenario scenario = answer.scenarios().get(s);
        OptionalDouble time = design.outcomes().get(s).timeUs();
        if (scenario.question().equals(question) && time.isPresent()) {
          points.add(new Point(scenario.nodes(), time.getAsDouble() / US_PER_MS));
        }
      }
      curves.add(new Curve(design.label(answer.axes()), Look.NEXT, points));
    }
    return new Chart(question, MeasuredCharts.TIME, Horizontal.NODES, curves, Optional.empty());
  }
}
