package dev.topo.hw.run;

/**
 * Repetitions of a size.
 *
 * @param iterations measured iterations, at least 1
 * @param aggregated calls of one iteration, in one group, at least 1
 * @param warmUps calls of each size before the measured ones
 * @param cycles number of passes over all sizes; 0 for no end
 * @param checks number of checks of a result; 0 for none
 * @param graphLaunches number of launches of the iterations as one CUDA graph; 0 for no graph
 */
public record Repetition(
    int iterations,
    int aggregated,
    int warmUps,
    int cycles,
    int checks,
    Blocking blocking,
    int graphLaunches) {
  /** Defaults of nccl-tests. */
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

  /** Single checked call without warm-up. */
  public static Repetition once() {
    return new Repetition(1, 1, 0, 1, 1, Blocking.NONE, 0);
  }
}
