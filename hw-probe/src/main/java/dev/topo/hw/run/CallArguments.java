package dev.topo.hw.run;

import dev.topo.hw.run.RunCollective.Extent;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;

/** The arguments of a call of a collective. */
public record CallArguments(
    RunCollective collective, Extent extent, DataType type, ReductionOperator operator, int root) {
  /** A call of a size as nccl-tests counts it, by the first rank where there is a root. */
  public static CallArguments of(
      RunCollective collective,
      long sizeBytes,
      DataType type,
      ReductionOperator operator,
      int nRanks) {
    return new CallArguments(
        collective, collective.extent(sizeBytes, type.sizeBytes(), nRanks), type, operator, 0);
  }

  /** The number of elements passed to NCCL. */
  public long count() {
    return extent.count();
  }

  /** The larger of the sent and the received bytes of a rank. */
  public long bytes() {
    return Math.max(extent.sendCount(), extent.receiveCount()) * type.sizeBytes();
  }
}
