package dev.topo.search.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.Tuner.ThreadLimits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadLimitsTest {
  private static ThreadLimits limits(String... settings) {
    return new ThreadLimits(JobFixture.dgxH100().facts(), NcclSettings.parse(List.of(settings)));
  }

  @ParameterizedTest
  @CsvSource({"256,256", "32,64", "1024,512", "100,512", "0,512", "-5,512"})
  void nthreadsCountsWithinItsRangeAndInWholeWarps(String wanted, int threads) {
    ThreadLimits limits = limits("NCCL_NTHREADS=" + wanted);
    assertEquals(threads, limits.maxThreads(Algorithm.RING, Protocol.SIMPLE));
    assertEquals(threads, limits.maxThreads(Algorithm.TREE, Protocol.LL));
    assertEquals(640, limits.maxThreads(Algorithm.TREE, Protocol.LL128));
  }

  @ParameterizedTest
  @CsvSource({"320,320", "96,160", "4096,640", "100,640"})
  void ll128NthreadsHasItsOwnRange(String wanted, int threads) {
    ThreadLimits limits = limits("NCCL_LL128_NTHREADS=" + wanted);
    assertEquals(threads, limits.maxThreads(Algorithm.RING, Protocol.LL128));
    assertEquals(512, limits.maxThreads(Algorithm.RING, Protocol.LL));
  }

  @Test
  void thresholdsAreReadForTreeThenRingUntilSomethingElseStands() {
    ThreadLimits limits = limits("NCCL_THREAD_THRESHOLDS=1 -1 3 4 x 6");
    assertEquals(1, limits.thresholdBytes(Algorithm.TREE, Protocol.LL));
    assertEquals(8, limits.thresholdBytes(Algorithm.TREE, Protocol.LL128));
    assertEquals(3, limits.thresholdBytes(Algorithm.TREE, Protocol.SIMPLE));
    assertEquals(4, limits.thresholdBytes(Algorithm.RING, Protocol.LL));
    assertEquals(8, limits.thresholdBytes(Algorithm.RING, Protocol.LL128));
    assertEquals(64, limits.thresholdBytes(Algorithm.RING, Protocol.SIMPLE));
  }
}
