package dev.topo.inspect.trace;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Operation;
import java.util.List;
import java.util.Optional;

/** A kind of calls for tests: of float sums on the ranks 0 and 1, where nothing else is said. */
public final class CallKindBuilder {
  private final String name;
  private final Optional<Operation> operation;
  private final long bytes;
  private ProcessGroup group = new ProcessGroup("0", "", List.of(0, 1));
  private DataType dataType = DataType.FLOAT32;
  private List<Long> sent = List.of();
  private int peer = -1;
  private boolean sends = true;

  private CallKindBuilder(String name, Optional<Operation> operation, long bytes) {
    this.name = name;
    this.operation = operation;
    this.bytes = bytes;
  }

  /** An operation by the name of nccl-tests. */
  public static CallKindBuilder of(Operation operation, long bytes) {
    return new CallKindBuilder(operation.ncclTestsName(), Optional.of(operation), bytes);
  }

  /** A call that is no known operation. */
  public static CallKindBuilder unknown(String name) {
    return new CallKindBuilder(name, Optional.empty(), 0);
  }

  /** In a communicator. */
  public CallKindBuilder in(ProcessGroup communicator) {
    group = communicator;
    return this;
  }

  /** With elements of a type. */
  public CallKindBuilder of(DataType type) {
    dataType = type;
    return this;
  }

  /** A send or a receive. */
  public CallKindBuilder with(int otherRank, boolean isSend) {
    peer = otherRank;
    sends = isSend;
    return this;
  }

  /** With the bytes that go to each rank. */
  public CallKindBuilder sending(List<Long> toEach) {
    sent = toEach;
    return this;
  }

  /** The kind. */
  public CallKind build() {
    return new CallKind(
        group,
        name,
        operation,
        bytes,
        dataType,
        ReductionOperator.SUM,
        sent,
        peer,
        sends,
        Optional.empty());
  }
}
