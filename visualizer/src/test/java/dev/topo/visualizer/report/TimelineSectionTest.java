package dev.topo.visualizer.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.CallKindBuilder;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.workload.CallForecast;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.TraceMerger;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadComparison;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimelineSectionTest {
  private static RankTrace.Builder trace(int rank, int ranks, double firstUs, int calls) {
    RankTrace.Builder trace =
        new RankTrace.Builder("r" + rank, Times.START_AND_DURATION).rank(rank).worldSize(ranks);
    int kind =
        trace.number(
            CallKindBuilder.of(Collective.ALL_REDUCE, 1024)
                .in(new ProcessGroup("<b>dp", "", IntStream.range(0, ranks).boxed().toList()))
                .of(DataType.BFLOAT16)
                .build());
    for (int call = 0; call < calls; call++) {
      double end = 100.0 * call + 80;
      double start = call == 0 ? firstUs : 100.0 * call + rank;
      trace.add(kind, start, end - start);
    }
    return trace;
  }

  private static String page(List<RankTrace> traces) {
    CallTimeline timeline = new CallTimeline(traces);
    Workload workload = TraceMerger.join(traces, traces.size(), timeline);
    WorkloadComparison comparison =
        new WorkloadComparison(
            workload,
            workload.sites().stream()
                .map(site -> new SiteComparison(site, CallForecast.unknown("not known")))
                .toList(),
            List.of());
    return WorkloadPage.of(
        new WorkloadSubject(
            "m",
            "on 1 node",
            ReleaseRules.DEFAULT,
            comparison,
            timeline,
            Optional.empty(),
            Optional.empty(),
            List.of()),
        "Nothing is known.",
        Invocation.NONE);
  }

  private static long bars(String page) {
    return page.split("<g class=\"call\">", -1).length - 1;
  }

  @Test
  void ofManyRanksTheLateOnesAndTheFirstAreShown() {
    String page =
        page(IntStream.range(0, 12).mapToObj(rank -> trace(rank, 12, rank, 4).build()).toList());
    assertTrue(page.contains("Of 12 ranks, 0-6,11 are shown"), page);
    assertEquals(8 * 4, bars(page));
    assertTrue(page.contains("not known"));
    assertFalse(page.contains("<b>dp"));
  }

  /** A first call that waits for half a second leaves room for the others. */
  @Test
  void aDrawingBeginsShortlyBeforeTheFirstTransfer() {
    String page = page(List.of(trace(0, 2, -500_000, 3).build(), trace(1, 2, 0, 3).build()));
    assertTrue(page.contains("started 499.93 ms before the left edge"), page);
  }

  @Test
  void ofALongStepTheFirstCallsAreShown() {
    String page = page(List.of(trace(0, 2, 0, 4000).build(), trace(1, 2, 1, 4000).build()));
    assertTrue(page.contains("Of each rank the first 3000 calls are shown"));
    assertEquals(6000, bars(page));
  }

  @Test
  void stepsWithOtherNumbersOfCallsAreNotToldApart() {
    RankTrace.Builder uneven = trace(0, 1, 0, 5);
    uneven.step();
    uneven.step();
    assertTrue(page(List.of(uneven.build())).contains("the whole trace."));
    RankTrace.Builder even = trace(0, 1, 0, 6);
    even.step();
    even.step();
    assertTrue(page(List.of(even.build())).contains("step 2 of 2."));
  }
}
