package dev.topo.visualizer.drawing;

import dev.topo.visualizer.drawing.MachineControls.Control;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of a drawing that a reader can reach.
 *
 * @param boxes those that are boxes, by their places in the drawing
 * @param lines those that are lines, by their places in the drawing
 */
record PartNames(Map<Integer, Control> boxes, Map<Integer, Control> lines) {
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
  private static String control(Control part) {
    return " data-part=\"%s\" role=\"%s\" tabindex=\"-1\" aria-label=\"%s\""
        .formatted(
            SvgWriter.escape(part.name()),
            part.hasMenu() ? "button\" aria-haspopup=\"menu" : "img",
            SvgWriter.escape(part.label()));
  }
}
