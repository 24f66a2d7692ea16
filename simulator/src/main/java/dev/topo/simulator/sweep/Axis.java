package dev.topo.simulator.sweep;

import dev.topo.inspect.edit.Edit;
import dev.topo.model.io.Diagnostic.SourceLocation;
import java.util.List;
import java.util.OptionalInt;

/** Something that is varied: each variant of a sweep has one value of each axis. */
public sealed interface Axis {
  /** Its name, which is also that of a column of the results. */
  String name();

  /**
   * Values that are written in the specification.
   *
   * @param values at least one
   */
  record Listed(String name, List<Value> values) implements Axis {
    public Listed {
      values = List.copyOf(values);
    }
  }

  /**
   * The placements of the network cards of a machine, after the edits of the axes before this one;
   * those that are equal by symmetry once.
   *
   * @param most most placements, those that move the fewest cards first
   * @param perSwitch most cards at one switch; empty for 2, or as many as one has now
   */
  record Placements(String name, int most, OptionalInt perSwitch, SourceLocation location)
      implements Axis {}

  /**
   * A value.
   *
   * @param edits what it changes; none for the machine as it is
   */
  record Value(String name, List<Edit> edits) {
    public Value {
      edits = List.copyOf(edits);
    }
  }
}
