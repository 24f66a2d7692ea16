package dev.topo.visualizer.drawing;

import dev.topo.visualizer.drawing.SteppedDrawing.Step;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The additions to a drawing in a page against one in a file: ids, and the parts that a channel
 * shows.
 *
 * @param id begins the ids
 * @param steps the channels
 * @param controls the parts that a reader can operate
 */
record InlineParts(String id, List<Step> steps, Optional<PartNames> controls) {
  /** The attributes that make title and description the name of the picture. */
  String labelledBy() {
    return " aria-labelledby=\"" + id + "-title\" aria-describedby=\"" + id + "-desc\"";
  }

  /** The role of the picture: parts of an image are not known to who cannot see them. */
  String role() {
    return controls.isPresent() ? "group" : "img";
  }

  /** The attributes that make a box a control; empty where it is none. */
  Optional<String> boxControl(int box) {
    return controls.flatMap(names -> names.ofBox(box));
  }

  /** The attributes that make a line a control; empty where it is none. */
  Optional<String> lineControl(int line) {
    return controls.flatMap(names -> names.ofLine(line));
  }

  /** The directions in which any channel uses a line. */
  Set<Wire.Flow> flows(int line) {
    Set<Wire.Flow> flows = EnumSet.noneOf(Wire.Flow.class);
    steps.forEach(step -> flows.add(step.flows().getOrDefault(line, Wire.Flow.NONE)));
    flows.remove(Wire.Flow.NONE);
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
