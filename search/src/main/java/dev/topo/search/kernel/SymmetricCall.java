package dev.topo.search.kernel;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;

/**
 * A call, or equal calls of one group.
 *
 * @param operation the operation; alltoall, gather and scatter as NCCL's functions of that name,
 *     not as sends and receives of the user
 * @param sizeBytes size of the larger of a rank's two buffers, as in {@link CollectiveCall}
 * @param dataType type of the elements
 * @param operator the reduction; irrelevant where nothing is reduced
 * @param calls calls of the group, at least 1
 */
public record SymmetricCall(
    Operation operation, long sizeBytes, DataType dataType, ReductionOperator operator, int calls) {
  public SymmetricCall {
    if (sizeBytes < 0 || calls < 1) {
      throw new IllegalArgumentException(
          calls + " calls of " + sizeBytes + " bytes: expected at least 1 of at least 0");
    }
  }

  /** A single call, with the sum of single precision numbers where it reduces. */
  public static SymmetricCall of(Operation operation, long sizeBytes) {
    return new SymmetricCall(operation, sizeBytes, DataType.FLOAT32, ReductionOperator.SUM, 1);
  }

  /** The symmetric form of a call of the tuning model. */
  static SymmetricCall of(CollectiveCall call) {
    return new SymmetricCall(
        call.collective(),
        call.sizeBytes(),
        call.dataType(),
        call.operator(),
        call.pipelinedCalls());
  }

  boolean isReduction() {
    return operation instanceof Collective collective && collective.isReduction();
  }

  /**
   * Bytes of the count argument of one call: for AllGather what a rank sends, for ReduceScatter
   * what it receives; whole elements only.
   */
  long countBytes(int nRanks) {
    int element = isReduction() ? dataType.sizeBytes() : 1;
    return (operation.dividesSize() ? sizeBytes / nRanks : sizeBytes) / element * element;
  }
}
