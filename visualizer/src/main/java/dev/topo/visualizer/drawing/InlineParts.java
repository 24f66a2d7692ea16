package dev.topo.visualizer.drawing;

import dev.topo.visualizer.drawing.MachineControls.Control;
import dev.topo.visualizer.drawing.SteppedDrawing.Step;
import dev.topo.visualizer.drawing.Wire.Flow;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a drawing in a page has in addition to one in a file: ids, the elements that a channel
 * shows, and the elements that a reader can operate.
 *
 * @param id the prefix of all ids
 * @param steps the channels that can be shown
 * @param boxes the boxes that are controls, by index in the drawing
 * @param lines the controls on the first lines, in order
 */
record InlineParts(String id, List<Step> steps, Map<Integer, Control> boxes, List<Control> lines) {
  /** The attributes that name and describe the picture by its title and description. */
  String labelledBy() {
    return " aria-labelledby=\"" + id + "-title\" aria-describedby=\"" + id + "-desc\"";
  }

  /** The ARIA role of the picture; screen readers do not announce the parts of an image. */
  String role() {
    return boxes.isEmpty() ? "img" : "group";
  }

  /** The attributes that make a box a control; empty if it is not one. */
  Optional<String> boxControl(int box) {
    return Optional.ofNullable(boxes.get(box)).map(InlineParts::control);
  }

  /** The attributes that make a line a control; empty if it is not one. */
  Optional<String> lineControl(int line) {
    return lines.stream().skip(line).findFirst().map(InlineParts::control);
  }

  /**
   * The attributes of a control. The script moves the focus among the controls and finds each by
   * its name.
   */
  private static String control(Control part) {
    return " data-part=\"%s\" role=\"%s\" tabindex=\"-1\" aria-label=\"%s\""
        .formatted(
            SvgWriter.escape(part.name()),
            part.hasMenu() ? "button\" aria-haspopup=\"menu" : "img",
            SvgWriter.escape(part.label()));
  }

  /** The directions in which any channel uses a line. */
  Set<Flow> flows(int line) {
    Set<Flow> flows = EnumSet.noneOf(Flow.class);
    steps.forEach(step -> flows.add(step.flows().getOrDefault(line, Flow.NONE)));
    flows.remove(Flow.NONE);
    return flows;
  }

  /** True if a line is full in any graph. */
  boolean isFull(int line) {
    return steps.stream().anyMatch(step -> step.full().contains(line));
  }

  /** True if a channel changes the text of a box. */
  boolean isChanged(int box) {
    return steps.stream().anyMatch(step -> step.places().containsKey(box));
  }
}
