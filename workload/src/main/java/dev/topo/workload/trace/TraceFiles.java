package dev.topo.workload.trace;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.workload.RankTrace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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
    // Threads of their own, which inherit the command's set of opened files.
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.min(files.size(), Runtime.getRuntime().availableProcessors()));
    try {
      List<Future<List<RankTrace>>> each = new ArrayList<>();
      for (int place = 0; place < files.size(); place++) {
        Path file = files.get(place);
        int number = place;
        each.add(threads.submit(() -> TraceReader.read(file, number)));
      }
      List<RankTrace> traces = new ArrayList<>();
      for (Future<List<RankTrace>> one : each) {
        traces.addAll(one.get());
        isRead.run();
      }
      requireDifferentRanks(traces);
      SameJob.require(traces);
      return traces;
    } catch (ExecutionException e) {
      throw asItIs(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      threads.shutdownNow();
    }
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

  /** What a thread threw, which is no failure of the thread. */
  private static RuntimeException asItIs(ExecutionException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
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
