package dev.topo.hw.run;

import java.util.stream.LongStream;

/**
 * Parts of an alltoallv: the elements that a rank sends to another are proportional to their
 * distance, counted upwards, and rounded down to multiples of 16 bytes ({@code
 * AlltoAllvGetPeerBytesDistanceWeighted}, {@code nccl-tests:src/alltoallv.cu}, 2.19.6, with its
 * default spread of 1). Every rank sends and receives the same total.
 *
 * @param meanElements elements of a part if all were equal
 */
public record WeightedParts(long meanElements, int elementBytes, int nRanks) {
  private static final long ALIGNMENT_BYTES = 16;

  /** Elements that a rank sends to another, or to itself. */
  public long elements(int sender, int receiver) {
    return ofDistance((receiver - sender + nRanks) % nRanks);
  }

  /** Elements before the part of a rank in the buffer of a sender. */
  public long sentBefore(int sender, int receiver) {
    return LongStream.range(0, receiver).map(peer -> elements(sender, (int) peer)).sum();
  }

  /** Elements that each rank sends. */
  long elements() {
    return sentBefore(0, nRanks);
  }

  private long ofDistance(int distance) {
    double total = (double) meanElements * nRanks * elementBytes;
    double distances = nRanks * (nRanks - 1L) / 2;
    double bytes = nRanks == 1 ? total : distance * total / distances;
    return (long) bytes / ALIGNMENT_BYTES * ALIGNMENT_BYTES / elementBytes;
  }
}
