package dev.topo.visualizer.svg;

import dev.topo.visualizer.scene.Area;
import dev.topo.visualizer.scene.Arrows;
import dev.topo.visualizer.scene.Box;
import dev.topo.visualizer.scene.BoxKind;
import dev.topo.visualizer.scene.Caption;
import dev.topo.visualizer.scene.Drawing;
import dev.topo.visualizer.scene.Palette;
import dev.topo.visualizer.scene.Point;
import dev.topo.visualizer.scene.Wire;
import dev.topo.visualizer.scene.WireKind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Writes a drawing as SVG 1.1 with its style inside, so that it looks the same in a browser, in a
 * document and pasted into a page. Title and description are there for those who cannot see it; a
 * pointer on a part shows more. The same drawing gives the same bytes.
 */
public final class SvgWriter {
  private final Drawing drawing;
  private final StringBuilder out = new StringBuilder();

  private SvgWriter(Drawing drawing) {
    this.drawing = drawing;
  }

  /** The drawing as a document. */
  public static String write(Drawing drawing) {
    SvgWriter writer = new SvgWriter(drawing);
    writer.document();
    return writer.out.toString();
  }

  private void document() {
    String width = number(drawing.width());
    String height = number(drawing.height());
    out.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\" role=\"img\">\n",
            width,
            height,
            width,
            height));
    out.append("<title>").append(escape(drawing.title())).append("</title>\n");
    out.append("<desc>").append(escape(drawing.description())).append("</desc>\n");
    style();
    out.append("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    drawing.boxes().stream().filter(box -> box.kind() == BoxKind.PANEL).forEach(this::box);
    // First, so that the mark of one link does not cover another.
    drawing.wires().stream().filter(w -> w.stress() == Wire.Stress.FULL).forEach(this::full);
    drawing.wires().forEach(this::wire);
    drawing.boxes().stream().filter(box -> box.kind() != BoxKind.PANEL).forEach(this::box);
    drawing.captions().forEach(caption -> text(caption, "label"));
    out.append("</svg>\n");
  }

  private void style() {
    out.append("<style>\n");
    out.append("text{font-family:\"DejaVu Sans\",Verdana,Arial,Helvetica,sans-serif;fill:")
        .append(color(Palette.INK))
        .append("}\n.bold{font-weight:bold}\n.paper{fill:")
        .append(color(Palette.PAPER))
        .append("}\n.link,.full,.route{fill:none}\n.faint{opacity:.3}\n.full{stroke:")
        .append(color(Palette.FULL))
        .append("}\n.route{stroke:")
        .append(color(Palette.INK))
        .append(";stroke-width:1.6}\n.head{fill:")
        .append(color(Palette.INK))
        .append("}\n");
    Set<BoxKind> boxes = EnumSet.noneOf(BoxKind.class);
    drawing.boxes().forEach(box -> boxes.add(box.kind()));
    for (BoxKind kind : boxes) {
      out.append('.')
          .append(kind)
          .append("{fill:")
          .append(color(kind.fill()))
          .append(";stroke:")
          .append(color(kind.border()))
          .append("}\n");
    }
    Set<WireKind> wires = EnumSet.noneOf(WireKind.class);
    drawing.wires().forEach(wire -> wires.add(wire.kind()));
    for (WireKind kind : wires) {
      out.append(".w").append(kind).append("{stroke:").append(color(kind.color()));
      if (!kind.dashes().isEmpty()) {
        out.append(";stroke-dasharray:").append(kind.dashes());
      }
      out.append("}\n");
    }
    out.append("</style>\n");
  }

  private void box(Box box) {
    Area area = box.area();
    out.append("<g><rect class=\"").append(box.kind()).append("\" x=\"");
    out.append(number(area.x())).append("\" y=\"").append(number(area.y()));
    out.append("\" width=\"").append(number(area.width())).append("\" height=\"");
    out.append(number(area.height())).append("\" rx=\"4\"");
    hint(box.hint(), "rect");
    box.captions().forEach(caption -> text(caption, "in"));
    out.append("</g>\n");
  }

  private void hint(String hint, String element) {
    if (hint.isEmpty()) {
      out.append("/>");
    } else {
      out.append("><title>").append(escape(hint)).append("</title></").append(element).append('>');
    }
  }

  private void full(Wire wire) {
    path("full", way(wire.points(), false), wire.width() + Palette.FULL_MARGIN, "");
  }

  private void wire(Wire wire) {
    String way = way(wire.points(), false);
    String faint = wire.stress() == Wire.Stress.FAINT ? " faint" : "";
    path("link w" + wire.kind() + faint, way, wire.width(), wire.hint());
    if (wire.flow() != Wire.Flow.NONE) {
      out.append("<path class=\"route\" d=\"").append(way).append("\"/>\n");
      for (List<Point> head : Arrows.of(wire)) {
        out.append("<path class=\"head\" d=\"").append(way(head, true)).append("\"/>\n");
      }
    }
  }

  private void path(String kind, String way, double width, String hint) {
    out.append("<path class=\"").append(kind).append("\" d=\"").append(way);
    out.append("\" stroke-width=\"").append(number(width)).append('"');
    hint(hint, "path");
    out.append('\n');
  }

  private static String way(List<Point> points, boolean closed) {
    StringBuilder way = new StringBuilder();
    for (Point point : points) {
      way.append(way.isEmpty() ? "M" : " L").append(number(point.x())).append(' ');
      way.append(number(point.y()));
    }
    return way + (closed ? "Z" : "");
  }

  private void text(Caption caption, String place) {
    out.append("<text class=\"").append(place).append(caption.line().bold() ? " bold" : "");
    out.append("\" x=\"").append(number(caption.x())).append("\" y=\"");
    out.append(number(caption.y() + caption.line().ascent())).append("\" font-size=\"");
    out.append(number(caption.line().size())).append("\">");
    out.append(escape(caption.line().text())).append("</text>");
    out.append(place.equals("label") ? "\n" : "");
  }

  private static String color(int rgb) {
    return String.format(Locale.ROOT, "#%06x", rgb);
  }

  private static String number(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** Also leaves out what XML 1.0 cannot hold. */
  private static String escape(String text) {
    return text.replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff\\ufffe\\uffff]", "?")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
