package dev.topo.run.bench;

import dev.topo.model.operation.DataType;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.run.call.RunCollective;

/**
 * The arguments of a call of a collective.
 *
 * @param count the number of elements passed to NCCL
 */
public record CallArguments(
    RunCollective collective, long count, DataType type, ReductionOperator operator, int root) {
  CallArguments withCount(long newCount) {
    return new CallArguments(collective, newCount, type, operator, root);
  }
}
