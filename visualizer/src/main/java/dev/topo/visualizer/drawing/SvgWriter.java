package dev.topo.visualizer.drawing;

import dev.topo.model.io.PlainText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a drawing as SVG 1.1 with its style inside, so that it looks the same in a browser, in a
 * document and pasted into a page. Title and description are there for those who cannot see it; a
 * pointer on a part shows more. The same drawing gives the same bytes.
 */
public final class SvgWriter {
  /** The width in pixels in which a line can be pointed at. */
  private static final double HIT = 9;

  private final Drawing drawing;
  private final Optional<InlineParts> parts;
  private final StringBuilder out = new StringBuilder();

  private SvgWriter(Drawing drawing, Optional<InlineParts> parts) {
    this.drawing = drawing;
    this.parts = parts;
  }

  /** The drawing as a document. */
  public static String write(Drawing drawing) {
    SvgWriter writer = new SvgWriter(drawing, Optional.empty());
    writer.document();
    return writer.out.toString();
  }

  /**
   * The drawing as a part of an HTML page, without a style of its own: {@link #pageStyle} has it.
   * The drawing, with all that a channel changes in it and hidden: {@code data-flow} on the arrows
   * on a line ({@code 3f}, {@code 3b} or {@code 3x} for forward, backward and both on line 3),
   * {@code data-full} on the mark of a full line, {@code data-line} on a line, {@code data-place}
   * on the second text of a box.
   *
   * @param id begins the ids in it, so that a page can hold several drawings
   */
  public static String inline(SteppedDrawing drawing, String id) {
    SvgWriter writer =
        new SvgWriter(
            drawing.drawing(), Optional.of(new InlineParts(id, drawing.steps(), Optional.empty())));
    writer.document();
    return writer.out.toString();
  }

  /**
   * The drawing as a part of an HTML page, as {@link #inline} without channels, in which parts with
   * names are controls.
   *
   * @param id begins the ids in it
   */
  static String operable(Drawing drawing, String id, PartNames names) {
    SvgWriter writer =
        new SvgWriter(drawing, Optional.of(new InlineParts(id, List.of(), Optional.of(names))));
    writer.document();
    return writer.out.toString();
  }

  /**
   * The style of drawings in a page.
   *
   * @param scope the class of the drawings in it
   */
  public static String pageStyle(String scope) {
    return SvgStyle.rules(
        "." + scope + " ", EnumSet.allOf(BoxKind.class), EnumSet.allOf(WireKind.class));
  }

  private void document() {
    String width = number(drawing.width());
    String height = number(drawing.height());
    out.append("<svg xmlns=\"http://www.w3.org/2000/svg\"").append(attribute("width", width));
    out.append(attribute("height", height));
    out.append(attribute("viewBox", "0 0 " + width + " " + height));
    out.append(attribute("role", parts.map(InlineParts::role).orElse("img")));
    parts.ifPresent(inline -> out.append(inline.labelledBy()));
    out.append(">\n<title").append(id("title")).append('>');
    out.append(escape(drawing.title())).append("</title>\n<desc").append(id("desc")).append('>');
    out.append(escape(drawing.description())).append("</desc>\n");
    if (parts.isEmpty()) {
      style();
    }
    out.append("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    drawing.boxes().stream().filter(box -> box.kind().isBackground()).forEach(this::box);
    // First, so that the mark of one link does not cover another.
    drawing.wires().stream().filter(w -> w.stress() == Wire.Stress.FULL).forEach(w -> full(w, ""));
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
    out.append("</svg>\n");
  }

  private String id(String part) {
    return parts.map(inline -> attribute("id", inline.id() + "-" + part)).orElse("");
  }

  private static String attribute(String name, Object value) {
    return " " + name + "=\"" + value + "\"";
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
    int place = parts.isPresent() ? drawing.boxes().indexOf(box) : -1;
    out.append("<g").append(parts.flatMap(inline -> inline.boxControl(place)).orElse(""));
    out.append("><rect").append(attribute("class", box.kind()));
    out.append(attribute("x", number(area.x()))).append(attribute("y", number(area.y())));
    out.append(attribute("width", number(area.width())));
    out.append(attribute("height", number(area.height()))).append(attribute("rx", 4));
    hint(box.hint(), "rect");
    List<Caption> captions = box.captions();
    for (int i = 0; i < captions.size(); i++) {
      if (i == 1 && parts.isPresent() && parts.get().isChanged(place)) {
        // Of another length where it is replaced: it stays in the middle.
        String look = attribute("class", "in") + attribute("text-anchor", "middle");
        text(captions.get(i), look, box.area().centerX(), attribute("data-place", place));
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

  private void wire(int place, Wire wire) {
    String path = path(wire.points(), false);
    String faint = wire.stress() == Wire.Stress.FAINT ? " faint" : "";
    boolean isNamed = parts.isPresent() && !wire.hint().isEmpty();
    String data = isNamed ? attribute("data-line", place) : "";
    path("link w" + wire.kind() + faint, path, wire.width(), data, wire.hint());
    flow(wire.points(), wire.flow());
    // A line of two pixels is hard to hit: an invisible one on it is wide enough.
    parts
        .flatMap(inline -> inline.lineControl(place))
        .ifPresent(control -> path("hit", path, Math.max(HIT, wire.width()), control, wire.hint()));
    if (parts.isPresent()) {
      for (Wire.Flow flow : parts.get().flows(place)) {
        out.append("<g data-flow=\"").append(SteppedDrawing.mark(place, flow)).append("\">");
        flow(wire.points(), flow);
        out.append("</g>\n");
      }
    }
  }

  private void flow(List<Point> line, Wire.Flow flow) {
    if (flow != Wire.Flow.NONE) {
      shape("route", path(line, false));
      Arrows.of(line, flow).forEach(head -> shape("head", path(head, true)));
    }
  }

  private void shape(String kind, String path) {
    out.append("<path").append(attribute("class", kind)).append(attribute("d", path));
    out.append("/>\n");
  }

  private void path(String kind, String path, double width, String data, String hint) {
    out.append("<path").append(attribute("class", kind)).append(attribute("d", path));
    out.append(attribute("stroke-width", number(width))).append(data);
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
    out.append("<text").append(look).append(attribute("x", number(x)));
    out.append(attribute("y", number(caption.y() + caption.line().ascent())));
    out.append(attribute("font-size", number(caption.line().size()))).append(data).append('>');
    out.append(escape(caption.line().text())).append("</text>");
  }

  private static String number(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** Also replaces characters that XML 1.0 does not allow. */
  static String escape(String text) {
    return PlainText.lines(text)
        .replaceAll("[\\ufffe\\uffff]", "?")
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
