package dev.topo.workload.trace;

import dev.topo.model.concurrent.OrderedWork;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.workload.RankTrace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Reads the traces of a job, several files at once. */
public final class TraceFiles {
  private TraceFiles() {}

  /**
   * The traces of some files, in their order.
   *
   * @param isRead called after each file
   * @throws TopologyFormatException if one cannot be read, two are of the same rank, or of
   *     different jobs
   */
  public static List<RankTrace> read(List<Path> files, Runnable isRead) {
    List<RankTrace> traces = new ArrayList<>();
    OrderedWork.run(
        IntStream.range(0, files.size()).boxed().iterator(),
        place -> TraceReader.read(files.get(place), place),
        ofFile -> {
          traces.addAll(ofFile);
          isRead.run();
        });
    requireDifferentRanks(traces);
    List<RankTrace> known = ChakraGroups.of(traces);
    SameJob.require(known);
    return known;
  }

  /**
   * Number of ranks of a job: as its traces say, or else one more than the last rank of its groups.
   */
  public static int worldSize(List<RankTrace> traces) {
    int last =
        traces.stream()
            .flatMap(trace -> trace.kinds().stream())
            .flatMap(kind -> kind.group().ranks().stream())
            .mapToInt(rank -> rank)
            .max()
            .orElse(0);
    return Math.max(
        last + 1,
        traces.stream().flatMapToInt(trace -> trace.worldSize().stream()).max().orElse(0));
  }

  private static void requireDifferentRanks(List<RankTrace> traces) {
    Map<Integer, String> fileOf = new HashMap<>();
    for (RankTrace trace : traces) {
      if (trace.rank().isEmpty() || trace.times() != RankTrace.Times.START_AND_DURATION) {
        continue;
      }
      String other = fileOf.putIfAbsent(trace.rank().getAsInt(), trace.file());
      if (other != null) {
        throw new TopologyFormatException(
            SourceLocation.of(trace.file()),
            "is of rank "
                + trace.rank().getAsInt()
                + " as "
                + other
                + " is, expected a trace for each rank");
      }
    }
  }
}
