package dev.topo.simulator.diagnosis;

import java.util.List;

/**
 * Cause that the log or the settings state.
 *
 * @param kind kind of cause
 * @param detail the case in words
 * @param evidence the lines that state it
 * @param edits its changes of the healthy job, in the language of {@code topo whatif}; empty if
 *     unknown
 */
record Stated(CauseKind kind, String detail, List<Evidence> evidence, String edits) {
  Stated {
    evidence = List.copyOf(evidence);
  }
}
