package dev.topo.search.transfer;

import dev.topo.model.operation.PeerOperation;

/** The bytes that ranks send to each other in one group of calls. */
@FunctionalInterface
public interface Traffic {
  /** No transfer; a transfer of no bytes is one nevertheless. */
  long NONE = -1;

  /** Parts of a buffer are multiples of this in nccl-tests. */
  int ALIGNMENT = 16;

  /** Bytes from a rank to another or to itself, or {@link #NONE}. */
  long bytes(int from, int to);

  /**
   * The traffic of an operation; of AlltoAllv where all parts are equal.
   *
   * @param bytes the size of the call as nccl-tests counts it; all but SendRecv divide it by the
   *     ranks
   * @param root the rank that gathers or scatters
   * @throws IllegalArgumentException for HyperCube, which is several calls
   */
  static Traffic of(PeerOperation operation, long bytes, int nRanks, int root) {
    if (!operation.isOneCall()) {
      throw new IllegalArgumentException(operation + " is several calls");
    }
    long part = bytes / nRanks / ALIGNMENT * ALIGNMENT;
    long ofEach = operation.dividesSize() ? (part == 0 ? NONE : part) : bytes;
    return (from, to) -> operation.isSent(from, to, nRanks, root) ? ofEach : NONE;
  }
}
