package dev.topo.hw.run;

import dev.topo.hw.run.RunCollective.Extent;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.ReductionOperator;

/** The arguments of a call of a collective. */
public record CallArguments(
    RunCollective collective, Extent extent, DataType type, ReductionOperator operator, int root) {
  /** The number of elements passed to NCCL. */
  public long count() {
    return extent.count();
  }

  /** The larger of the sent and the received bytes of a rank. */
  public long bytes() {
    return Math.max(extent.sendCount(), extent.receiveCount()) * type.sizeBytes();
  }
}
