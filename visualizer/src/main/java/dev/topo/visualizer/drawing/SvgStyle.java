package dev.topo.visualizer.drawing;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The style sheet of drawings. */
final class SvgStyle {
  private SvgStyle() {}

  /**
   * The rules.
   *
   * @param scope prefix of each selector; empty if the drawing is a file of its own
   * @param boxes the kinds of boxes in the drawing
   * @param wires the kinds of lines in the drawing
   */
  static String rules(String scope, Set<BoxKind> boxes, Set<WireKind> wires) {
    String ink = color(Palette.INK);
    List<String> rules = new ArrayList<>();
    rules.add(
        "text{font-family:\"DejaVu Sans\",Verdana,Arial,Helvetica,sans-serif;fill:" + ink + "}");
    rules.add(".bold{font-weight:bold}");
    rules.add(".paper{fill:" + color(Palette.PAPER) + "}");
    rules.add(".link," + scope + ".full," + scope + ".route{fill:none}");
    rules.add(".faint{opacity:.3}");
    rules.add(".full{stroke:" + color(Palette.FULL) + "}");
    rules.add(".route{stroke:" + ink + ";stroke-width:1.6}");
    rules.add(".head{fill:" + ink + "}");
    for (BoxKind kind : boxes) {
      rules.add(".%s{fill:%s;stroke:%s}".formatted(kind, color(kind.fill()), color(kind.border())));
    }
    for (WireKind kind : wires) {
      String dashes = kind.dashes().isEmpty() ? "" : ";stroke-dasharray:" + kind.dashes();
      rules.add(".w%s{stroke:%s%s}".formatted(kind, color(kind.color()), dashes));
    }
    return QuantityFormat.joined("", rules, rule -> scope + rule + "\n");
  }

  private static String color(int rgb) {
    return TextWriter.format("#%06x", rgb);
  }
}
