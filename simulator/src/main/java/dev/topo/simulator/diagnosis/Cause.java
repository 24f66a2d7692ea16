package dev.topo.simulator.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Possible cause of a bad measurement.
 *
 * @param kind what it is, from the list of causes
 * @param certainty how firmly it is established: stated by the log, or inferred from times
 * @param detail the case in words: {@code 1 of 8 NICs}
 * @param share probability among all causes that fit the times; empty if it rests on the log or the
 *     settings alone
 * @param evidence observations that point to it
 * @param confirm commands and settings that would confirm or refute it
 */
public record Cause(
    CauseKind kind,
    Certainty certainty,
    String detail,
    OptionalDouble share,
    List<Evidence> evidence,
    List<String> confirm) {
  public Cause {
    evidence = List.copyOf(evidence);
    confirm = List.copyOf(confirm);
  }

  /** This cause with more evidence. */
  Cause with(Evidence more) {
    List<Evidence> all = new ArrayList<>(evidence);
    all.add(more);
    return new Cause(kind, certainty, detail, share, all, confirm);
  }
}
