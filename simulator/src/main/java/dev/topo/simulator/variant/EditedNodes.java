package dev.topo.simulator.variant;

/**
 * The number of edited machines of a job.
 *
 * @param edited number of edited machines
 * @param all number of machines of the job
 */
public record EditedNodes(int edited, int all) {
  /** True if all machines of the job are edited. */
  public boolean isAll() {
    return edited == all;
  }
}
