package dev.topo.simulator.diagnosis;

import java.util.List;

/**
 * A cause that the log or the settings state.
 *
 * @param kind kind of cause
 * @param detail the case in words
 * @param evidence the lines that state it
 * @param edits edits that give the healthy job this fault, in the language of {@code topo whatif};
 *     empty if unknown
 */
record Stated(CauseKind kind, String detail, List<Evidence> evidence, String edits) {
  Stated {
    evidence = List.copyOf(evidence);
  }
}
