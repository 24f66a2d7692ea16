package dev.topo.simulator.diagnosis;

import java.util.List;

/**
 * A line that says something about a run.
 *
 * @param place file and line: {@code nccl.log:12}
 * @param text what was found
 * @param values the values in it, in the order of {@link LineKind}; an absent one is empty
 */
record LogStatement(String place, String text, List<String> values) {
  public LogStatement {
    values = List.copyOf(values);
  }

  /** A value. */
  public String value(int at) {
    return values.get(at);
  }

  /** A whole number among the values. */
  public int number(int at) {
    return Integer.parseInt(values.get(at));
  }

  /** The line as evidence. */
  public Evidence evidence() {
    return new Evidence(place, text);
  }
}
