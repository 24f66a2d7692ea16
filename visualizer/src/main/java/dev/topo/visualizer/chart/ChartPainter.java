package dev.topo.visualizer.chart;

import dev.topo.visualizer.chart.Curve.Look;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYDifferenceRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * Makes JFreeChart charts over sizes in KiB, MiB and GiB, or over numbers of nodes, with a
 * logarithmic horizontal axis.
 */
final class ChartPainter {
  /**
   * Space at the right, because the label of the last size may extend beyond the axis by half its
   * width.
   */
  private static final double RIGHT_PADDING = 18;

  static final String FONT = "DejaVu Sans";
  static final Color GRID = new Color(0xD8D8D8);
  private static final Color SHADE = new Color(0xF0E442);
  private static final float LINE_WIDTH = 2;
  private static final double MARGIN = 6;

  /** The palette of Okabe and Ito without yellow, which is too light for a line. */
  private static final int[] COLORS = {0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7, 0x56B4E9, 0xD55E00};

  private static final float[][] DASHES = {{}, {8, 3}, {2, 3}, {8, 3, 2, 3}};

  /** Distance between two labels of a size axis in powers of two; 4 is a factor of 16. */
  private static final int OCTAVES_PER_LABEL = 4;

  private ChartPainter() {}

  /** Makes charts that are shown together: curves of the same name look the same in all of them. */
  static List<JFreeChart> charts(List<Chart> charts) {
    List<String> names =
        charts.stream()
            .flatMap(chart -> chart.curves().stream())
            .filter(curve -> curve.look() == Look.NEXT)
            .map(Curve::name)
            .distinct()
            .toList();
    return charts.stream().map(chart -> chart(chart, names)).toList();
  }

  private static JFreeChart chart(Chart chart, List<String> names) {
    NumberAxis horizontalAxis =
        switch (chart.horizontal()) {
          case SIZE -> horizontal("size", OCTAVES_PER_LABEL, SizeFormat.BYTES);
          case NODES -> horizontal("nodes", 1, SizeFormat.NUMBERS);
        };
    NumberAxis values = new NumberAxis(chart.axis());
    values.setNumberFormatOverride(
        new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
    style(values);
    XYPlot plot = new XYPlot();
    plot.setDomainAxis(horizontalAxis);
    plot.setRangeAxis(values);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setDomainGridlinePaint(GRID);
    plot.setRangeGridlinePaint(GRID);
    plot.setOutlinePaint(GRID);
    plot.setRangeZeroBaselineVisible(true);
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
    XYSeriesCollection lines = new XYSeriesCollection();
    for (int i = 0; i < chart.curves().size(); i++) {
      Curve curve = chart.curves().get(i);
      lines.addSeries(series(curve.name(), curve.points()));
      look(renderer, i, curve.look(), names.indexOf(curve.name()));
    }
    plot.setDataset(0, lines);
    plot.setRenderer(0, renderer);
    chart.shaded().ifPresent(shaded -> shade(plot, shaded));
    JFreeChart painted = new JFreeChart(chart.title(), new Font(FONT, Font.BOLD, 15), plot, true);
    style(painted);
    ChartSentence.of(chart)
        .map(sentence -> new TextTitle(sentence, new Font(FONT, Font.PLAIN, 12)))
        .ifPresent(sentence -> painted.addSubtitle(0, sentence));
    return painted;
  }

  /** Applies the style that all charts share. */
  static void style(JFreeChart painted) {
    painted.setBackgroundPaint(Color.WHITE);
    painted.setPadding(new RectangleInsets(0, 0, 0, RIGHT_PADDING));
    painted.getLegend().setItemFont(new Font(FONT, Font.PLAIN, 11));
    painted.getLegend().setFrame(BlockBorder.NONE);
    TextTitle title = painted.getTitle();
    title.setPaint(Color.BLACK);
    title.setMargin(MARGIN, MARGIN, MARGIN, MARGIN);
  }

  private static NumberAxis horizontal(String label, int octaves, NumberFormat format) {
    NumberAxis axis = new NumberAxis(label);
    axis.setAutoRangeIncludesZero(false);
    axis.setTickUnit(new NumberTickUnit(octaves, format));
    style(axis);
    return axis;
  }

  static void style(Axis axis) {
    axis.setLabelFont(new Font(FONT, Font.PLAIN, 12));
    axis.setTickLabelFont(new Font(FONT, Font.PLAIN, 11));
    axis.setLabelPaint(Color.BLACK);
  }

  private static XYSeries series(String name, List<Curve.Point> points) {
    XYSeries series = new XYSeries(name);
    points.forEach(point -> series.add(octave(point.at()), point.value()));
    return series;
  }

  private static double octave(long at) {
    return Math.log(at) / Math.log(2);
  }

  /**
   * Sets the look of a series.
   *
   * @param next the index of the curve name among those with {@link Look#NEXT}
   */
  private static void look(XYLineAndShapeRenderer renderer, int i, Look look, int next) {
    boolean isNext = look == Look.NEXT;
    float[] dashes = DASHES[look == Look.NCCL_MODEL ? 1 : isNext ? next % DASHES.length : 0];
    renderer.setSeriesPaint(i, isNext ? new Color(COLORS[next % COLORS.length]) : color(look));
    renderer.setSeriesStroke(
        i,
        dashes.length == 0
            ? new BasicStroke(LINE_WIDTH)
            : new BasicStroke(
                LINE_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0));
    boolean isMarks = look == Look.MARKS;
    renderer.setSeriesLinesVisible(i, !isMarks);
    renderer.setSeriesShapesVisible(i, isMarks || look == Look.MEASURED);
    renderer.setSeriesShapesFilled(i, !isMarks);
    if (isMarks) {
      renderer.setSeriesShape(i, new Ellipse2D.Double(-5, -5, 10, 10));
    } else if (look == Look.MEASURED) {
      renderer.setSeriesShape(i, new Ellipse2D.Double(-2.5, -2.5, 5, 5));
    }
  }

  /** The colour of a look; black for looks without a fixed colour. */
  static Color color(Look look) {
    return switch (look) {
      case PREDICTED -> new Color(COLORS[0]);
      case NCCL_MODEL -> new Color(COLORS[1]);
      case MEASURED, NEXT, MARKS -> Color.BLACK;
    };
  }

  private static void shade(XYPlot plot, Chart.Shaded shaded) {
    XYSeriesCollection borders = new XYSeriesCollection();
    borders.addSeries(series(shaded.name(), shaded.upper()));
    borders.addSeries(series(shaded.name() + " below", shaded.lower()));
    XYDifferenceRenderer renderer = new XYDifferenceRenderer(SHADE, SHADE, false);
    renderer.setSeriesPaint(0, SHADE);
    renderer.setSeriesPaint(1, SHADE);
    renderer.setSeriesVisibleInLegend(1, false);
    renderer.setLegendLine(new Rectangle2D.Double(-7, -3, 14, 6));
    plot.setDataset(1, borders);
    plot.setRenderer(1, renderer);
  }

  /** Formats a power of two as a size (20 as 1 MiB) or as a plain number. */
  private static final class SizeFormat extends NumberFormat {
    private static final long serialVersionUID = 1L;
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final int BITS = 10;
    private static final SizeFormat BYTES = new SizeFormat(true);
    private static final SizeFormat NUMBERS = new SizeFormat(false);

    private final boolean hasUnit;

    private SizeFormat(boolean hasUnit) {
      this.hasUnit = hasUnit;
    }

    @Override
    public StringBuffer format(double octave, StringBuffer to, FieldPosition position) {
      int power = (int) Math.round(octave);
      if (!hasUnit) {
        return to.append(1L << Math.max(0, power));
      }
      int unit = Math.max(0, Math.min(power / BITS, UNITS.length - 1));
      return to.append(1L << Math.max(0, power - unit * BITS)).append(' ').append(UNITS[unit]);
    }

    @Override
    public StringBuffer format(long octave, StringBuffer to, FieldPosition position) {
      return format((double) octave, to, position);
    }

    @Override
    public Number parse(String source, ParsePosition position) {
      throw new UnsupportedOperationException("sizes are only written");
    }
  }
}
