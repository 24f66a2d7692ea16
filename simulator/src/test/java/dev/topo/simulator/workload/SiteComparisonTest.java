package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.inspect.trace.CallKindBuilder;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.operation.Collective;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteComparisonTest {
  private static RankTrace trace(int rank, double startUs, double durationUs) {
    RankTrace.Builder trace =
        new RankTrace.Builder("r" + rank, Times.START_AND_DURATION).rank(rank).worldSize(2);
    int kind = trace.number(CallKindBuilder.of(Collective.BROADCAST, 1 << 20).build());
    trace.add(kind, startUs, durationUs);
    trace.step();
    return trace.build();
  }

  /** A call of 50 us that one rank waited for: how long, and what is expected. */
  @ParameterizedTest
  @CsvSource({
    "100, 80, true", // the first 30 us were over before
    "100, 54, false", // in the range
    "100, 40, false", // slower than expected
    "20, 80, false", // waited too short for that
    "100, 200, false"
  })
  void aCallThatBeganBeforeItsLastRankCameIsMarked(
      double waitedUs, double expectedUs, boolean isBegunEarly) {
    CallSite site =
        TraceMerger.join(List.of(trace(0, 0, waitedUs + 50), trace(1, waitedUs, 50)), 2)
            .sites()
            .get(0);
    SiteComparison comparison = new SiteComparison(site, TestForecasts.of(expectedUs));
    assertEquals(isBegunEarly, comparison.isBegunEarly());
    assertEquals(isBegunEarly, comparison.remarks().contains("begun before the last rank came"));
  }
}
