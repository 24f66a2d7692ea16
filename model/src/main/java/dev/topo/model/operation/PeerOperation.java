package dev.topo.model.operation;

import java.util.Locale;

/**
 * The operations made of sends and receives, for which NCCL chooses no algorithm; named as their
 * programs in nccl-tests.
 */
public enum PeerOperation implements Operation {
  /** Every rank sends to the next and receives from the previous. */
  SENDRECV("SendRecv"),
  /** Every rank sends a part to every rank. */
  ALLTOALL("AlltoAll"),
  /** Every rank sends parts of different sizes to every rank. */
  ALLTOALLV("AlltoAllv"),
  /** The root gets what all ranks have. */
  GATHER("Gather"),
  /** Every rank gets its part of what the root has. */
  SCATTER("Scatter"),
  /** Every rank gets what all ranks have, in exchanges along the dimensions of a hypercube. */
  HYPERCUBE("HyperCube");

  private final String label;

  PeerOperation(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public String ncclTestsName() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public double busbwFactor(int nRanks) {
    return switch (this) {
      // hypercube's algbw has the factor (n-1)/n already.
      case SENDRECV, HYPERCUBE -> 1;
      case ALLTOALL, ALLTOALLV, GATHER, SCATTER -> (nRanks - 1.0) / nRanks;
    };
  }

  /** Whether a call's size is that of all parts of a rank, else that of one. */
  public boolean dividesSize() {
    return this != SENDRECV;
  }

  /**
   * Whether a rank sends to another, perhaps itself.
   *
   * @param root the rank that gathers or scatters
   * @throws IllegalArgumentException for HyperCube, which is several calls
   */
  public boolean isSent(int from, int to, int nRanks, int root) {
    return switch (this) {
      case SENDRECV -> to == (from + 1) % nRanks;
      case ALLTOALL, ALLTOALLV -> true;
      case GATHER -> to == root;
      case SCATTER -> from == root;
      case HYPERCUBE -> throw new IllegalArgumentException(label + " is several calls");
    };
  }
}
