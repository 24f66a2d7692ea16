package dev.topo.simulator.timing;

import dev.topo.model.operation.Protocol;

/**
 * Facts of the sends and receives of a call that determine the time of its slowest rank. Bytes are
 * those of the channel of a rank that has the most to do.
 *
 * @param gpusPerProcess GPUs that one process drives; 0 where a CUDA graph holds the kernels
 * @param peers other ranks that a rank sends to or receives from, at least 1
 * @param protocol LL where all parts go by LL
 * @param channels channels that the rank uses
 * @param sentBytes what the channel sends to others
 * @param receivedBytes what it receives from others
 * @param copiedBytes what it copies to the rank's own buffer
 * @param chunkBytes what moves at once, of all parts that the channel moves side by side
 * @param linkPs what the busiest link takes for the whole call at its nominal bandwidth, in
 *     picoseconds, if NVLink
 * @param otherLinkPs the same of the busiest link of another kind
 * @param throughHost whether data goes through the host's memory
 * @param registered whether ranks write to the user's buffers of others
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

  /** The more of what the channel sends and receives. */
  long mostBytes() {
    return Math.max(sentBytes, receivedBytes);
  }

  /** The part of its time in which the channel moves data in both directions. */
  double bothWays() {
    return part(Math.min(sentBytes, receivedBytes));
  }

  /** The part of its time in which the channel copies, too. */
  double copying() {
    return Math.min(1, part(copiedBytes));
  }

  private double part(long bytes) {
    return mostBytes() == 0 ? 0 : (double) bytes / mostBytes();
  }

  /** True if ranks wait for what others send in the same call, and not only send or receive. */
  boolean isExchange() {
    return sentBytes > 0 && receivedBytes > 0;
  }
}
