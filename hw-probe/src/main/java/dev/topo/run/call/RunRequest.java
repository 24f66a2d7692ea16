package dev.topo.run.call;

import java.util.Optional;

/**
 * The run of one process.
 *
 * @param timeLimitSeconds a collective without progress is ended after this time; 0 is never
 * @param corruption an element to corrupt, to test the check
 */
public record RunRequest(
    RunCalls calls,
    Repetition repetition,
    Reporting reporting,
    ProcessLayout use,
    int timeLimitSeconds,
    Optional<Corruption> corruption) {
  public RunRequest {
    if (timeLimitSeconds < 0) {
      throw new IllegalArgumentException(
          "time limit " + timeLimitSeconds + ": expected seconds, or 0 for none");
    }
  }

  public RunRequest withCalls(RunCalls newCalls) {
    return new RunRequest(newCalls, repetition, reporting, use, timeLimitSeconds, corruption);
  }

  public RunRequest withRepetition(Repetition newRepetition) {
    return new RunRequest(calls, newRepetition, reporting, use, timeLimitSeconds, corruption);
  }
}
