package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.CallKindBuilder;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.operation.Collective;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Groups of two ranks that make the same calls: a first one of 1,000 us, then four. */
class GroupKindsTest {
  private static final double TINY = 1e-3;
  private static final int CALLS = 4;

  private static List<RankTrace> traces(int groups, String name, IntToDoubleFunction timeUs) {
    List<RankTrace> traces = new ArrayList<>();
    for (int rank = 0; rank < 2 * groups; rank++) {
      int group = rank / 2;
      RankTrace.Builder trace =
          new RankTrace.Builder("r" + rank, Times.START_AND_DURATION).rank(rank);
      int kind =
          trace.number(kind(new ProcessGroup("" + group, name, List.of(2 * group, 2 * group + 1))));
      trace.add(kind, 0, 1000);
      for (int call = 1; call <= CALLS; call++) {
        trace.add(kind, 2000 * call, timeUs.applyAsDouble(group));
      }
      traces.add(trace.build());
    }
    return traces;
  }

  private static CallKind kind(ProcessGroup group) {
    return CallKindBuilder.of(Collective.ALL_REDUCE, 1024).in(group).build();
  }

  private static List<CallSite> together(
      List<RankTrace> traces, Function<CallSite, Object> outcome) {
    Workload workload = TraceMerger.join(traces, traces.size());
    return GroupKinds.together(workload.sites(), site -> site, outcome, (alike, calls) -> calls);
  }

  @Test
  void groupsOfOneKindAreOneSiteWithoutTheFirstCallOfEach() {
    List<CallSite> sites = together(traces(8, "tp", group -> 100 + group), site -> "");
    assertEquals(1, sites.size());
    CallSite all = sites.get(0);
    assertEquals(8, all.groups());
    assertEquals(8 * (CALLS + 1), all.count());
    assertEquals(8 * CALLS, all.countedUs().length);
    assertEquals(103.5, all.medianUs().orElseThrow(), TINY);
    assertEquals(107, all.quantileUs(1).orElseThrow(), TINY);
    assertEquals(List.of(0, 1), all.kind().group().ranks());
    assertFalse(all.isFirstOnly());
  }

  @Test
  void groupsThatTheModelExpectsAnotherTimeOfStayApart() {
    List<CallSite> sites =
        together(
            traces(8, "tp", group -> 100),
            site -> site.kind().group().ranks().get(0) < 6 ? "near" : "far");
    assertEquals(List.of(5, 3), sites.stream().map(CallSite::groups).toList());
    assertEquals(6, sites.get(0).kind().group().ranks().get(0));
  }

  @Test
  void groupsOfAnotherNameStayApart() {
    List<RankTrace> traces = new ArrayList<>(traces(2, "tp", group -> 100));
    traces.addAll(traces(4, "dp", group -> 200).subList(4, 8));
    List<CallSite> sites = together(traces, site -> "");
    assertEquals(
        List.of("dp", "tp"), sites.stream().map(site -> site.kind().group().title()).toList());
    assertEquals(2, sites.get(0).groups());
  }

  @Test
  void onlyFirstCallsAreCountedWhereThereAreNoOthers() {
    List<RankTrace> traces =
        IntStream.range(0, 4)
            .mapToObj(
                rank -> {
                  RankTrace.Builder trace =
                      new RankTrace.Builder("r" + rank, Times.START_AND_DURATION).rank(rank);
                  int first = rank / 2 * 2;
                  ProcessGroup group = new ProcessGroup("", "tp", List.of(first, first + 1));
                  trace.add(trace.number(kind(group)), 0, 50);
                  return trace.build();
                })
            .toList();
    CallSite all = together(traces, site -> "").get(0);
    assertTrue(all.isFirstOnly());
    assertEquals(50, all.medianUs().orElseThrow(), TINY);
  }

  @Test
  void aSlowGroupIsApartFromOthersThatScatterLess() {
    GroupSpread spread = spread(group -> group == 5 ? 130 : 100 + group % 3);
    assertTrue(spread.isApart());
    assertEquals(List.of(10, 11), spread.slowest().ranks());
    assertEquals(130, spread.slowestUs(), TINY);
    assertEquals(101, spread.medianUs(), TINY);
    assertEquals(8, spread.groups());
  }

  @Test
  void theSlowestOfGroupsThatScatterIsNotApart() {
    assertFalse(spread(group -> 100 + 10 * group).isApart(), "each is slower than another one");
    assertFalse(spread(group -> group == 5 ? 108 : 100).isApart(), "8 % is too little");
    assertEquals(List.of(0, 1), spread(group -> 100).slowest().ranks(), "the first of equal ones");
  }

  @Test
  void ofTwoGroupsNoneIsApart() {
    List<CallSite> sites = together(traces(2, "tp", group -> 100 + 100 * group), site -> "");
    assertFalse(GroupSpread.of(sites.get(0)).orElseThrow().isApart());
    assertTrue(
        GroupSpread.of(together(traces(1, "tp", group -> 100), site -> "").get(0)).isEmpty());
  }

  private static GroupSpread spread(IntToDoubleFunction timeUs) {
    return GroupSpread.of(together(traces(8, "tp", timeUs), site -> "").get(0)).orElseThrow();
  }
}
