package dev.topo.visualizer.drawing;

import dev.topo.visualizer.drawing.Wire.Flow;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A picture on which one channel after another can be shown.
 *
 * @param drawing the picture without any channel
 * @param steps the changes that show each channel
 */
public record SteppedDrawing(Drawing drawing, List<Step> steps) {
  public SteppedDrawing {
    steps = List.copyOf(steps);
  }

  /**
   * Returns the name of the arrows on a line: {@code 3f} forward, {@code 3b} backward, {@code 3x}
   * both.
   */
  public static String mark(int line, Flow flow) {
    return switch (flow) {
      case NONE -> String.valueOf(line);
      case FORWARD -> line + "f";
      case BACKWARD -> line + "b";
      case BOTH -> line + "x";
    };
  }

  /**
   * A channel on the picture.
   *
   * @param route its route as text
   * @param flows its directions on the lines that it uses, by their index in the picture
   * @param full the lines that are full
   * @param places the second line of text of boxes during the step, by box index
   */
  public record Step(
      String route, Map<Integer, Flow> flows, List<Integer> full, Map<Integer, String> places) {
    /** Copies the collections, sorted by index. */
    public Step {
      flows = Collections.unmodifiableMap(new TreeMap<>(flows));
      full = List.copyOf(full);
      places = Collections.unmodifiableMap(new TreeMap<>(places));
    }

    /** The names of its arrows. */
    public List<String> marks() {
      return flows.entrySet().stream().map(e -> mark(e.getKey(), e.getValue())).toList();
    }
  }
}
