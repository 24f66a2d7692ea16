package dev.topo.run.call;

/** What becomes of the times of all processes; the numbers are those of {@code -a}. */
public enum Average {
  /** The time of rank 0 counts. */
  RANK_0,
  /** The mean. */
  MEAN,
  /** The shortest. */
  MIN,
  /** The longest. */
  MAX
}
