package dev.topo.inspect.trace;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A kind of call: the properties that equal calls of a rank share. Sizes are defined as in
 * nccl-tests: the larger of a rank's two buffers; for sends and receives the bytes that the rank
 * sends, or receives if it sends nothing.
 *
 * @param group the communicator
 * @param name the name of the call in the trace
 * @param operation the operation; empty if the name is unknown, or covers several operations in one
 *     group
 * @param bytes size of the call
 * @param dataType type of the elements
 * @param operator the reduction; SUM if nothing is reduced or the trace does not state it
 * @param sent bytes sent to each rank of the group, if the trace states them; empty if parts are
 *     equal
 * @param peer the single peer of a send or receive, as a rank of the group; -1 if there is none
 * @param sends whether the rank sends; false for a receive
 * @param shape launch dimensions of the kernel; empty if the trace has none
 */
public record CallKind(
    ProcessGroup group,
    String name,
    Optional<Operation> operation,
    long bytes,
    DataType dataType,
    ReductionOperator operator,
    List<Long> sent,
    int peer,
    boolean sends,
    Optional<LaunchSize> shape) {
  /**
   * Size of a kernel's launch.
   *
   * @param channels number of thread blocks, each of which is a channel
   * @param threads threads of a block
   */
  public record LaunchSize(int channels, int threads) {
    /** Channels and threads per block: {@code 16 x 512}. */
    public String label() {
      return channels + " x " + threads;
    }
  }

  public CallKind {
    sent = List.copyOf(sent);
  }

  /** Name of the operation, or of the call in the trace if the operation is unknown. */
  public String title() {
    return operation.map(Operation::label).orElse(name);
  }

  /** True for a call between two ranks, in which the others of the group take no part. */
  public boolean isPair() {
    return peer >= 0;
  }

  /** Number of ranks that take part in a call. */
  public int nRanks() {
    return isPair() ? 2 : group.size();
  }

  /** True for AlltoAll and AlltoAllv. */
  public boolean isAlltoall() {
    return operation.equals(Optional.of(PeerOperation.ALLTOALL))
        || operation.equals(Optional.of(PeerOperation.ALLTOALLV));
  }

  /**
   * True if a call of another rank may be the same collective call. Sizes may differ where ranks
   * may have parts of different sizes, which PyTorch also allows for AllGather and ReduceScatter.
   */
  public boolean matches(CallKind other) {
    boolean mayDiffer =
        isAlltoall()
            || operation.isEmpty()
            || operation.get() == Collective.ALL_GATHER
            || operation.get() == Collective.REDUCE_SCATTER
            || operation.get() instanceof PeerOperation;
    return (operation.equals(other.operation) || isAlltoall() && other.isAlltoall())
        && (mayDiffer || bytes == other.bytes && dataType == other.dataType);
  }

  /** The call; empty if its operation is unknown. */
  public Optional<Call> call() {
    return operation.map(
        known ->
            known instanceof Collective collective
                ? new CollectiveCall(collective, bytes, dataType, operator, 1)
                : new PeerCall((PeerOperation) known, bytes));
  }

  /** Bytes that a rank sends to each rank. */
  public List<Long> row() {
    return sent.isEmpty() ? Collections.nCopies(group.size(), bytes / group.size()) : sent;
  }

  /**
   * Kind of a call for which the trace states only these values: equal parts, a sum, no peer and no
   * launch dimensions.
   */
  static CallKind of(
      ProcessGroup group,
      String name,
      Optional<Operation> operation,
      long bytes,
      DataType dataType) {
    return new CallKind(
        group,
        name,
        operation,
        bytes,
        dataType,
        ReductionOperator.SUM,
        List.of(),
        -1,
        true,
        Optional.empty());
  }

  /** This kind as a send to another rank or a receive from it; the rank is -1 if unknown. */
  CallKind between(int otherRank, boolean isSend) {
    return new CallKind(
        group, name, operation, bytes, dataType, operator, sent, otherRank, isSend, shape);
  }

  CallKind ofBytes(long size) {
    return new CallKind(group, name, operation, size, dataType, operator, sent, peer, sends, shape);
  }

  public CallKind in(ProcessGroup other) {
    return new CallKind(
        other, name, operation, bytes, dataType, operator, sent, peer, sends, shape);
  }

  public CallKind as(String newName, Optional<Operation> newOperation) {
    return new CallKind(
        group, newName, newOperation, bytes, dataType, operator, List.of(), peer, sends, shape);
  }
}
