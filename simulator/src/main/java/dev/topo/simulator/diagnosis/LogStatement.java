package dev.topo.simulator.diagnosis;

import java.util.List;

/**
 * A line that states facts about a run.
 *
 * @param place file and line: {@code nccl.log:12}
 * @param text the part of the line that matches
 * @param values the values in the line, in the order that {@link LineKind} documents; an absent
 *     value is empty
 */
record LogStatement(String place, String text, List<String> values) {
  LogStatement {
    values = List.copyOf(values);
  }

  /** Value at an index. */
  String value(int at) {
    return values.get(at);
  }

  /** Value at an index, as a whole number. */
  int number(int at) {
    return Integer.parseInt(values.get(at));
  }

  /** This line as evidence. */
  Evidence evidence() {
    return new Evidence(place, text);
  }
}
