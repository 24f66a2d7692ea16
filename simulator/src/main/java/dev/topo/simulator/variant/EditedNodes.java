package dev.topo.simulator.variant;

/**
 * How many machines of a job are edited.
 *
 * @param edited those that are
 * @param all the machines of the job
 */
public record EditedNodes(int edited, int all) {
  /** True if no machine of the job stays as it is. */
  public boolean isAll() {
    return edited == all;
  }
}
