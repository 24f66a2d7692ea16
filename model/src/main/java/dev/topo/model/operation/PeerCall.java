package dev.topo.model.operation;

/**
 * One call of an operation that is made of sends and receives, with equal parts.
 *
 * @param operation which one
 * @param sizeBytes size as nccl-tests counts it: of SendRecv what a rank sends, of the others the
 *     larger of a rank's two buffers
 */
public record PeerCall(PeerOperation operation, long sizeBytes) implements Call {
  public PeerCall {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("size " + sizeBytes + " is negative");
    }
  }
}
