package dev.topo.visualizer.drawing;

import dev.topo.visualizer.drawing.SteppedDrawing.Step;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The additions to a drawing in a page against one in a file: ids, and the parts that a channel
 * shows.
 *
 * @param id begins the ids
 * @param steps the channels
 */
record InlineParts(String id, List<Step> steps) {
  /** The attributes that make title and description the name of the picture. */
  String labelledBy() {
    return " aria-labelledby=\"" + id + "-title\" aria-describedby=\"" + id + "-desc\"";
  }

  /** The directions in which any channel uses a line. */
  Set<Wire.Flow> flows(int line) {
    Set<Wire.Flow> flows = EnumSet.noneOf(Wire.Flow.class);
    steps.forEach(step -> flows.add(step.flows().getOrDefault(line, Wire.Flow.NONE)));
    flows.remove(Wire.Flow.NONE);
    return flows;
  }

  /** Whether a line is full in any graph. */
  boolean isFull(int line) {
    return steps.stream().anyMatch(step -> step.full().contains(line));
  }

  /** Whether a channel changes the text of a box. */
  boolean isChanged(int box) {
    return steps.stream().anyMatch(step -> step.places().containsKey(box));
  }
}
