package dev.topo.simulator.diagnosis;

import java.util.List;

/**
 * A cause that the log or the settings state.
 *
 * @param kind what it is
 * @param detail the case in words
 * @param evidence the lines
 * @param edits what it changes in the job as it should be, in the language of {@code topo whatif};
 *     empty if that is not known
 */
record Stated(CauseKind kind, String detail, List<Evidence> evidence, String edits) {
  public Stated {
    evidence = List.copyOf(evidence);
  }
}
