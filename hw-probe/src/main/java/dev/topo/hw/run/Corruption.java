package dev.topo.hw.run;

/** Element of the result that is corrupted before the check, to test the check. */
public record Corruption(int rank, long element) {
  public Corruption {
    if (rank < 0 || element < 0) {
      throw new IllegalArgumentException("expected a rank and an element from 0");
    }
  }
}
