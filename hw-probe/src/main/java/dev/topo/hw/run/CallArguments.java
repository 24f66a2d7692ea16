package dev.topo.hw.run;

import dev.topo.hw.run.RunCollective.Extent;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;

/** Arguments of a call of a collective. */
public record CallArguments(
    RunCollective collective, Extent extent, DataType type, ReductionOperator operator, int root) {
  /** Call with a size as nccl-tests counts it; the root, if any, is the first rank. */
  public static CallArguments of(
      RunCollective collective,
      long sizeBytes,
      DataType type,
      ReductionOperator operator,
      int nRanks) {
    return new CallArguments(
        collective, collective.extent(sizeBytes, type.sizeBytes(), nRanks), type, operator, 0);
  }

  /** Number of elements passed to NCCL. */
  public long count() {
    return extent.count();
  }

  /** The larger of the sent and the received bytes of a rank. */
  public long bytes() {
    return Math.max(extent.sendCount(), extent.receiveCount()) * type.sizeBytes();
  }
}
