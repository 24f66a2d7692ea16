package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind;
import dev.topo.model.operation.PeerOperation;
import java.util.List;
import java.util.Optional;

/**
 * Computes the bytes that the ranks of a group send each other in calls made of sends and receives.
 */
public final class TransferMatrix {
  private TransferMatrix() {}

  /**
   * Returns the bytes by sending and receiving rank; empty if the traces do not state them.
   *
   * @param sent bytes that each rank sends to each; empty if parts are equal or unknown
   * @param nRanks number of ranks of the group
   */
  public static Optional<long[][]> of(
      PeerOperation operation, CallKind kind, List<List<Long>> sent, int nRanks) {
    long[][] bytes = new long[nRanks][nRanks];
    boolean isKnown = sent.size() == nRanks && sent.stream().allMatch(row -> row.size() == nRanks);
    if (operation == PeerOperation.ALLTOALLV && !isKnown) {
      return Optional.empty();
    }
    if (isKnown) {
      return Optional.of(
          sent.stream()
              .map(row -> row.stream().mapToLong(Long::longValue).toArray())
              .toArray(long[][]::new));
    }
    if (operation == PeerOperation.SENDRECV && !kind.isPair()) {
      return Optional.empty();
    }
    if (kind.peer() >= nRanks) {
      return Optional.empty();
    }
    if (kind.isPair()) {
      int other = kind.peer() == 0 ? 1 : 0;
      bytes[kind.sends() ? other : kind.peer()][kind.sends() ? kind.peer() : other] = kind.bytes();
      return Optional.of(bytes);
    }
    for (int from = 0; from < nRanks; from++) {
      for (int to = 0; to < nRanks; to++) {
        boolean isSent = !operation.isOneCall() || operation.isSent(from, to, nRanks, 0);
        bytes[from][to] = isSent ? kind.bytes() / nRanks : 0;
      }
    }
    return Optional.of(bytes);
  }
}
