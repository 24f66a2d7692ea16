package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.CallKindBuilder;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallTimelineTest {
  private static final double TINY = 1e-3;

  private static RankTrace trace(int rank, List<Integer> group, double... startsAndDurations) {
    RankTrace.Builder trace =
        new RankTrace.Builder("r" + rank, Times.START_AND_DURATION).rank(rank).worldSize(3);
    int kind =
        trace.number(
            CallKindBuilder.of(Collective.ALL_REDUCE, 1024)
                .in(new ProcessGroup("0", "", group))
                .of(DataType.BFLOAT16)
                .build());
    for (int i = 0; i < startsAndDurations.length; i += 2) {
      trace.add(kind, startsAndDurations[i], startsAndDurations[i + 1]);
    }
    return trace.build();
  }

  @Test
  void aCallHasItsSiteAndWhatItsRankWaited() {
    RankTrace one = trace(0, List.of(0, 1), 0, 50, 100, 40);
    RankTrace two = trace(1, List.of(0, 1), 20, 30, 90, 50);
    CallTimeline timeline = new CallTimeline(List.of(two, one));
    Workload workload = TraceMerger.join(List.of(two, one), 2, timeline);
    assertEquals(List.of(one, two), timeline.traces());
    assertEquals(20, timeline.waitUs(one, 0), TINY);
    assertEquals(0, timeline.waitUs(two, 0), TINY);
    assertEquals(10, timeline.waitUs(two, 1), TINY);
    assertSame(workload.sites().get(0), timeline.site(two, 1));
  }

  /** Rank 1 is on another host; rank 2 has no call with the others. */
  @Test
  void startsAreThoseOfTheFirstClock() {
    RankTrace one = trace(0, List.of(0, 1), 0, 30, 100, 30);
    RankTrace two = trace(1, List.of(0, 1), 70_010, 20, 70_100, 30);
    RankTrace three = trace(2, List.of(2), 5, 30);
    List<RankTrace> traces = List.of(one, two, three);
    CallTimeline timeline = new CallTimeline(traces);
    TraceMerger.join(traces, 3, timeline);
    assertEquals(10, timeline.startUs(two, 0), TINY);
    assertTrue(timeline.isCompared(two));
    assertFalse(timeline.isCompared(three));
    assertEquals(5, timeline.startUs(three, 0), TINY);
  }
}
