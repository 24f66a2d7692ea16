package dev.topo.run.call;

/**
 * What is made of the measurements.
 *
 * @param average what becomes of the times of all processes
 * @param cpuTime whether the time is reported that the host needed to queue the calls
 * @param estimates whether NCCL is asked for its own estimate
 * @param memory whether it is reported what memory was used
 */
public record Reporting(Average average, boolean cpuTime, boolean estimates, boolean memory) {
  /** As nccl-tests does unless told otherwise. */
  public static final Reporting DEFAULTS = new Reporting(Average.MEAN, false, false, false);
}
