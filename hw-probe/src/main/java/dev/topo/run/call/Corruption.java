package dev.topo.run.call;

/**
 * An element that is falsified after the collective and before the check, to see that the check
 * finds it.
 *
 * @param rank whose result
 * @param element which, from 0
 */
public record Corruption(int rank, long element) {
  public Corruption {
    if (rank < 0 || element < 0) {
      throw new IllegalArgumentException("expected a rank and an element from 0");
    }
  }
}
