package dev.topo.visualizer.svg;

import dev.topo.visualizer.scene.BoxKind;
import dev.topo.visualizer.scene.Palette;
import dev.topo.visualizer.scene.WireKind;
import java.util.Locale;
import java.util.Set;

/** The style sheet of drawings. */
final class SvgStyle {
  private SvgStyle() {}

  /**
   * The rules.
   *
   * @param scope prefix of each selector; empty if the drawing is a file of its own
   * @param boxes the boxes that there are
   * @param wires the lines that there are
   */
  static String rules(String scope, Set<BoxKind> boxes, Set<WireKind> wires) {
    StringBuilder out = new StringBuilder();
    out.append(scope)
        .append("text{font-family:\"DejaVu Sans\",Verdana,Arial,Helvetica,sans-serif;fill:")
        .append(color(Palette.INK))
        .append("}\n")
        .append(scope)
        .append(".bold{font-weight:bold}\n")
        .append(scope)
        .append(".paper{fill:")
        .append(color(Palette.PAPER))
        .append("}\n")
        .append(String.join(",", scope + ".link", scope + ".full", scope + ".route"))
        .append("{fill:none}\n")
        .append(scope)
        .append(".faint{opacity:.3}\n")
        .append(scope)
        .append(".full{stroke:")
        .append(color(Palette.FULL))
        .append("}\n")
        .append(scope)
        .append(".route{stroke:")
        .append(color(Palette.INK))
        .append(";stroke-width:1.6}\n")
        .append(scope)
        .append(".head{fill:")
        .append(color(Palette.INK))
        .append("}\n");
    for (BoxKind kind : boxes) {
      out.append(scope)
          .append('.')
          .append(kind)
          .append("{fill:")
          .append(color(kind.fill()))
          .append(";stroke:")
          .append(color(kind.border()))
          .append("}\n");
    }
    for (WireKind kind : wires) {
      out.append(scope).append(".w").append(kind).append("{stroke:").append(color(kind.color()));
      if (!kind.dashes().isEmpty()) {
        out.append(";stroke-dasharray:").append(kind.dashes());
      }
      out.append("}\n");
    }
    return out.toString();
  }

  private static String color(int rgb) {
    return String.format(Locale.ROOT, "#%06x", rgb);
  }
}
