package dev.topo.run.call;

/**
 * What is reported.
 *
 * @param average how the times of all processes are combined
 * @param cpuTime whether to report the host's time to queue the calls
 * @param estimates whether to report NCCL's own estimate
 * @param memory whether to report GPU memory usage
 */
public record Reporting(Average average, boolean cpuTime, boolean estimates, boolean memory) {
  /** The defaults of nccl-tests. */
  public static final Reporting DEFAULTS = new Reporting(Average.MEAN, false, false, false);
}
