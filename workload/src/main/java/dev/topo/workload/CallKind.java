package dev.topo.workload;

import dev.topo.model.operation.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.ReductionOperator;
import java.util.List;
import java.util.Optional;

/**
 * What a rank's calls of one kind have in common. Sizes are those of nccl-tests: the larger of a
 * rank's two buffers, of sends and receives what the rank sends, or receives where it sends
 * nothing.
 *
 * @param group the communicator
 * @param name the name of the call in the trace
 * @param operation the operation; empty where the name is that of none, or of several in one group
 * @param bytes size of the call
 * @param dataType type of the elements
 * @param operator the reduction; SUM where nothing is reduced or the trace does not say
 * @param sent bytes for each rank of the group, where a rank's parts differ; empty if they are
 *     equal
 * @param peer the other rank of a single send or receive, in the group; -1 for none
 * @param sends whether the rank sends; of a single receive false
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
  public record LaunchSize(int channels, int threads) {}

  /** Copies the list. */
  public CallKind {
    sent = List.copyOf(sent);
  }

  /** Whether it is a single send or receive, which other ranks of the group take no part in. */
  public boolean isSingle() {
    return peer >= 0;
  }

  /** Whether another rank's call can be the same one. */
  boolean matches(CallKind other) {
    return operation.equals(other.operation)
        && dataType == other.dataType
        && (isSingle() || !sent.isEmpty() || !other.sent.isEmpty() || bytes == other.bytes);
  }
}
