package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.MadeUpTrace;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.model.fixture.Growth;
import dev.topo.model.fixture.Thorough;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Traces of many ranks: 64 with 200 calls each, or with {@code -Dtopo.test.thorough=true} 1,024
 * with 10,000 calls, whose memory is printed.
 */
class LargeWorkloadTest {
  private static final boolean THOROUGH = Thorough.isOn();
  private static final int RANKS = Integer.getInteger("test.ranks", THOROUGH ? 1024 : 64);
  private static final int CALLS = Integer.getInteger("test.calls", THOROUGH ? 10_000 : 200);
  private static final int THREADS = 2;
  private static final long MIB = 1 << 20;

  @Test
  void manyRanksAreJoined() throws InterruptedException, ExecutionException {
    Workload workload = TraceMerger.join(traces(), RANKS);
    long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    System.out.println(
        String.format(
            Locale.ROOT,
            "workload of %d ranks x %d calls: %d MiB of heap in use",
            RANKS,
            CALLS,
            heap / MIB));
    assertEquals(RANKS, workload.tracedRanks());
    assertEquals(List.of(), workload.notes());
    long groups = RANKS / MadeUpTrace.GROUP;
    assertEquals(
        groups * CALLS / 10 * 9 + CALLS / 10,
        workload.sites().stream().mapToLong(CallSite::count).sum());
    assertTrue(workload.late().get(0).waitedUs() > 0);
  }

  @Test
  void theWorkOfJoiningGrowsWithTheCalls() {
    Growth.assertLinear(
        "bytes allocated to join",
        500,
        calls -> {
          List<RankTrace> traces = read(16, calls);
          return Growth.bytesAllocated(calls, n -> TraceMerger.join(traces, 16));
        });
  }

  @Test
  void theWorkOfJoiningGrowsWithTheRanks() {
    Growth.assertLinear(
        "bytes allocated to join",
        32,
        ranks -> {
          List<RankTrace> traces = read(ranks, 100);
          return Growth.bytesAllocated(ranks, n -> TraceMerger.join(traces, n));
        });
  }

  private static List<RankTrace> read(int ranks, int calls) {
    return IntStream.range(0, ranks)
        .boxed()
        .flatMap(rank -> MadeUpTrace.read(rank, ranks, calls).stream())
        .toList();
  }

  private static List<RankTrace> traces() throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<List<RankTrace>>> each = new ArrayList<>();
      for (int rank = 0; rank < RANKS; rank++) {
        int number = rank;
        each.add(threads.submit(() -> MadeUpTrace.read(number, RANKS, CALLS)));
      }
      List<RankTrace> traces = new ArrayList<>();
      for (Future<List<RankTrace>> one : each) {
        traces.addAll(one.get());
      }
      return traces;
    } finally {
      threads.shutdownNow();
    }
  }
}
