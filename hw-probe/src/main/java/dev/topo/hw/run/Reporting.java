package dev.topo.hw.run;

/**
 * The parts of a report.
 *
 * @param average how the times of all processes are combined
 * @param cpuTime whether to report the host's time to queue the calls
 * @param estimates whether to report NCCL's own estimate
 * @param memory whether to report GPU memory usage
 * @param iterations whether to report the times of single iterations, measured by CUDA events
 * @param skippedIterations the first iterations that the summary of these times leaves out
 */
public record Reporting(
    Average average,
    boolean cpuTime,
    boolean estimates,
    boolean memory,
    boolean iterations,
    int skippedIterations) {
  /** The defaults of nccl-tests. */
  public static final Reporting DEFAULTS =
      new Reporting(Average.MEAN, false, false, false, false, 0);

  public Reporting {
    if (skippedIterations < 0 || skippedIterations > 0 && !iterations) {
      throw new IllegalArgumentException(
          "-K %d: expected 0, or more with -I 1".formatted(skippedIterations));
    }
  }
}
