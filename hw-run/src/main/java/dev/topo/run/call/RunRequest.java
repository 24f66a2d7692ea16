package dev.topo.run.call;

import java.util.Optional;

/**
 * The run of one process.
 *
 * @param timeLimitSeconds a collective without progress is ended after this time; 0 is never
 * @param corruption an element to corrupt, to test the check
 * @param comparison the variants that are measured in turns
 */
public record RunRequest(
    RunCalls calls,
    Repetition repetition,
    Reporting reporting,
    ProcessLayout use,
    int timeLimitSeconds,
    Optional<Corruption> corruption,
    Comparison comparison) {
  public RunRequest {
    if (timeLimitSeconds < 0) {
      throw new IllegalArgumentException(
          "time limit " + timeLimitSeconds + ": expected seconds, or 0 for none");
    }
  }

  /** A run without a comparison. */
  public static RunRequest of(
      RunCalls calls,
      Repetition repetition,
      Reporting reporting,
      ProcessLayout use,
      int timeLimitSeconds,
      Optional<Corruption> corruption) {
    return new RunRequest(
        calls, repetition, reporting, use, timeLimitSeconds, corruption, Comparison.NONE);
  }

  public RunRequest withCalls(RunCalls newCalls) {
    return new RunRequest(
        newCalls, repetition, reporting, use, timeLimitSeconds, corruption, comparison);
  }

  public RunRequest withRepetition(Repetition newRepetition) {
    return new RunRequest(
        calls, newRepetition, reporting, use, timeLimitSeconds, corruption, comparison);
  }

  public RunRequest withComparison(Comparison newComparison) {
    return new RunRequest(
        calls, repetition, reporting, use, timeLimitSeconds, corruption, newComparison);
  }
}
