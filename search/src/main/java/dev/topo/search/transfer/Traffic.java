package dev.topo.search.transfer;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.PeerOperation;

/** The bytes that ranks send to each other in one group of calls. */
@FunctionalInterface
public interface Traffic {
  /** No transfer, which differs from a transfer of 0 bytes. */
  long NONE = -1;

  /**
   * Bytes that rank {@code from} sends to rank {@code to}, which may be the same, or {@link #NONE}.
   */
  long bytes(int from, int to);

  /**
   * The traffic of an operation; AlltoAllv is treated as having equal parts.
   *
   * @param bytes the size of the call as nccl-tests counts it; all operations but SendRecv divide
   *     it by the number of ranks
   * @param root the rank that gathers or scatters
   * @throws IllegalArgumentException for HyperCube, which is several calls
   */
  static Traffic of(PeerOperation operation, long bytes, int nRanks, int root) {
    if (!operation.isOneCall()) {
      throw new IllegalArgumentException(operation + " is several calls");
    }
    long part = bytes / nRanks / Call.PART_BYTES * Call.PART_BYTES;
    long transferBytes = operation.dividesSize() ? (part == 0 ? NONE : part) : bytes;
    return (from, to) -> operation.isSent(from, to, nRanks, root) ? transferBytes : NONE;
  }
}
