package dev.topo.visualizer.drawing;

import dev.topo.model.io.PlainText;
import dev.topo.visualizer.drawing.Wire.Flow;
import dev.topo.visualizer.drawing.Wire.Stress;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a drawing as SVG 1.1 with embedded styles, so that it looks the same in a browser, in a
 * document and embedded in a page. Screen readers get its title and description; tooltips show
 * details of an element. The same drawing always gives the same bytes.
 */
public final class SvgWriter {
  /** Minimum width in pixels of the area in which a pointer hits a line. */
  private static final double MIN_HIT_WIDTH = 9;

  private final Drawing drawing;
  private final Optional<InlineParts> parts;
  private final StringBuilder out = new StringBuilder();

  private SvgWriter(Drawing drawing, Optional<InlineParts> parts) {
    this.drawing = drawing;
    this.parts = parts;
  }

  /** Returns the drawing as a document. */
  public static String write(Drawing drawing) {
    return new SvgWriter(drawing, Optional.empty()).document();
  }

  /**
   * Returns the drawing as a part of an HTML page, styled by {@link #pageStyle}. It contains,
   * hidden, everything that a channel changes: {@code data-flow} on the arrows of a line ({@code
   * 3f}, {@code 3b} or {@code 3x} for forward, backward and both on line 3), {@code data-full} on
   * the mark of a full line, {@code data-line} on a line, {@code data-place} on the second text of
   * a box.
   *
   * @param id the prefix of all ids in it, so that a page can contain several drawings
   */
  public static String inline(SteppedDrawing drawing, String id) {
    return inline(drawing.drawing(), new InlineParts(id, drawing.steps(), Map.of(), List.of()));
  }

  /** Returns the drawing as a part of an HTML page. */
  static String inline(Drawing drawing, InlineParts parts) {
    return new SvgWriter(drawing, Optional.of(parts)).document();
  }

  /**
   * Returns the style sheet for drawings in a page.
   *
   * @param scope the CSS class of the elements that contain drawings
   */
  public static String pageStyle(String scope) {
    return SvgStyle.rules(
        "." + scope + " ", EnumSet.allOf(BoxKind.class), EnumSet.allOf(WireKind.class));
  }

  private String document() {
    out.append("<svg xmlns=\"http://www.w3.org/2000/svg\"");
    attributes("width", drawing.width(), "height", drawing.height());
    attributes("viewBox", "0 0 " + number(drawing.width()) + " " + number(drawing.height()));
    attributes("role", parts.map(InlineParts::role).orElse("img"));
    parts.ifPresent(inline -> out.append(inline.labelledBy()));
    out.append(">\n<title").append(id("title")).append('>');
    out.append(escape(drawing.title())).append("</title>\n<desc").append(id("desc")).append('>');
    out.append(escape(drawing.description())).append("</desc>\n");
    if (parts.isEmpty()) {
      style();
    }
    out.append("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    drawing.boxes().stream().filter(box -> box.kind().isBackground()).forEach(this::box);
    // Marks come first, so that the mark of one link does not cover another link.
    drawing.wires().stream().filter(w -> w.stress() == Stress.FULL).forEach(w -> full(w, ""));
    for (int i = 0; i < drawing.wires().size() && parts.isPresent(); i++) {
      if (parts.get().isFull(i)) {
        full(drawing.wires().get(i), attribute("data-full", i));
      }
    }
    for (int i = 0; i < drawing.wires().size(); i++) {
      wire(i, drawing.wires().get(i));
    }
    drawing.boxes().stream().filter(box -> !box.kind().isBackground()).forEach(this::box);
    for (Caption caption : drawing.captions()) {
      text(caption, look("label", caption), caption.x(), "");
      out.append('\n');
    }
    return out.append("</svg>\n").toString();
  }

  private String id(String part) {
    return parts.map(inline -> attribute("id", inline.id() + "-" + part)).orElse("");
  }

  private static String attribute(String name, Object value) {
    return " " + name + "=\"" + (value instanceof Double number ? number(number) : value) + "\"";
  }

  /** Writes attributes given as alternating names and values. */
  private void attributes(Object... namesAndValues) {
    for (int i = 0; i < namesAndValues.length; i += 2) {
      out.append(attribute((String) namesAndValues[i], namesAndValues[i + 1]));
    }
  }

  private void style() {
    Set<BoxKind> boxes = EnumSet.noneOf(BoxKind.class);
    drawing.boxes().forEach(box -> boxes.add(box.kind()));
    Set<WireKind> wires = EnumSet.noneOf(WireKind.class);
    drawing.wires().forEach(wire -> wires.add(wire.kind()));
    out.append("<style>\n").append(SvgStyle.rules("", boxes, wires)).append("</style>\n");
  }

  private void box(Box box) {
    Area area = box.area();
    int index = parts.isPresent() ? drawing.boxes().indexOf(box) : -1;
    out.append("<g").append(parts.flatMap(inline -> inline.boxControl(index)).orElse(""));
    out.append("><rect");
    attributes("class", box.kind(), "x", area.x(), "y", area.y());
    attributes("width", area.width(), "height", area.height(), "rx", 4);
    hint(box.hint(), "rect");
    List<Caption> captions = box.captions();
    for (int i = 0; i < captions.size(); i++) {
      if (i == 1 && parts.isPresent() && parts.get().isChanged(index)) {
        // The script replaces it with texts of other lengths, which stay centred.
        String look = attribute("class", "in") + attribute("text-anchor", "middle");
        text(captions.get(i), look, box.area().centerX(), attribute("data-place", index));
      } else {
        text(captions.get(i), look("in", captions.get(i)), captions.get(i).x(), "");
      }
    }
    out.append("</g>\n");
  }

  private void hint(String hint, String element) {
    if (hint.isEmpty()) {
      out.append("/>");
    } else {
      out.append("><title>").append(escape(hint)).append("</title></").append(element).append('>');
    }
  }

  private void full(Wire wire, String data) {
    path("full", path(wire.points(), false), wire.width() + Palette.FULL_MARGIN, data, "");
  }

  private void wire(int index, Wire wire) {
    String path = path(wire.points(), false);
    String faint = wire.stress() == Stress.FAINT ? " faint" : "";
    boolean isNamed = parts.isPresent() && !wire.hint().isEmpty();
    String data = isNamed ? attribute("data-line", index) : "";
    path("link w" + wire.kind() + faint, path, wire.width(), data, wire.hint());
    flow(wire.points(), wire.flow());
    // A line two pixels wide is hard to hit, so an invisible wider one covers it.
    parts
        .flatMap(inline -> inline.lineControl(index))
        .ifPresent(
            control ->
                path("hit", path, Math.max(MIN_HIT_WIDTH, wire.width()), control, wire.hint()));
    if (parts.isPresent()) {
      for (Flow flow : parts.get().flows(index)) {
        out.append("<g")
            .append(attribute("data-flow", SteppedDrawing.mark(index, flow)))
            .append('>');
        flow(wire.points(), flow);
        out.append("</g>\n");
      }
    }
  }

  private void flow(List<Point> line, Flow flow) {
    if (flow != Flow.NONE) {
      shape("route", path(line, false));
      Arrows.of(line, flow).forEach(head -> shape("head", path(head, true)));
    }
  }

  private void shape(String kind, String path) {
    out.append("<path");
    attributes("class", kind, "d", path);
    out.append("/>\n");
  }

  private void path(String kind, String path, double width, String data, String hint) {
    out.append("<path");
    attributes("class", kind, "d", path, "stroke-width", width);
    out.append(data);
    hint(hint, "path");
    out.append('\n');
  }

  private static String path(List<Point> points, boolean closed) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(path.isEmpty() ? "M" : " L").append(number(point.x())).append(' ');
      path.append(number(point.y()));
    }
    return path + (closed ? "Z" : "");
  }

  private static String look(String kind, Caption caption) {
    return attribute("class", kind + (caption.line().bold() ? " bold" : ""));
  }

  private void text(Caption caption, String look, double x, String data) {
    TextLine line = caption.line();
    out.append("<text").append(look);
    attributes("x", x, "y", caption.y() + line.ascent(), "font-size", line.size());
    out.append(data).append('>').append(escape(line.text())).append("</text>");
  }

  private static String number(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** Escapes a text; characters that XML 1.0 does not allow are replaced. */
  public static String escape(String text) {
    return PlainText.lines(text)
        .replaceAll("[\\ufffe\\uffff]", "?")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
