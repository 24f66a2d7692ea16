package dev.topo.visualizer.chart;

import dev.topo.model.job.SettingException;
import dev.topo.visualizer.drawing.Area;
import dev.topo.visualizer.drawing.Arrows;
import dev.topo.visualizer.drawing.Box;
import dev.topo.visualizer.drawing.Caption;
import dev.topo.visualizer.drawing.Drawing;
import dev.topo.visualizer.drawing.Palette;
import dev.topo.visualizer.drawing.Point;
import dev.topo.visualizer.drawing.Wire;
import dev.topo.visualizer.drawing.Wire.Flow;
import dev.topo.visualizer.drawing.Wire.Stress;
import java.awt.AlphaComposite;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.font.TextLayout;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.geom.RoundRectangle2D;
import java.util.List;

/**
 * Paints a drawing as PNG in the font of the host; text that would be wider than its space is
 * narrowed. The same host always gives the same bytes.
 */
public final class PngWriter {
  private static final double CORNER_DIAMETER = 8;

  /**
   * Maximum number of pixels: the limit of common viewers, which also bounds the memory for a huge
   * job.
   */
  private static final double MAX_PIXELS = 120e6;

  private final Graphics2D graphics;

  private PngWriter(Graphics2D graphics) {
    this.graphics = graphics;
  }

  /**
   * Returns the bytes of the picture.
   *
   * @param scale pixels of the picture for each pixel of the drawing
   * @throws NoFontException if the host has no fonts or no Java2D
   * @throws SettingException if the picture would be too large
   */
  public static byte[] write(Drawing drawing, double scale) {
    if (drawing.width() * scale * drawing.height() * scale > MAX_PIXELS) {
      throw new SettingException("the picture is too large for png, expected svg");
    }
    return PngImage.paint(
        (int) Math.ceil(drawing.width() * scale),
        (int) Math.ceil(drawing.height() * scale),
        scale,
        graphics -> new PngWriter(graphics).paint(drawing));
  }

  private void paint(Drawing drawing) {
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    graphics.setColor(new Color(Palette.PAPER));
    graphics.fillRect(0, 0, (int) drawing.width() + 1, (int) drawing.height() + 1);
    drawing.boxes().stream().filter(box -> box.kind().isBackground()).forEach(this::box);
    drawing.wires().stream().filter(w -> w.stress() == Stress.FULL).forEach(this::full);
    drawing.wires().forEach(this::wire);
    drawing.boxes().stream().filter(box -> !box.kind().isBackground()).forEach(this::box);
    drawing.captions().forEach(this::text);
  }

  private void box(Box box) {
    Area area = box.area();
    RoundRectangle2D shape =
        new RoundRectangle2D.Double(
            area.x(), area.y(), area.width(), area.height(), CORNER_DIAMETER, CORNER_DIAMETER);
    graphics.setColor(new Color(box.kind().fill()));
    graphics.fill(shape);
    graphics.setColor(new Color(box.kind().border()));
    graphics.setStroke(new BasicStroke(1));
    graphics.draw(shape);
    box.captions().forEach(this::text);
  }

  private void full(Wire wire) {
    graphics.setColor(new Color(Palette.FULL));
    graphics.setStroke(stroke(wire.width() + Palette.FULL_MARGIN, ""));
    graphics.draw(path(wire.points()));
  }

  private void wire(Wire wire) {
    Path2D path = path(wire.points());
    if (wire.stress() == Stress.FAINT) {
      graphics.setComposite(AlphaComposite.getInstance(AlphaComposite.SRC_OVER, Palette.FAINT));
    }
    graphics.setColor(new Color(wire.kind().color()));
    graphics.setStroke(stroke(wire.width(), wire.kind().dashes()));
    graphics.draw(path);
    graphics.setComposite(AlphaComposite.SrcOver);
    if (wire.flow() != Flow.NONE) {
      graphics.setColor(new Color(Palette.INK));
      graphics.setStroke(stroke(Palette.ROUTE_WIDTH, ""));
      graphics.draw(path);
      for (List<Point> head : Arrows.of(wire.points(), wire.flow())) {
        Path2D shape = path(head);
        shape.closePath();
        graphics.fill(shape);
      }
    }
  }

  private static BasicStroke stroke(double width, String dashes) {
    if (dashes.isEmpty()) {
      return new BasicStroke((float) width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER);
    }
    String[] parts = dashes.split(" ", -1);
    float[] pattern = new float[parts.length];
    for (int i = 0; i < parts.length; i++) {
      pattern[i] = Float.parseFloat(parts[i]);
    }
    return new BasicStroke(
        (float) width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, pattern, 0);
  }

  private static Path2D path(List<Point> points) {
    Path2D path = new Path2D.Double();
    path.moveTo(points.get(0).x(), points.get(0).y());
    points.stream().skip(1).forEach(point -> path.lineTo(point.x(), point.y()));
    return path;
  }

  private void text(Caption caption) {
    if (caption.line().text().isEmpty()) {
      return;
    }
    Font font =
        new Font(ChartPainter.FONT, caption.line().bold() ? Font.BOLD : Font.PLAIN, 1)
            .deriveFont((float) caption.line().size());
    TextLayout layout =
        new TextLayout(caption.line().text(), font, graphics.getFontRenderContext());
    double narrowing = Math.min(1, caption.line().width() / layout.getAdvance());
    AffineTransform before = graphics.getTransform();
    graphics.translate(caption.x(), caption.y() + caption.line().ascent());
    graphics.scale(narrowing, 1);
    graphics.setColor(new Color(Palette.INK));
    layout.draw(graphics, 0, 0);
    graphics.setTransform(before);
  }
}
