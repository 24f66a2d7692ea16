package dev.topo.hw.run;

import java.util.List;
import java.util.Optional;

/**
 * Run of one process.
 *
 * @param timeLimitSeconds limit for a collective without progress; 0 for none
 * @param corruption element to corrupt, to test the check
 * @param comparison variants to measure alternately
 * @param replay calls of a job to replay instead of {@code calls}
 * @param memory calls whose memory to measure instead of {@code calls}
 */
public record RunRequest(
    RunCalls calls,
    Repetition repetition,
    Reporting reporting,
    ProcessLayout use,
    int timeLimitSeconds,
    Optional<Corruption> corruption,
    AlternatingRun comparison,
    Optional<ReplayPlan> replay,
    Optional<MemoryPlan> memory) {
  public RunRequest {
    if (timeLimitSeconds < 0) {
      throw new IllegalArgumentException(
          "time limit " + timeLimitSeconds + ": expected seconds, or 0 for none");
    }
    boolean graph = repetition.graphLaunches() > 0;
    if (graph && (reporting.iterations() || use.defaultStream())) {
      throw new IllegalArgumentException(
          "-G with -I or -y: a CUDA graph has no times of iterations and no default stream");
    }
    if (graph && repetition.blocking() == Blocking.EACH_ITERATION_AND_MEET) {
      throw new IllegalArgumentException(
          "-G with -z 3: a CUDA graph has no end of an iteration to wait for");
    }
    if (reporting.skippedIterations() >= repetition.iterations()) {
      throw new IllegalArgumentException(
          "-K %s: expected fewer than the %s iterations of -n"
              .formatted(reporting.skippedIterations(), repetition.iterations()));
    }
    if (calls.collectives().contains(RunCollective.HYPERCUBE)
        && (use.gpusPerThread() > 1 || repetition.aggregated() > 1)) {
      throw new IllegalArgumentException(
          "hypercube: expected -g 1 (use -t) and -m 1: NCCL runs the calls of a group at the same"
              + " time, and each exchange needs the data of the previous one");
    }
  }

  /** Run without a comparison. */
  public static RunRequest of(
      RunCalls calls,
      Repetition repetition,
      Reporting reporting,
      ProcessLayout use,
      int timeLimitSeconds,
      Optional<Corruption> corruption) {
    return new RunRequest(
        calls,
        repetition,
        reporting,
        use,
        timeLimitSeconds,
        corruption,
        AlternatingRun.NONE,
        Optional.empty(),
        Optional.empty());
  }

  public RunRequest withCalls(RunCalls newCalls) {
    return new RunRequest(
        newCalls,
        repetition,
        reporting,
        use,
        timeLimitSeconds,
        corruption,
        comparison,
        replay,
        memory);
  }

  public RunRequest withRepetition(Repetition newRepetition) {
    return new RunRequest(
        calls,
        newRepetition,
        reporting,
        use,
        timeLimitSeconds,
        corruption,
        comparison,
        replay,
        memory);
  }

  public RunRequest withComparison(AlternatingRun newComparison) {
    return new RunRequest(
        calls,
        repetition,
        reporting,
        use,
        timeLimitSeconds,
        corruption,
        newComparison,
        replay,
        memory);
  }

  /** Replay of a job's calls; each process drives one GPU, as with frameworks. */
  public static RunRequest of(ReplayPlan plan, int timeLimitSeconds) {
    return ofProcesses(plan.bufferBytes(), timeLimitSeconds, Optional.of(plan), Optional.empty());
  }

  /** Measurement of memory; each process drives one GPU. */
  public static RunRequest of(MemoryPlan plan, int timeLimitSeconds) {
    return ofProcesses(plan.bufferBytes(), timeLimitSeconds, Optional.empty(), Optional.of(plan));
  }

  private static RunRequest ofProcesses(
      long bufferBytes,
      int timeLimitSeconds,
      Optional<ReplayPlan> replay,
      Optional<MemoryPlan> memory) {
    return new RunRequest(
        RunCalls.ofFloatSums(
            List.of(RunCollective.ALL_REDUCE), new SizeSweep(bufferBytes, bufferBytes, 0, 2)),
        Repetition.DEFAULTS,
        Reporting.DEFAULTS,
        ProcessLayout.ofOneThread(1),
        timeLimitSeconds,
        Optional.empty(),
        AlternatingRun.NONE,
        replay,
        memory);
  }
}
