package dev.topo.visualizer.drawing;

import java.util.Map;
import java.util.Optional;

/**
 * The names of the parts of a drawing that a reader can operate.
 *
 * @param boxes the name of a box by its place in the drawing
 * @param lines the name of a line by its place in the drawing
 */
record PartNames(Map<Integer, String> boxes, Map<Integer, String> lines) {
  PartNames {
    boxes = Map.copyOf(boxes);
    lines = Map.copyOf(lines);
  }

  Optional<String> ofBox(int place) {
    return Optional.ofNullable(boxes.get(place)).map(PartNames::control);
  }

  Optional<String> ofLine(int place) {
    return Optional.ofNullable(lines.get(place)).map(PartNames::control);
  }

  /** The page moves the focus among the parts, and knows each by its name. */
  private static String control(String name) {
    return " data-part=\"%s\" role=\"button\" tabindex=\"-1\" aria-haspopup=\"menu\""
        .formatted(SvgWriter.escape(name));
  }
}
