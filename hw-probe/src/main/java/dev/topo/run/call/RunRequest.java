package dev.topo.run.call;

import java.util.Optional;

/**
 * What one process is to run.
 *
 * @param reporting what is made of the measurements
 * @param timeLimitSeconds after this time without progress a collective is ended; 0 is never
 * @param corruption what is falsified, to try the check
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
