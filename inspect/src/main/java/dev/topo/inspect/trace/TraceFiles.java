package dev.topo.inspect.trace;

import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.OrderedWork;
import dev.topo.model.io.TopologyFormatException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Reads the traces of a job, several files in parallel. */
public final class TraceFiles {
  private TraceFiles() {}

  /**
   * Reads the traces of some files, in the order of the files.
   *
   * @param inputs opens the files
   * @param isRead called after each file
   * @throws TopologyFormatException if one cannot be read, or two belong to the same rank or to
   *     different jobs
   */
  public static List<RankTrace> read(List<Path> files, Inputs inputs, Runnable isRead) {
    List<RankTrace> traces = new ArrayList<>();
    OrderedWork.run(
        IntStream.range(0, files.size()).boxed().iterator(),
        index -> TraceReader.read(files.get(index), index, inputs),
        ofFile -> {
          traces.addAll(ofFile);
          isRead.run();
        });
    requireDifferentRanks(traces);
    List<RankTrace> completed = ChakraGroups.of(traces);
    SameJob.require(completed);
    return completed;
  }

  /**
   * Number of ranks of a job: as stated by its traces, or else one more than the last rank of its
   * groups.
   */
  public static int worldSize(List<RankTrace> traces) {
    int last =
        traces.stream()
            .flatMap(trace -> trace.kinds().stream())
            .map(CallKind::group)
            .distinct()
            .flatMap(group -> group.ranks().stream())
            .mapToInt(rank -> rank)
            .max()
            .orElse(0);
    return Math.max(
        last + 1,
        traces.stream().flatMapToInt(trace -> trace.worldSize().stream()).max().orElse(0));
  }

  private static void requireDifferentRanks(List<RankTrace> traces) {
    Map<String, RankTrace> first = new HashMap<>();
    for (RankTrace trace : traces) {
      if (trace.rank().isEmpty() || trace.times() == Times.NONE) {
        continue;
      }
      if (trace.times() == Times.START_AND_DURATION) {
        requireFirst(first, trace, "");
        continue;
      }
      // Other traces cover a communicator and one of its ranks.
      for (ProcessGroup group : trace.kinds().stream().map(CallKind::group).distinct().toList()) {
        requireFirst(first, trace, " of group " + group.name());
        requireSize(first, trace, group);
      }
    }
  }

  private static void requireFirst(Map<String, RankTrace> first, RankTrace trace, String group) {
    int rank = trace.rank().orElseThrow();
    RankTrace earlier = first.putIfAbsent(rank + group, trace);
    if (earlier != null) {
      throw wrong(
          trace,
          "is of rank %s%s as %s is, expected a trace for each rank"
              .formatted(rank, group, earlier.file()));
    }
  }

  private static void requireSize(
      Map<String, RankTrace> first, RankTrace trace, ProcessGroup group) {
    RankTrace earlier = first.putIfAbsent("group " + group.name(), trace);
    int knownSize =
        earlier == null
            ? group.size()
            : earlier.kinds().stream()
                .map(CallKind::group)
                .filter(other -> other.name().equals(group.name()))
                .mapToInt(ProcessGroup::size)
                .findFirst()
                .orElse(group.size());
    if (earlier != null && knownSize != group.size()) {
      throw wrong(
          trace,
          "group %s has %s ranks, and %s in %s: expected one number"
              .formatted(group.name(), group.size(), knownSize, earlier.file()));
    }
  }

  private static TopologyFormatException wrong(RankTrace trace, String what) {
    return new TopologyFormatException(trace.file(), what);
  }
}
