package dev.topo.inspect.trace;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The properties that a rank's calls of one kind have in common. Sizes are those of nccl-tests: the
 * larger of a rank's two buffers, of sends and receives what the rank sends, or receives where it
 * sends nothing.
 *
 * @param group the communicator
 * @param name the name of the call in the trace
 * @param operation the operation; empty where the name is that of none, or of several in one group
 * @param bytes size of the call
 * @param dataType type of the elements
 * @param operator the reduction; SUM where nothing is reduced or the trace does not say
 * @param sent bytes for each rank of the group, where the trace says what goes to which; empty if
 *     parts are equal
 * @param peer the only other rank of sends and receives, in the group; -1 for none
 * @param sends whether the rank sends; of a receive false
 * @param shape the launch of the kernel; empty where the trace has none
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
   * The size of a kernel's launch.
   *
   * @param channels thread blocks, of which each is a channel
   * @param threads threads of a block
   */
  public record LaunchSize(int channels, int threads) {
    /** Both, for people. */
    public String label() {
      return channels + " x " + threads;
    }
  }

  public CallKind {
    sent = List.copyOf(sent);
  }

  /** The name of the operation, or of the call in the trace where it is none. */
  public String title() {
    return operation.map(Operation::label).orElse(name);
  }

  /** True if it is between two ranks, and the others of the group take no part in it. */
  public boolean isPair() {
    return peer >= 0;
  }

  /** Number of ranks that take part in a call. */
  public int nRanks() {
    return isPair() ? 2 : group.size();
  }

  /** True if it is made of parts for each rank. */
  public boolean isAlltoall() {
    return operation.equals(Optional.of(PeerOperation.ALLTOALL))
        || operation.equals(Optional.of(PeerOperation.ALLTOALLV));
  }

  /**
   * True if another rank's call can be the same one. Sizes differ where ranks have parts of
   * different sizes, which PyTorch allows for AllGather and ReduceScatter, too.
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

  /** The bytes that a rank sends to each. */
  public List<Long> row() {
    return sent.isEmpty() ? Collections.nCopies(group.size(), bytes / group.size()) : sent;
  }

  /**
   * Calls of all ranks of a group, of which the trace has only these values: equal parts, the usual
   * reduction and no launch.
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

  /** These calls as sends to another rank, or receives from it; -1 where it is not known. */
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
