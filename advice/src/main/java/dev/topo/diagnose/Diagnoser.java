package dev.topo.diagnose;

import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.List;
import java.util.function.Function;

/** Finds the causes of a bad measurement. */
public final class Diagnoser {
  private final Function<NcclProfile, JobEvaluator> evaluators;

  /** A diagnoser with an evaluator for each release. */
  public Diagnoser(Function<NcclProfile, JobEvaluator> evaluators) {
    this.evaluators = evaluators;
  }

  /** A diagnoser that shows no progress. */
  public Diagnoser() {
    this(JobEvaluator::new);
  }

  /** Diagnoses measurements, a log, or both. */
  public Diagnosis diagnose(DiagnosisInput input) {
    return new Diagnosis(Verdict.UNDECIDED, "nothing to compare with", List.of(), List.of());
  }
}
