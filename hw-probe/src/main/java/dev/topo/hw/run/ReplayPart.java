package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;

/**
 * Single call of an NCCL function by one rank.
 *
 * @param count number of elements passed to the function
 * @param operator the reduction; SUM if nothing is reduced
 * @param peer the root or the other rank, in the communicator; 0 if there is none
 * @param offsetBytes offset in its buffer of the data that it reads, or, for a receive, writes
 */
public record ReplayPart(
    Function function,
    long count,
    DataType type,
    ReductionOperator operator,
    int peer,
    long offsetBytes) {
  /** NCCL functions that jobs call. */
  public enum Function {
    ALL_REDUCE("ncclAllReduce", true),
    ALL_GATHER("ncclAllGather", false),
    REDUCE_SCATTER("ncclReduceScatter", false),
    BROADCAST("ncclBroadcast", true),
    REDUCE("ncclReduce", true),
    SEND("ncclSend", false),
    RECEIVE("ncclRecv", false);

    private final String label;
    private final boolean inPlace;

    Function(String label, boolean inPlace) {
      this.label = label;
      this.inPlace = inPlace;
    }

    /** Name in NCCL. */
    public String label() {
      return label;
    }

    /** True if frameworks pass the same buffer for sending and receiving. */
    public boolean isInPlace() {
      return inPlace;
    }
  }

  public ReplayPart {
    if (count < 0 || peer < 0 || offsetBytes < 0) {
      throw new IllegalArgumentException(
          "%s: count %s, peer %s, offset %s: expected none below 0"
              .formatted(function.label, count, peer, offsetBytes));
    }
  }

  /** End of the larger of its buffers in a communicator of {@code nRanks} ranks, in bytes. */
  long endBytes(int nRanks) {
    boolean hasPartOfEach = function == Function.ALL_GATHER || function == Function.REDUCE_SCATTER;
    return offsetBytes + count * type.sizeBytes() * (hasPartOfEach ? nRanks : 1);
  }
}
