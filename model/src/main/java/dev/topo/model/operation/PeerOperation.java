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
}
