package dev.topo.inspect.trace;

import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Rejects traces of different jobs: those with different numbers of ranks or NCCL versions, and
 * those whose ranks make different calls, or none, in a shared communicator. Ranks of one job may
 * be traced for different times, so that numbers of calls are not compared.
 */
final class SameJob {
  /** Fraction of the shorter trace's calls that both traces must have in common. */
  private static final double MIN_COMMON = 0.5;

  /** Values of a call that the ranks of a job share; sizes of sends and receives may differ. */
  private record Signature(Operation operation, long bytes, DataType type) {
    static Signature of(CallKind kind, Operation operation) {
      boolean mayDiffer = operation instanceof PeerOperation;
      return new Signature(
          mayDiffer ? PeerOperation.ALLTOALL : operation,
          mayDiffer ? 0 : kind.bytes(),
          mayDiffer ? DataType.INT8 : kind.dataType());
    }

    @Override
    public String toString() {
      return operation instanceof PeerOperation
          ? "sends and receives"
          : operation.label() + " of " + QuantityFormat.size(bytes) + " of " + type.label();
    }
  }

  /** Calls of a trace in a communicator. */
  private record Calls(RankTrace trace, Map<Signature, Long> counts) {
    long total() {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    long common(Calls other) {
      return counts.entrySet().stream()
          .mapToLong(
              entry -> Math.min(entry.getValue(), other.counts.getOrDefault(entry.getKey(), 0L)))
          .sum();
    }

    /** Most frequent call that the other trace does not make. */
    String ownCall(Calls other) {
      return counts.entrySet().stream()
          .filter(entry -> !other.counts.containsKey(entry.getKey()))
          .max(Map.Entry.comparingByValue())
          .map(entry -> entry.getKey().toString())
          .orElse("other calls");
    }
  }

  private SameJob() {}

  /**
   * Rejects traces of different jobs.
   *
   * @throws TopologyFormatException if two belong to different jobs
   */
  static void require(List<RankTrace> traces) {
    // Other formats state the size of a communicator, or only the largest rank that occurs.
    List<RankTrace> timed =
        traces.stream().filter(trace -> trace.times() == Times.START_AND_DURATION).toList();
    requireSame(
        timed,
        trace -> trace.worldSize().isPresent() ? trace.worldSize().getAsInt() : -1,
        size -> size >= 0,
        "a job of %s ranks");
    requireSame(
        traces, trace -> trace.ncclVersion().orElse(""), version -> !version.isEmpty(), "NCCL %s");
    Map<Integer, Map<ProcessGroup, Calls>> callsOfRank = new TreeMap<>();
    for (RankTrace trace : traces) {
      // A table has no version and may have some of the calls; a rank may have several files, one
      // for each communicator.
      if (trace.rank().isPresent() || trace.ncclVersion().isPresent()) {
        int rank = trace.rank().orElse(-1 - callsOfRank.size());
        collect(trace, callsOfRank.computeIfAbsent(rank, key -> new LinkedHashMap<>()));
      }
    }
    Map<ProcessGroup, Calls> first = new LinkedHashMap<>();
    for (Map<ProcessGroup, Calls> calls : callsOfRank.values()) {
      calls.forEach(
          (group, current) -> {
            Calls earlier = first.putIfAbsent(group, current);
            if (earlier != null) {
              requireCommon(group, earlier, current);
            }
          });
    }
    first.forEach((group, calls) -> requireOfAll(group, calls, callsOfRank, timed));
  }

  /** Requires that all ranks of a communicator make calls in it. */
  private static void requireOfAll(
      ProcessGroup group,
      Calls calls,
      Map<Integer, Map<ProcessGroup, Calls>> callsOfRank,
      List<RankTrace> traces) {
    for (RankTrace trace : traces) {
      int rank = trace.rank().orElse(-1);
      if (group.ranks().contains(rank)
          && trace.size() > 0
          && !callsOfRank.getOrDefault(rank, Map.of()).containsKey(group)) {
        throw differentJob(
            trace,
            calls.trace,
            "no call in group " + group.title(),
            calls.ownCall(new Calls(trace, Map.of())));
      }
    }
  }

  private static <T> void requireSame(
      List<RankTrace> traces, Function<RankTrace, T> property, Predicate<T> isKnown, String words) {
    Optional<RankTrace> first =
        traces.stream().filter(trace -> isKnown.test(property.apply(trace))).findFirst();
    for (RankTrace trace : traces) {
      T value = property.apply(trace);
      if (isKnown.test(value) && !value.equals(property.apply(first.orElse(trace)))) {
        throw differentJob(
            trace,
            first.orElse(trace),
            words.formatted(value),
            words.formatted(property.apply(first.orElse(trace))));
      }
    }
  }

  private static TopologyFormatException differentJob(
      RankTrace trace, RankTrace other, String text, String others) {
    return new TopologyFormatException(
        trace.file(),
        "is of another job than %s: %s, there %s; expected traces of one job"
            .formatted(other.file(), text, others));
  }

  /** Adds the calls of a trace, without sends and receives between two ranks. */
  private static void collect(RankTrace trace, Map<ProcessGroup, Calls> calls) {
    for (int i = 0; i < trace.kinds().size(); i++) {
      CallKind kind = trace.kinds().get(i);
      if (kind.operation().isPresent() && !kind.isPair()) {
        calls
            .computeIfAbsent(kind.group(), group -> new Calls(trace, new LinkedHashMap<>()))
            .counts
            .merge(Signature.of(kind, kind.operation().get()), trace.count(i), Long::sum);
      }
    }
  }

  private static void requireCommon(ProcessGroup group, Calls first, Calls second) {
    if (first.common(second) < MIN_COMMON * Math.min(first.total(), second.total())) {
      throw differentJob(
          second.trace,
          first.trace,
          "group %s makes %s".formatted(group.title(), second.ownCall(first)),
          first.ownCall(second));
    }
  }
}
