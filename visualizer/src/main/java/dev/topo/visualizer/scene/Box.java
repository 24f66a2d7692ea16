package dev.topo.visualizer.scene;

import java.util.List;
import java.util.Objects;

/**
 * A box with lines of text in its middle.
 *
 * @param kind what it stands for
 * @param area where it is
 * @param lines its text
 * @param hint more about it, shown when a pointer rests on it
 */
public record Box(BoxKind kind, Area area, List<TextLine> lines, String hint) {
  /** Copies the lines. */
  public Box {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(area, "area");
    Objects.requireNonNull(hint, "hint");
    lines = List.copyOf(lines);
  }

  /** Its text as captions with their places. */
  public List<Caption> captions() {
    double height = lines.stream().mapToDouble(TextLine::height).sum();
    double[] y = {area.centerY() - height / 2};
    return lines.stream()
        .map(
            line -> {
              Caption caption = Caption.centered(line, area.centerX(), y[0]);
              y[0] += line.height();
              return caption;
            })
        .toList();
  }
}
