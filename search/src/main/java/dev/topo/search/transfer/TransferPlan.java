package dev.topo.search.transfer;

import java.util.List;

/**
 * The rounds and kernels of a rank for a group of sends and receives.
 *
 * @param rank the rank
 * @param rounds its rounds in which it sends or receives, in order
 * @param kernels its kernels, in order
 */
public record TransferPlan(int rank, List<PeerRound> rounds, List<PeerKernel> kernels) {
  public TransferPlan {
    rounds = List.copyOf(rounds);
    kernels = List.copyOf(kernels);
  }
}
