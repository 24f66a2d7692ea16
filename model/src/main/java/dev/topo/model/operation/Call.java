package dev.topo.model.operation;

/** One call of an operation by all ranks of a communicator. */
public sealed interface Call permits CollectiveCall, PeerCall {
  /** What is called. */
  Operation operation();

  /** Its size in bytes, as nccl-tests counts it. */
  long sizeBytes();

  /**
   * A call by itself: of a collective with the sum of single precision numbers where it reduces, of
   * sends and receives with equal parts.
   */
  static Call of(Operation operation, long sizeBytes) {
    if (operation instanceof PeerOperation peers) {
      return new PeerCall(peers, sizeBytes);
    }
    return CollectiveCall.of((Collective) operation, sizeBytes);
  }
}
