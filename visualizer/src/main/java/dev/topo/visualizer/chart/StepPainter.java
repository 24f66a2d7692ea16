package dev.topo.visualizer.chart;

import java.awt.Color;
import java.awt.Font;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.DefaultCategoryDataset;

/** Makes JFreeChart bar charts by step; each bar is labelled with its value. */
final class StepPainter {
  /** With at least this many steps, the values of bars are written vertically. */
  private static final int MIN_STEPS_FOR_VERTICAL = 8;

  /** Space for the value above the highest bar, as a fraction of the axis. */
  private static final double UPPER_MARGIN = 0.15;

  private static final double BAR_GAP = 0.05;

  private static final DecimalFormatSymbols SYMBOLS = DecimalFormatSymbols.getInstance(Locale.ROOT);

  private StepPainter() {}

  static JFreeChart chart(StepChart chart) {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    BarRenderer renderer = renderer(chart.steps().size() >= MIN_STEPS_FOR_VERTICAL);
    for (int group = 0; group < chart.groups().size(); group++) {
      StepChart.Bars bars = chart.groups().get(group);
      for (int step = 0; step < bars.mib().size(); step++) {
        // A step may occur twice, so its position is the category.
        data.addValue(bars.mib().get(step), bars.name(), new Step(step, chart.steps().get(step)));
      }
      renderer.setSeriesPaint(group, ChartPainter.color(bars.look()));
    }
    CategoryPlot plot = new CategoryPlot(data, steps(), values(), renderer);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setRangeGridlinePaint(ChartPainter.GRID);
    plot.setOutlinePaint(ChartPainter.GRID);
    JFreeChart painted =
        new JFreeChart(chart.title(), new Font(ChartPainter.FONT, Font.BOLD, 13), plot, true);
    ChartPainter.style(painted);
    painted.addSubtitle(
        0, new TextTitle(chart.subject(), new Font(ChartPainter.FONT, Font.PLAIN, 12)));
    return painted;
  }

  /** A step with its position among all steps. */
  private record Step(int at, String label) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      return Integer.compare(at, other.at);
    }

    @Override
    public String toString() {
      return label;
    }
  }

  private static CategoryAxis steps() {
    CategoryAxis steps = new CategoryAxis("step");
    steps.setCategoryLabelPositions(CategoryLabelPositions.UP_45);
    steps.setMaximumCategoryLabelWidthRatio(2);
    ChartPainter.style(steps);
    return steps;
  }

  private static NumberAxis values() {
    NumberAxis values = new NumberAxis("GPU memory in MiB");
    values.setNumberFormatOverride(new DecimalFormat("0", SYMBOLS));
    values.setUpperMargin(UPPER_MARGIN);
    ChartPainter.style(values);
    return values;
  }

  private static BarRenderer renderer(boolean isVertical) {
    BarRenderer renderer = new BarRenderer();
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    renderer.setItemMargin(BAR_GAP);
    renderer.setDefaultItemLabelsVisible(true);
    renderer.setDefaultItemLabelFont(new Font(ChartPainter.FONT, Font.PLAIN, 10));
    renderer.setDefaultItemLabelGenerator(
        new StandardCategoryItemLabelGenerator("{2}", new DecimalFormat("0.#", SYMBOLS)));
    renderer.setDefaultPositiveItemLabelPosition(
        isVertical
            ? new ItemLabelPosition(
                ItemLabelAnchor.OUTSIDE12,
                TextAnchor.CENTER_LEFT,
                TextAnchor.CENTER_LEFT,
                -Math.PI / 2)
            : new ItemLabelPosition(ItemLabelAnchor.OUTSIDE12, TextAnchor.BOTTOM_CENTER));
    return renderer;
  }
}
