package dev.topo.run.bench;

/** Receives the progress of a bench. */
public interface BenchObserver {
  /** A step begins; {@code step} is a short description. */
  default void begins(String step) {}

  /** A size was measured. */
  default void measured(Row row) {}
}
