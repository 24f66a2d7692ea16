package dev.topo.hw.run;

/**
 * The repetitions of a size.
 *
 * @param iterations measured iterations, at least 1
 * @param aggregated calls in one iteration, in one group, at least 1
 * @param warmUps calls of each size before the first is measured
 * @param cycles how often the whole list of sizes is measured; 0 is forever
 * @param checks how often a result is checked; 0 is never
 * @param graphLaunches how often the iterations are launched as one CUDA graph; 0 is without one
 */
public record Repetition(
    int iterations,
    int aggregated,
    int warmUps,
    int cycles,
    int checks,
    Blocking blocking,
    int graphLaunches) {
  /** The defaults of nccl-tests. */
  public static final Repetition DEFAULTS = new Repetition(20, 1, 1, 1, 1, Blocking.NONE, 0);

  public Repetition {
    if (iterations < 1 || aggregated < 1) {
      throw new IllegalArgumentException("iterations and calls in one: expected at least 1");
    }
    if (warmUps < 0 || cycles < 0 || checks < 0 || graphLaunches < 0) {
      throw new IllegalArgumentException(
          "warm-ups, cycles, checks and launches: expected 0 or more");
    }
  }

  /** A single call, not warmed up, and checked. */
  public static Repetition once() {
    return new Repetition(1, 1, 0, 1, 1, Blocking.NONE, 0);
  }
}
