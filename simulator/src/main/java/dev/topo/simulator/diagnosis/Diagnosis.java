package dev.topo.simulator.diagnosis;

import dev.topo.model.io.SpecField.SpecText;
import java.util.List;
import java.util.Optional;

/**
 * The causes of some measurements.
 *
 * @param verdict whether they are as they should be
 * @param summary why, in a sentence
 * @param basis what the diagnosis rests on: the machine, assumptions, files
 * @param causes possible causes, the most likely first; none if all is as expected
 * @param reached the call that shows best how fast the run is; empty where no times are measured or
 *     predicted
 */
public record Diagnosis(
    Health verdict,
    String summary,
    List<SpecText> basis,
    List<Cause> causes,
    Optional<ReachedSpeed> reached) {
  public Diagnosis {
    basis = List.copyOf(basis);
    causes = List.copyOf(causes);
  }

  /** One without a time to show. */
  Diagnosis(Health verdict, String summary, List<SpecText> basis, List<Cause> causes) {
    this(verdict, summary, basis, causes, Optional.empty());
  }

  Diagnosis showing(Optional<ReachedSpeed> speed) {
    return new Diagnosis(verdict, summary, basis, causes, speed);
  }
}
