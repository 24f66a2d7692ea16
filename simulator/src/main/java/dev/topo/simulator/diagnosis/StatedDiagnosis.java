package dev.topo.simulator.diagnosis;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField.SpecText;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Diagnoses a run from the statements of its log and settings alone. */
final class StatedDiagnosis {
  private StatedDiagnosis() {}

  static Diagnosis withoutJob(List<Stated> stated, List<SpecText> basis) {
    return stated.isEmpty()
        ? new Diagnosis(
            Health.UNDECIDED,
            "the log states none of the known faults, and there is no machine to predict times for",
            basis,
            List.of())
        : new Diagnosis(
            Health.FAULT,
            QuantityFormat.joined("; ", stated, Stated::detail),
            basis,
            stated.stream().map(cause -> cause(cause, List.of())).toList());
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
