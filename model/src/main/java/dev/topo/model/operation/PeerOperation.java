package dev.topo.model.operation;

import java.util.Locale;

/**
 * Operations composed of sends and receives, for which NCCL chooses no algorithm; named after their
 * programs in nccl-tests.
 */
public enum PeerOperation implements Operation {
  /** Every rank sends to the next and receives from the previous. */
  SENDRECV("SendRecv", Pattern.TO_NEXT, true),
  /** Every rank sends a part to every rank. */
  ALLTOALL("AlltoAll", Pattern.TO_ALL, true),
  /** Every rank sends parts of different sizes to every rank. */
  ALLTOALLV("AlltoAllv", Pattern.TO_ALL, false),
  /** The root gets the data of all ranks. */
  GATHER("Gather", Pattern.TO_ROOT, true),
  /** Every rank gets its part of the root's data. */
  SCATTER("Scatter", Pattern.FROM_ROOT, true),
  /** Every rank gets the data of all ranks, in exchanges along the dimensions of a hypercube. */
  HYPERCUBE("HyperCube", Pattern.IN_STEPS, false);

  /** Which ranks send to which. */
  public enum Pattern {
    TO_NEXT,
    TO_ALL,
    TO_ROOT,
    FROM_ROOT,
    /** To another rank in each of several calls. */
    IN_STEPS
  }

  private final String label;
  private final Pattern pattern;
  private final boolean hasEqualParts;

  PeerOperation(String label, Pattern pattern, boolean hasEqualParts) {
    this.label = label;
    this.pattern = pattern;
    this.hasEqualParts = hasEqualParts;
  }

  @Override
  public String label() {
    return label;
  }

  public Pattern pattern() {
    return pattern;
  }

  /** True if all ranks send equal parts in every call. */
  public boolean hasEqualParts() {
    return hasEqualParts;
  }

  @Override
  public String ncclTestsName() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public double busbwFactor(int nRanks) {
    return switch (pattern) {
      // A hypercube's algbw has the factor (n-1)/n already.
      case TO_NEXT, IN_STEPS -> 1;
      case TO_ALL, TO_ROOT, FROM_ROOT -> (nRanks - 1.0) / nRanks;
    };
  }

  @Override
  public boolean isOneCall() {
    return pattern != Pattern.IN_STEPS;
  }

  @Override
  public boolean dividesSize() {
    return pattern != Pattern.TO_NEXT;
  }

  /**
   * True if rank {@code from} sends to rank {@code to}, which may be the same.
   *
   * @param root the rank that gathers or scatters
   * @throws IllegalArgumentException for HyperCube, which is several calls
   */
  public boolean isSent(int from, int to, int nRanks, int root) {
    return switch (pattern) {
      case TO_NEXT -> to == (from + 1) % nRanks;
      case TO_ALL -> true;
      case TO_ROOT -> to == root;
      case FROM_ROOT -> from == root;
      case IN_STEPS -> throw new IllegalArgumentException(label + " is several calls");
    };
  }
}
