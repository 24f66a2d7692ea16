package dev.topo.simulator.compare;

/** Observes how far a comparison is. */
@FunctionalInterface
public interface DiffMonitor {
  /**
   * Begins a task of equal steps.
   *
   * @param step one of them, as in "odd node"
   * @param total number of steps
   */
  Task begin(String step, int total);

  /** A task that has begun. */
  interface Task extends AutoCloseable {
    /** Begins the next step. */
    void next();

    @Override
    void close();
  }
}
