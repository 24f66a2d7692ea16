package dev.topo.diagnose;

import dev.topo.diagnose.cause.Cause;
import dev.topo.diagnose.cause.Certainty;
import dev.topo.diagnose.cause.Confirmation;
import dev.topo.diagnose.cause.Evidence;
import dev.topo.diagnose.stated.Stated;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Makes causes of what the log states, where no times can be predicted. */
final class Findings {
  private Findings() {}

  static Diagnosis withoutJob(List<Stated> stated, List<String> basis) {
    return stated.isEmpty()
        ? new Diagnosis(
            Verdict.UNDECIDED,
            "the log states none of the known faults, and there is no machine to predict times for",
            basis,
            List.of())
        : new Diagnosis(
            Verdict.FAULT,
            stated.stream().map(Stated::detail).collect(Collectors.joining("; ")),
            basis,
            stated.stream().map(one -> cause(one, List.of())).toList());
  }

  static Cause cause(Stated stated, List<Evidence> more) {
    List<Evidence> evidence = new ArrayList<>(stated.evidence());
    evidence.addAll(more);
    return new Cause(
        stated.kind(),
        Certainty.STATED,
        stated.detail(),
        OptionalDouble.empty(),
        evidence,
        Confirmation.of(stated.kind()));
  }
}
