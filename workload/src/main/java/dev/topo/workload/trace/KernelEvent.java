package dev.topo.workload.trace;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.workload.CallKind;
import dev.topo.workload.CallKind.LaunchSize;
import dev.topo.workload.ProcessGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * What the profiler notes of a kernel of NCCL, as it stands in the trace; equal for all kernels of
 * a kind.
 *
 * @param kernel the name of the kernel
 * @param call {@code Collective name}
 * @param inElements {@code In msg nelems}, elements that the rank sends
 * @param outElements {@code Out msg nelems}, elements that it receives
 * @param dataType {@code dtype}
 * @param group {@code Process Group Name}
 * @param description {@code Process Group Description}
 * @param ranks {@code Process Group Ranks}
 * @param groupSize {@code Group size}
 * @param inSplit {@code In split size}, rows of the tensor for each rank
 * @param peer {@code Dst Rank} or {@code Src Rank} of a send or receive; -1 for none
 * @param grid number of thread blocks
 * @param block threads of a block
 */
record KernelEvent(
    String kernel,
    String call,
    long inElements,
    long outElements,
    String dataType,
    String group,
    String description,
    String ranks,
    int groupSize,
    String inSplit,
    int peer,
    int grid,
    int block) {
  /** More than any GPU holds. */
  private static final long MOST_ELEMENTS = 1L << 42;

  /**
   * The kind of the call.
   *
   * @param groups the ranks of groups, by name, where the trace lists them
   */
  CallKind kind(Map<String, List<Integer>> groups) {
    List<Integer> members = members(groups);
    ProcessGroup of = new ProcessGroup(group, description, members);
    Optional<DataType> type = CallNames.dataType(dataType);
    Optional<Operation> operation = type.flatMap(known -> CallNames.operation(call));
    long size = type.map(DataType::sizeBytes).orElse(1);
    long in = Math.min(MOST_ELEMENTS, Math.max(0, inElements)) * size;
    long out = Math.min(MOST_ELEMENTS, Math.max(0, outElements)) * size;
    // Splits count rows of the tensor.
    long rows = Math.max(1, numbers(inSplit).sum());
    List<Long> split =
        numbers(inSplit).map(part -> Math.round((double) in * part / rows)).boxed().toList();
    boolean isSendRecv = operation.equals(Optional.of(PeerOperation.SENDRECV));
    boolean isPair = isSendRecv && peer >= 0 && peer < members.size();
    boolean isReceive = CallNames.isReceive(call);
    if (isPair) {
      List<Long> row = new ArrayList<>(Collections.nCopies(members.size(), 0L));
      row.set(peer, isReceive ? 0 : in);
      split = row;
    } else if (operation.equals(Optional.of(PeerOperation.ALLTOALLV))
        && split.stream().distinct().count() <= 1) {
      // PyTorch names both kinds of its call all_to_allv.
      operation = Optional.of(PeerOperation.ALLTOALL);
    }
    boolean isBarrier = in == 0 && call.endsWith("barrier");
    return new CallKind(
        of,
        call.isEmpty() ? kernel.split("\\(", 2)[0] : call,
        operation,
        isBarrier ? DataType.FLOAT32.sizeBytes() : bytes(operation, in, out),
        isBarrier ? DataType.FLOAT32 : type.orElse(DataType.UINT8),
        CallNames.operator(kernel),
        split.size() == members.size() && operation.isPresent() ? split : List.of(),
        isPair ? peer : -1,
        !isReceive,
        shape());
  }

  /**
   * The kind of the call of a kernel that runs several sends and receives of one group, which the
   * profiler notes beside it.
   *
   * @param parts the sends and receives, one or more, of one group
   */
  CallKind kindOf(List<KernelEvent> parts, Map<String, List<Integer>> groups) {
    CallKind first = parts.get(0).kind(groups);
    int ranks = first.group().size();
    List<Long> sent = new ArrayList<>(Collections.nCopies(ranks, 0L));
    long received = 0;
    Set<Integer> peers = new TreeSet<>();
    for (KernelEvent part : parts) {
      CallKind one = part.kind(groups);
      if (!one.isPair() || one.group().size() != ranks) {
        return kind(groups);
      }
      peers.add(one.peer());
      received += one.sends() ? 0 : one.bytes();
      sent.set(one.peer(), sent.get(one.peer()) + (one.sends() ? one.bytes() : 0));
    }
    return new CallKind(
        first.group(),
        "send and recv",
        first.operation(),
        Math.max(received, sent.stream().mapToLong(Long::longValue).sum()),
        first.dataType(),
        ReductionOperator.SUM,
        sent,
        peers.size() == 1 ? peers.iterator().next() : -1,
        sent.stream().anyMatch(bytes -> bytes > 0),
        shape());
  }

  /** Whether the kernel sends and receives, of one call or of several that are not named. */
  boolean isExchange() {
    return kernel.contains("SendRecv") && (call.isEmpty() || CallNames.isSendOrReceive(call));
  }

  private Optional<LaunchSize> shape() {
    return grid > 0 && block > 0 ? Optional.of(new LaunchSize(grid, block)) : Optional.empty();
  }

  private static long bytes(Optional<Operation> operation, long in, long out) {
    if (operation.isPresent()
        && (operation.get() == Collective.ALL_REDUCE || operation.get() == Collective.REDUCE)) {
      return in;
    }
    return Math.max(in, out);
  }

  private List<Integer> members(Map<String, List<Integer>> groups) {
    List<Integer> listed =
        numbers(ranks).filter(r -> r <= Integer.MAX_VALUE).mapToInt(r -> (int) r).boxed().toList();
    if (listed.size() == groupSize && !listed.isEmpty()) {
      return listed;
    }
    // The profiler cuts long lists.
    List<Integer> declared = groups.getOrDefault(group, List.of());
    return declared.size() == groupSize ? declared : List.of();
  }

  /** The numbers of a text such as {@code [0, 1]}. */
  static LongStream numbers(String text) {
    List<Long> numbers = new ArrayList<>();
    long number = -1;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ',';
      if (c >= '0' && c <= '9') {
        number = Math.min(Long.MAX_VALUE / 100, Math.max(0, number) * 10 + (c - '0'));
      } else if (number >= 0) {
        numbers.add(number);
        number = -1;
      }
    }
    return numbers.stream().mapToLong(Long::longValue);
  }
}
