package dev.topo.simulator.sweep;

import dev.topo.inspect.edit.Edit;
import dev.topo.inspect.edit.EditSet;
import dev.topo.simulator.sweep.SweepSpec.MachineFile;
import java.util.ArrayList;
import java.util.List;

/**
 * A machine with one value of each axis.
 *
 * @param machine the machine before edits
 * @param values names of the values, in the order of the axes
 * @param edits edits of all values
 */
record Design(MachineFile machine, List<String> values, List<Edit> edits) {
  Design {
    values = List.copyOf(values);
    edits = List.copyOf(edits);
  }

  /** The edits as one line, which {@code topo whatif} reads. */
  String text() {
    return new EditSet("", edits).text();
  }

  /** This design with a value of the next axis. */
  Design with(String value, List<? extends Edit> more) {
    List<String> allValues = new ArrayList<>(values);
    allValues.add(value);
    List<Edit> allEdits = new ArrayList<>(edits);
    allEdits.addAll(more);
    return new Design(machine, allValues, allEdits);
  }
}
