package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.List;

/**
 * Calls of a run: each collective with each type, operator, root and size.
 *
 * @param root the root, or -1 for each rank in turn
 */
public record RunCalls(
    List<RunCollective> collectives,
    SizeSweep sweep,
    List<DataType> types,
    List<ReductionOperator> operators,
    int root) {
  public RunCalls {
    collectives = List.copyOf(collectives);
    types = List.copyOf(types);
    operators = List.copyOf(operators);
    if (collectives.isEmpty() || types.isEmpty() || operators.isEmpty()) {
      throw new IllegalArgumentException("expected a collective, a type and an operator");
    }
    if (root < -1) {
      throw new IllegalArgumentException("root " + root + ": expected a rank, or -1 for all");
    }
  }

  public static RunCalls ofFloatSums(List<RunCollective> collectives, SizeSweep sweep) {
    return new RunCalls(
        collectives, sweep, List.of(DataType.FLOAT32), List.of(ReductionOperator.SUM), 0);
  }

  public RunCalls withSweep(SizeSweep newSweep) {
    return new RunCalls(collectives, newSweep, types, operators, root);
  }

  public RunCalls withCollectives(List<RunCollective> newCollectives) {
    return new RunCalls(newCollectives, sweep, types, operators, root);
  }
}
