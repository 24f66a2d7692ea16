package dev.topo.visualizer.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.visualizer.chart.Chart.Horizontal;
import dev.topo.visualizer.chart.Curve.Look;
import dev.topo.visualizer.chart.Curve.Point;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.junit.jupiter.api.Test;

/** {@link ChartPainter}. */
class ChartPainterTest {
  private static Chart chart(String... pairs) {
    List<Point> points = List.of(new Point(1024, 1), new Point(2048, 2));
    List<Curve> curves =
        Stream.concat(
                Stream.of(pairs).map(pair -> new Curve(pair, Look.NEXT, points)),
                Stream.of(new Curve("NCCL's choice", Look.MARKS, points)))
            .toList();
    return new Chart("pairs", "busbw in GB/s", Horizontal.SIZE, curves, Optional.empty());
  }

  private static List<Object> look(JFreeChart chart, String name) {
    int series = chart.getXYPlot().getDataset(0).indexOf(name);
    XYItemRenderer renderer = chart.getXYPlot().getRenderer(0);
    return List.of(renderer.getSeriesPaint(series), renderer.getSeriesStroke(series));
  }

  @Test
  void aPairLooksTheSameInEveryChartOfASheet() {
    List<JFreeChart> sheet =
        ChartPainter.charts(
            List.of(
                chart("Ring/LL", "Ring/Simple"),
                chart("Tree/LL", "Ring/LL", "Ring/Simple"),
                chart("Tree/LL")));
    assertEquals(look(sheet.get(0), "Ring/LL"), look(sheet.get(1), "Ring/LL"));
    assertEquals(look(sheet.get(0), "Ring/Simple"), look(sheet.get(1), "Ring/Simple"));
    assertEquals(look(sheet.get(1), "Tree/LL"), look(sheet.get(2), "Tree/LL"));
    List<String> names = List.of("Tree/LL", "Ring/LL", "Ring/Simple");
    assertEquals(
        names.size(),
        new HashSet<>(names.stream().map(name -> look(sheet.get(1), name)).toList()).size());
  }
}
