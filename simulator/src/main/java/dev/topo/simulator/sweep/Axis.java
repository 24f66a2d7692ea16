package dev.topo.simulator.sweep;

import dev.topo.inspect.edit.Edit;
import dev.topo.model.io.Diagnostic.SourceLocation;
import java.util.List;
import java.util.OptionalInt;

/** A property that a sweep varies: each variant has one value of each axis. */
public sealed interface Axis {
  /** Name of the axis and of its column in the results. */
  String name();

  /**
   * An axis whose values the specification lists.
   *
   * @param values the values; at least one
   */
  record Listed(String name, List<Value> values) implements Axis {
    public Listed {
      values = List.copyOf(values);
    }
  }

  /**
   * An axis whose values are the placements of a machine's network cards. The edits of the axes
   * before this one apply first; of placements that are equal by symmetry, only one counts.
   *
   * @param most largest number of placements; those that move the fewest cards are taken
   * @param perSwitch most cards at one switch; empty for 2, or more if a switch already has more
   */
  record Placements(String name, int most, OptionalInt perSwitch, SourceLocation location)
      implements Axis {}

  /**
   * A value of an axis.
   *
   * @param edits changes of the machine; empty to leave it as it is
   */
  record Value(String name, List<Edit> edits) {
    public Value {
      edits = List.copyOf(edits);
    }
  }
}
