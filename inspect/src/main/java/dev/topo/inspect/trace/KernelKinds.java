package dev.topo.inspect.trace;

import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Derives kinds of calls from the profiler's events of NCCL kernels. */
final class KernelKinds {
  private final JsonTrace json;
  private final Map<String, List<Integer>> ranksOf;
  private final Map<GroupKey, ProcessGroup> groups = new HashMap<>();

  /** Identifies a group, so that its ranks are stored only once. */
  private record GroupKey(String name, String description, String ranks, int size) {}

  /**
   * Creates the kinds of one trace.
   *
   * @param ranksOf ranks of groups by name, if the trace lists them
   */
  KernelKinds(JsonTrace json, Map<String, List<Integer>> ranksOf) {
    this.json = json;
    this.ranksOf = ranksOf;
  }

  CallKind kind(KernelEvent event) {
    ProcessGroup group = group(event);
    Optional<DataType> type = CallNames.dataType(event.dataType());
    Optional<Operation> operation = type.flatMap(known -> CallNames.operation(event.call()));
    long size = type.map(DataType::sizeBytes).orElse(1);
    long in = event.inElements() * size;
    long out = event.outElements() * size;
    List<Long> split = split(event, in);
    boolean isSendRecv = operation.equals(Optional.of(PeerOperation.SENDRECV));
    boolean isPair = isSendRecv && event.peer() >= 0 && event.peer() < group.size();
    boolean isReceive = CallNames.isReceive(event.call());
    if (isPair) {
      List<Long> row = new ArrayList<>(Collections.nCopies(group.size(), 0L));
      row.set(event.peer(), isReceive ? 0 : in);
      split = row;
    } else if (operation.equals(Optional.of(PeerOperation.ALLTOALLV))
        && split.stream().distinct().count() <= 1) {
      // PyTorch names both kinds of its call all_to_allv.
      operation = Optional.of(PeerOperation.ALLTOALL);
    }
    boolean isBarrier = in == 0 && event.call().endsWith("barrier");
    return new CallKind(
        group,
        event.call().isEmpty() ? event.kernel().split("\\(", 2)[0] : event.call(),
        operation,
        isBarrier ? DataType.FLOAT32.sizeBytes() : bytes(operation, in, out),
        isBarrier ? DataType.FLOAT32 : type.orElse(DataType.UINT8),
        CallNames.operator(event.kernel()),
        split.size() == group.size() && operation.isPresent() ? split : List.of(),
        isPair ? event.peer() : -1,
        !isReceive,
        shape(event));
  }

  /** Bytes sent to each rank; empty if the trace does not list all of them. */
  private static List<Long> split(KernelEvent event, long in) {
    NumberList parts = NumberList.parse(event.inSplit(), TraceLimits.MAX_ELEMENTS).orElseThrow();
    if (parts.isCut()) {
      return List.of();
    }
    // A split counts rows of the tensor, not elements.
    long rows = Math.max(1, parts.numbers().stream().mapToLong(Long::longValue).sum());
    return parts.numbers().stream().map(part -> Math.round((double) in * part / rows)).toList();
  }

  /**
   * Kind of the call of a kernel that runs several sends and receives, which have events of their
   * own. If the peer of one is unknown, the kind follows from the kernel's event alone.
   *
   * @param parts the sends and receives, at least one, of one group
   */
  CallKind kindOf(KernelEvent event, List<KernelEvent> parts) {
    CallKind first = kind(parts.get(0));
    int ranks = first.group().size();
    List<Long> sent = new ArrayList<>(Collections.nCopies(ranks, 0L));
    long received = 0;
    long sentTotal = 0;
    Set<Integer> peers = new TreeSet<>();
    for (KernelEvent part : parts) {
      CallKind transfer = kind(part);
      if (!transfer.isPair() || transfer.group().size() != ranks) {
        return kind(event);
      }
      peers.add(transfer.peer());
      received = requireLimit(received + (transfer.sends() ? 0 : transfer.bytes()));
      sentTotal = requireLimit(sentTotal + (transfer.sends() ? transfer.bytes() : 0));
      sent.set(
          transfer.peer(),
          requireLimit(sent.get(transfer.peer()) + (transfer.sends() ? transfer.bytes() : 0)));
    }
    return new CallKind(
        first.group(),
        "send and recv",
        first.operation(),
        Math.max(received, sentTotal),
        first.dataType(),
        ReductionOperator.SUM,
        sent,
        peers.size() == 1 ? peers.iterator().next() : -1,
        sentTotal > 0,
        shape(event));
  }

  private long requireLimit(long bytes) {
    if (bytes > TraceLimits.MAX_BYTES) {
      throw json.wrong(
          "the sends and receives of a kernel have %s bytes, expected at most %s"
              .formatted(bytes, TraceLimits.MAX_BYTES));
    }
    return bytes;
  }

  private static Optional<LaunchSize> shape(KernelEvent event) {
    return event.grid() > 0 && event.block() > 0
        ? Optional.of(new LaunchSize(event.grid(), event.block()))
        : Optional.empty();
  }

  private static long bytes(Optional<Operation> operation, long in, long out) {
    if (operation.isPresent()
        && (operation.get() == Collective.ALL_REDUCE || operation.get() == Collective.REDUCE)) {
      return in;
    }
    return Math.max(in, out);
  }

  private ProcessGroup group(KernelEvent event) {
    GroupKey key =
        new GroupKey(event.group(), event.description(), event.ranks(), event.groupSize());
    ProcessGroup known = groups.get(key);
    if (known == null) {
      known = new ProcessGroup(event.group(), event.description(), members(event));
      json.reserve((long) KeptMemory.RANK_BYTES * known.size());
      groups.put(key, known);
    }
    return known;
  }

  private List<Integer> members(KernelEvent event) {
    NumberList listed = NumberList.parse(event.ranks(), TraceLimits.MAX_RANKS).orElseThrow();
    if (!listed.isCut() && !listed.numbers().isEmpty()) {
      return listed.numbers().size() == event.groupSize()
          ? listed.ranks().orElseThrow()
          : List.of();
    }
    // The profiler cuts long lists.
    List<Integer> declared = ranksOf.getOrDefault(event.group(), List.of());
    return declared.size() == event.groupSize() ? declared : List.of();
  }
}
