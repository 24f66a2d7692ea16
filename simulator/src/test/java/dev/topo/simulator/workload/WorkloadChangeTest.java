package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.inspect.trace.CallKindBuilder;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkloadChangeTest {
  private static final double TINY = 1e-3;

  private static RankTrace trace(int rank) {
    return trace(rank, new ProcessGroup("0", "", List.of(0, 1)));
  }

  private static RankTrace trace(int rank, ProcessGroup group) {
    RankTrace.Builder trace =
        new RankTrace.Builder("r" + rank, Times.START_AND_DURATION).rank(rank).worldSize(2);
    int kind = trace.number(CallKindBuilder.of(Collective.ALL_REDUCE, 1024).in(group).build());
    trace.add(kind, 0, 100);
    trace.addCompute(0, 80);
    trace.step();
    return trace.build();
  }

  private static WorkloadComparison comparison(Workload workload, double timeUs) {
    CallForecast forecast = TestForecasts.of(timeUs);
    return new WorkloadComparison(
        workload,
        workload.sites().stream().map(site -> new SiteComparison(site, forecast)).toList(),
        List.of());
  }

  private static StepTime after(double factor) {
    Workload workload = TraceMerger.join(List.of(trace(0), trace(1)), 2);
    return new WorkloadChange("x", comparison(workload, 40), comparison(workload, 40 * factor))
        .stepAfter();
  }

  /** 80 of 100 us are hidden: of a call twice as long all that is more is exposed. */
  @Test
  void whatRunsBesideACallHidesNoMoreThanBefore() {
    assertEquals(200, after(2).communicationUs(), TINY);
    assertEquals(120, after(2).exposedUs().orElseThrow(), TINY);
    assertEquals(180, after(2).lowUs(), TINY);
    assertEquals(220, after(2).highUs(), TINY);
  }

  /** Four ranks in two groups: each rank has one call, so that the step is longer by one. */
  @Test
  void callsOfGroupsThatShareNoRankRunAtOnce() {
    ProcessGroup low = new ProcessGroup("tp", "", List.of(0, 1));
    ProcessGroup high = new ProcessGroup("tp", "", List.of(2, 3));
    Workload workload =
        TraceMerger.join(List.of(trace(0, low), trace(1, low), trace(2, high), trace(3, high)), 4);
    StepTime after =
        new WorkloadChange("x", comparison(workload, 40), comparison(workload, 80)).stepAfter();
    assertEquals(200, after.communicationUs(), TINY);
    assertEquals(120, after.exposedUs().orElseThrow(), TINY);
    assertEquals(40, ExpectedStep.of(comparison(workload, 40)).timeUs(), TINY);
  }

  @Test
  void aCallThatIsHiddenWholeExposesNothing() {
    assertEquals(50, after(0.5).communicationUs(), TINY);
    assertEquals(0, after(0.5).exposedUs().orElseThrow(), TINY);
  }

  /** Each rank makes one call of 100 us, in four groups of two: no rank makes all four. */
  @Test
  void callsOfOtherGroupsAreNotInTheStepOfARank() {
    List<RankTrace> traces =
        IntStream.range(0, 8)
            .mapToObj(
                rank ->
                    trace(rank, new ProcessGroup("0", "", List.of(rank / 2 * 2, rank / 2 * 2 + 1))))
            .toList();
    Workload workload = TraceMerger.join(traces, 8);
    WorkloadChange change =
        new WorkloadChange("x", comparison(workload, 40), comparison(workload, 80));
    for (WorkloadChange one : List.of(change, change.ofGroupKinds())) {
      assertEquals(100, one.stepBefore().communicationUs(), TINY);
      assertEquals(200, one.stepAfter().communicationUs(), TINY);
      assertEquals(120, one.stepAfter().exposedUs().orElseThrow(), TINY);
      assertEquals(1, one.changedKinds().size());
      assertEquals(4, one.changedKinds().get(0).count());
      assertEquals(4, one.changedKinds().get(0).site().groups());
    }
    assertEquals(1, change.ofGroupKinds().before().sites().size());
  }

  /** Of one rank of two only: the call takes what its kernel takes, once. */
  @Test
  void aCallWithWaitingCountsForTheRankWhoseKernelItIs() {
    Workload workload = TraceMerger.join(List.of(trace(0)), 2);
    assertEquals(
        200,
        new WorkloadChange("x", comparison(workload, 40), comparison(workload, 80))
            .stepAfter()
            .communicationUs(),
        TINY);
  }

  @Test
  void equalExpectationsKeepTheStep() {
    assertEquals(100, after(1).communicationUs(), TINY);
    assertEquals(20, after(1).exposedUs().orElseThrow(), TINY);
  }
}
