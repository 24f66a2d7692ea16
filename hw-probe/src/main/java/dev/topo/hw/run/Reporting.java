package dev.topo.hw.run;

/**
 * Parts of a report.
 *
 * @param average combination of the times of all processes
 * @param cpuTime whether to report the host's time to queue the calls
 * @param estimates whether to report NCCL's own estimate
 * @param memory whether to report GPU memory usage
 * @param iterations whether to report the times of single iterations, measured with CUDA events
 * @param skippedIterations first iterations that the summary of these times omits
 */
public record Reporting(
    Average average,
    boolean cpuTime,
    boolean estimates,
    boolean memory,
    boolean iterations,
    int skippedIterations) {
  /** Defaults of nccl-tests. */
  public static final Reporting DEFAULTS =
      new Reporting(Average.MEAN, false, false, false, false, 0);

  public Reporting {
    if (skippedIterations < 0 || skippedIterations > 0 && !iterations) {
      throw new IllegalArgumentException(
          "-K %s: expected 0, or more with -I 1".formatted(skippedIterations));
    }
  }
}
