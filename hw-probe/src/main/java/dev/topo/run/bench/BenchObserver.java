package dev.topo.run.bench;

/** Hears what a bench does while it does it. */
public interface BenchObserver {
  /** Something begins, said in a few words. */
  void begins(String step);

  /** A size was measured. */
  void measured(Row row);
}
