package dev.topo.run.bench;

/** Hears what a bench does while it does it. */
public interface BenchObserver {
  /** Something begins, said in a few words. */
  default void begins(String step) {}

  /** A size was measured. */
  default void measured(Row row) {}
}
