package dev.topo.simulator.evaluate;

import dev.topo.model.operation.PeerOperation;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Bytes that each rank sends to each rank, itself included, in one call. Sizes follow nccl-tests:
 * for SendRecv what a rank sends, for the others the larger of a rank's two buffers. Immutable.
 */
public final class PeerTraffic {
  /** Most bytes: more than any GPU holds, and sums over ranks stay exact. */
  static final long MOST_BYTES = 1L << 44;

  private final long[][] bytes;

  private PeerTraffic(long[][] bytes) {
    this.bytes = bytes;
  }

  /**
   * The traffic of a call in which all parts are equal; rank 0 is the root.
   *
   * @param inPlace whether a rank's own part is already in place
   * @throws IllegalArgumentException for HyperCube, which is several calls
   */
  static PeerTraffic of(PeerOperation operation, long size, int nRanks, boolean inPlace) {
    long part = operation.dividesSize() ? size / nRanks : size;
    long[][] bytes = new long[nRanks][nRanks];
    for (int from = 0; from < nRanks; from++) {
      for (int to = 0; to < nRanks; to++) {
        bytes[from][to] =
            operation.isSent(from, to, nRanks, 0) && !(inPlace && from == to) ? part : 0;
      }
    }
    return new PeerTraffic(bytes);
  }

  /**
   * An AlltoAllv in which rank 0 receives more than the others.
   *
   * @param size what every rank sends, its own part included
   * @param skew ratio of the bytes that rank 0 receives to those of another rank
   */
  static PeerTraffic skewed(long size, int nRanks, double skew) {
    double part = size / (skew + nRanks - 1);
    long[][] bytes = new long[nRanks][nRanks];
    for (long[] row : bytes) {
      Arrays.fill(row, (long) part);
      row[0] = (long) (skew * part);
    }
    return new PeerTraffic(bytes);
  }

  /** Traffic of any sizes: a row for each rank that sends. */
  public static PeerTraffic ofMatrix(long[][] bytes) {
    long[][] copy = new long[bytes.length][];
    for (int from = 0; from < bytes.length; from++) {
      copy[from] = bytes[from].clone();
      if (copy[from].length != bytes.length || Arrays.stream(copy[from]).anyMatch(b -> b < 0)) {
        throw new IllegalArgumentException(
            "row " + (from + 1) + ": expected " + bytes.length + " sizes of 0 or more");
      }
    }
    return new PeerTraffic(copy);
  }

  /** Bytes of the largest buffer of any rank. */
  public long largestBuffer() {
    return IntStream.range(0, nRanks())
        .mapToLong(rank -> Math.max(sent(rank), received(rank)) + bytes[rank][rank])
        .max()
        .orElse(0);
  }

  /** Number of ranks. */
  int nRanks() {
    return bytes.length;
  }

  /** Bytes that a rank sends to another, or to itself. */
  long bytes(int from, int to) {
    return bytes[from][to];
  }

  /** Bytes that a rank sends to others. */
  long sent(int rank) {
    return Arrays.stream(bytes[rank]).sum() - bytes[rank][rank];
  }

  /** Bytes that a rank receives from others. */
  long received(int rank) {
    return IntStream.range(0, nRanks()).mapToLong(from -> bytes[from][rank]).sum()
        - bytes[rank][rank];
  }

  /** The most that a rank sends to others or receives from them. */
  long busiestBytes() {
    return IntStream.range(0, nRanks())
        .mapToLong(rank -> Math.max(sent(rank), received(rank)))
        .max()
        .orElse(0);
  }
}
