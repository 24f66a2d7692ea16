package dev.topo.simulator.diagnosis;

import dev.topo.model.io.SpecField.SpecText;
import java.util.List;
import java.util.Optional;

/**
 * Causes of some measurements.
 *
 * @param verdict verdict on the measurements
 * @param summary reason for the verdict, in a sentence
 * @param basis basis of the diagnosis: machine, assumptions, files
 * @param causes possible causes, most likely first; empty if all is as expected
 * @param reached call that shows best how fast the run is; empty if no times are measured or
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

  /** Diagnosis without a time to show. */
  Diagnosis(Health verdict, String summary, List<SpecText> basis, List<Cause> causes) {
    this(verdict, summary, basis, causes, Optional.empty());
  }

  /** This diagnosis with another verdict; it shows no time as reached. */
  Diagnosis with(Health other, String why) {
    return new Diagnosis(other, why, basis, causes);
  }

  Diagnosis withReached(Optional<ReachedSpeed> speed) {
    return new Diagnosis(verdict, summary, basis, causes, speed);
  }
}
