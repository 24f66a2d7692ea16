package dev.topo.visualizer.drawing;

import java.util.List;

/**
 * A box with centered lines of text.
 *
 * @param kind the kind of device it shows
 * @param area its area
 * @param lines its text
 * @param hint its tooltip
 */
public record Box(BoxKind kind, Area area, List<TextLine> lines, String hint) {
  public Box {
    lines = List.copyOf(lines);
  }

  /** Returns its lines as captions with their positions. */
  public List<Caption> captions() {
    double height = TextBlock.boxHeight(lines);
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
