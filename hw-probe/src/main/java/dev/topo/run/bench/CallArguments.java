package dev.topo.run.bench;

import dev.topo.model.operation.DataType;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.run.call.RunCollective;

/**
 * A call of a collective.
 *
 * @param collective which
 * @param count the number of elements that the call is given
 * @param type their type
 * @param operator what a reduction computes
 * @param root the root, or -1
 */
public record CallArguments(
    RunCollective collective, long count, DataType type, ReductionOperator operator, int root) {
  CallArguments withCount(long newCount) {
    return new CallArguments(collective, newCount, type, operator, root);
  }
}
