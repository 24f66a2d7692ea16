package dev.topo.simulator.timing;

import dev.topo.model.operation.Protocol;

/**
 * Properties of the sends and receives of a call that determine the time of its slowest rank. Bytes
 * are those of the busiest channel of that rank.
 *
 * @param gpusPerProcess GPUs that one process drives; 0 where a CUDA graph holds the kernels
 * @param peers other ranks that a rank exchanges data with, at least 1
 * @param protocol LL if all parts use LL
 * @param channels channels that the rank uses
 * @param sentBytes bytes that the channel sends to other ranks
 * @param receivedBytes bytes that it receives from other ranks
 * @param copiedBytes bytes that it copies within the rank's own buffers
 * @param chunkBytes bytes in flight at once, over all parts that the channel moves side by side
 * @param linkPs time of the busiest NVLink for the whole call at its nominal bandwidth, in
 *     picoseconds
 * @param otherLinkPs time of the busiest link of another kind, in picoseconds
 * @param throughHost whether data goes through the host's memory
 * @param registered whether ranks write to other ranks' user buffers
 */
public record PeerShape(
    int gpusPerProcess,
    int peers,
    Protocol protocol,
    int channels,
    long sentBytes,
    long receivedBytes,
    long copiedBytes,
    long chunkBytes,
    double linkPs,
    double otherLinkPs,
    boolean throughHost,
    boolean registered)
    implements NodeCall {
  public PeerShape {
    if (peers < 1) {
      throw new IllegalArgumentException(peers + " peers: expected at least 1");
    }
  }

  /** Larger of the sent and received bytes of the channel. */
  long mostBytes() {
    return Math.max(sentBytes, receivedBytes);
  }

  /** Fraction of its time in which the channel moves data in both directions. */
  double bothWays() {
    return part(Math.min(sentBytes, receivedBytes));
  }

  /** Fraction of its time in which the channel also copies. */
  double copying() {
    return Math.min(1, part(copiedBytes));
  }

  private double part(long bytes) {
    return mostBytes() == 0 ? 0 : (double) bytes / mostBytes();
  }

  /** True if ranks both send and receive, and so wait for each other within the call. */
  boolean isExchange() {
    return sentBytes > 0 && receivedBytes > 0;
  }
}
