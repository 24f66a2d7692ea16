package dev.topo.workload.trace;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.workload.CallKind;
import dev.topo.workload.CallKind.LaunchSize;
import dev.topo.workload.ProcessGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
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
 * @param inSplit {@code In split size}, elements for each rank
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
    List<Long> split =
        numbers(inSplit).map(elements -> Math.min(MOST_ELEMENTS, elements) * size).boxed().toList();
    boolean isUneven = split.stream().distinct().count() > 1 && split.size() == members.size();
    if (operation.equals(Optional.of(PeerOperation.ALLTOALLV)) && !isUneven) {
      // PyTorch names both kinds of its call all_to_allv.
      operation = Optional.of(PeerOperation.ALLTOALL);
    }
    boolean isSingle =
        operation.equals(Optional.of(PeerOperation.SENDRECV)) && peer >= 0 && peer < members.size();
    return new CallKind(
        of,
        call.isEmpty() ? kernel.split("\\(", 2)[0] : call,
        operation,
        bytes(operation, in, out),
        type.orElse(DataType.UINT8),
        CallNames.operator(kernel),
        operation.equals(Optional.of(PeerOperation.ALLTOALLV)) ? split : List.of(),
        isSingle ? peer : -1,
        !CallNames.isReceive(call),
        grid > 0 && block > 0 ? Optional.of(new LaunchSize(grid, block)) : Optional.empty());
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
    List<Integer> declared = groups.getOrDefault(group, List.of());
    // The profiler cuts long lists; the group of all ranks needs none.
    return declared.size() == groupSize || groupSize > MOST_RANKS
        ? declared
        : IntStream.range(0, Math.max(0, groupSize)).boxed().toList();
  }

  private static final int MOST_RANKS = 1 << 20;

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
