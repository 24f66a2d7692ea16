package dev.topo.visualizer.chart;

import dev.topo.visualizer.chart.Chart.Horizontal;
import dev.topo.visualizer.view.Answer;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Supplier;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jfree.chart.JFreeChart;
import org.jfree.data.Range;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Charts side by side as SVG or PNG. The same charts give the same bytes on the same host, whose
 * fonts determine the positions of labels.
 */
public final class ChartSheet {
  private static final int WIDTH = 620;
  private static final int HEIGHT = 400;
  private static final int COLUMNS = 2;

  /** PNG pixels for each pixel of the sheet. */
  private static final double PNG_SCALE = 2;

  /** Height of a step chart, whose labels are long. */
  private static final int STEP_HEIGHT = 480;

  private static final int STEP_WIDTH = 58;
  private static final int STEP_MARGIN = 150;

  private final int width;
  private final int height;
  private final Supplier<List<JFreeChart>> painter;
  private final String label;

  /** Creates a sheet of charts, filled row by row. */
  public ChartSheet(List<Chart> charts) {
    this(
        WIDTH * Math.min(COLUMNS, charts.size()),
        HEIGHT * ((charts.size() + COLUMNS - 1) / COLUMNS),
        () -> painted(charts),
        "");
  }

  /** Returns a sheet with a step chart; its alternative text has the numbers. */
  public static ChartSheet of(StepChart chart) {
    return new ChartSheet(
        Math.max(WIDTH, STEP_MARGIN + STEP_WIDTH * chart.steps().size()),
        STEP_HEIGHT,
        () -> List.of(StepPainter.chart(chart)),
        chart.description());
  }

  private ChartSheet(int width, int height, Supplier<List<JFreeChart>> painter, String label) {
    this.width = width;
    this.height = height;
    this.painter = painter;
    this.label = label;
  }

  /**
   * Returns the sheet as an answer.
   *
   * @param format {@code svg} or {@code png}
   * @throws NoFontException if the host has no fonts or no Java2D
   */
  public Answer in(String format) {
    return format.equals("png") ? Answer.ofBytes(png()) : Answer.of(svg());
  }

  /**
   * Returns the sheet as SVG.
   *
   * @throws NoFontException if the host has no fonts or no Java2D
   */
  public String svg() {
    SVGGraphics2D graphics = graphics("");
    Element root = graphics.getRoot();
    if (!label.isEmpty()) {
      describe(root, label);
    }
    return svgText(graphics, root);
  }

  /**
   * Returns the sheet as an SVG element for an HTML page.
   *
   * @param id the prefix of all ids in it, so that a page can contain several sheets
   * @param label the alternative text
   * @throws NoFontException if the host has no fonts or no Java2D
   */
  public String inlineSvg(String id, String label) {
    SVGGraphics2D graphics = graphics(id);
    Element root = graphics.getRoot();
    root.setAttribute("viewBox", "0 0 " + width + " " + height);
    describe(root, label);
    NodeList definitions = root.getElementsByTagName("defs");
    for (int i = 0; i < definitions.getLength(); i++) {
      Element definition = (Element) definitions.item(i);
      // Batik gives one definition the same id in every picture, bypassing the generator.
      if (!definition.getAttribute("id").startsWith(id)) {
        definition.setAttribute("id", id + definition.getAttribute("id"));
      }
    }
    String document = svgText(graphics, root);
    return document.substring(document.indexOf("<svg"));
  }

  private static void describe(Element root, String text) {
    root.setAttribute("role", "img");
    root.setAttribute("aria-label", text);
  }

  private static String svgText(SVGGraphics2D graphics, Element root) {
    StringWriter out = new StringWriter();
    try {
      graphics.stream(root, out, true, false);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toString();
  }

  private SVGGraphics2D graphics(String id) {
    NoFontException.check();
    Document document;
    try {
      document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .getDOMImplementation()
              .createDocument("http://www.w3.org/2000/svg", "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e);
    }
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setIDGenerator(
        new SVGIDGenerator() {
          @Override
          public String generateID(String prefix) {
            return id + super.generateID(prefix);
          }
        });
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(width, height));
    paint(graphics);
    return graphics;
  }

  private byte[] png() {
    return PngImage.paint(
        (int) (width * PNG_SCALE), (int) (height * PNG_SCALE), PNG_SCALE, this::paint);
  }

  private void paint(Graphics2D graphics) {
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, width, height);
    List<JFreeChart> painted = painter.get();
    int columns = Math.min(COLUMNS, painted.size());
    int rows = (painted.size() + COLUMNS - 1) / COLUMNS;
    int chartWidth = width / columns;
    int chartHeight = height / rows;
    for (int i = 0; i < painted.size(); i++) {
      int x = i % columns * chartWidth;
      int y = i / columns * chartHeight;
      painted.get(i).draw(graphics, new Rectangle2D.Double(x, y, chartWidth, chartHeight));
    }
  }

  private static List<JFreeChart> painted(List<Chart> charts) {
    List<JFreeChart> painted = ChartPainter.charts(charts);
    if (charts.stream().allMatch(chart -> chart.horizontal() == Horizontal.SIZE)) {
      alignValues(painted);
    }
    return painted;
  }

  /**
   * Gives charts over sizes a common range of values, because they are compared side by side.
   * Charts over nodes keep their own: each shows one size, and values of different sizes are far
   * apart.
   */
  private static void alignValues(List<JFreeChart> painted) {
    Range range = null;
    for (JFreeChart chart : painted) {
      range = Range.combine(range, chart.getXYPlot().getRangeAxis().getRange());
    }
    for (JFreeChart chart : painted) {
      chart.getXYPlot().getRangeAxis().setRange(range);
    }
  }
}
