package dev.topo.search.kernel;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;

/**
 * A call, or equal calls of one group.
 *
 * @param operation the operation; alltoall, gather and scatter are NCCL's functions of that name,
 *     not the user's sends and receives
 * @param sizeBytes size of the larger of a rank's two buffers, as in {@link CollectiveCall}
 * @param dataType type of the elements
 * @param operator the reduction; ignored for operations that do not reduce
 * @param calls number of calls in the group, at least 1
 */
public record SymmetricCall(
    Operation operation, long sizeBytes, DataType dataType, ReductionOperator operator, int calls) {
  public SymmetricCall {
    if (sizeBytes < 0 || calls < 1) {
      throw new IllegalArgumentException(
          calls + " calls of " + sizeBytes + " bytes: expected at least 1 of at least 0");
    }
  }

  /** A single call; reductions are sums of single precision numbers. */
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
   * The count of one call in bytes: for AllGather the data that a rank sends, for ReduceScatter the
   * data that it receives; reductions in whole elements.
   */
  long countBytes(int nRanks) {
    int element = isReduction() ? dataType.sizeBytes() : 1;
    return (operation.dividesSize() ? sizeBytes / nRanks : sizeBytes) / element * element;
  }
}
