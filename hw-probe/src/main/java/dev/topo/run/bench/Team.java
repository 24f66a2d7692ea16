package dev.topo.run.bench;

import dev.topo.run.call.Average;

/**
 * The threads and processes that run the same collective together. Every one of them calls the same
 * methods in the same order; each call waits for the others.
 */
public interface Team {
  void meet();

  /** What becomes of the times of all. */
  double average(double seconds, Average average);

  /** The sum over all. */
  long sum(long value);
}
