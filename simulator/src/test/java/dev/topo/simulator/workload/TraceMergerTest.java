package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.CallKindBuilder;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.io.Inputs;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.workload.CallSite.Basis;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TraceMergerTest {
  private static final double TINY = 1e-3;

  private static CallKind kind(Operation operation, long bytes, int peer, boolean sends, int size) {
    return CallKindBuilder.of(operation, bytes)
        .in(new ProcessGroup("0", "", IntStream.range(0, size).boxed().toList()))
        .of(DataType.BFLOAT16)
        .with(peer, sends)
        .build();
  }

  private static final CallKind REDUCE = kind(Collective.ALL_REDUCE, 1024, -1, true, 2);

  private static RankTrace.Builder trace(int rank) {
    return new RankTrace.Builder("r" + rank, Times.START_AND_DURATION).rank(rank).worldSize(2);
  }

  private static RankTrace calls(int rank, CallKind kind, double... startsAndDurations) {
    RankTrace.Builder trace = trace(rank);
    for (int i = 0; i < startsAndDurations.length; i += 2) {
      trace.add(trace.number(kind), startsAndDurations[i], startsAndDurations[i + 1]);
    }
    return trace.build();
  }

  @Test
  void aCallLastsFromTheLastArrivalToTheEnd() {
    Workload workload =
        TraceMerger.join(
            List.of(
                calls(0, REDUCE, 0, 50, 100, 40, 200, 30),
                calls(1, REDUCE, 20, 30, 110, 31, 190, 39)),
            2);
    CallSite site = workload.sites().get(0);
    assertEquals(Basis.ARRIVAL, site.basis());
    assertEquals(3, site.count());
    // Without the first call: 141 - 110 and 230 - 200.
    assertEquals(30.5, site.medianUs().orElseThrow(), TINY);
    assertEquals(10, site.waitedUs().orElseThrow(), TINY);
    assertEquals(1, workload.late().get(0).rank());
    assertEquals(2, workload.late().get(0).calls());
    assertEquals(30, workload.late().get(0).waitedUs(), TINY);
  }

  @Test
  void aCallBesideComputationIsApartFromOthers() {
    RankTrace.Builder trace = trace(0);
    int number = trace.number(REDUCE);
    trace.add(number, 0, 30);
    trace.add(number, 100, 30);
    trace.addCompute(110, 40);
    Workload workload =
        TraceMerger.join(List.of(trace.build(), calls(1, REDUCE, 0, 30, 100, 30)), 2);
    assertEquals(2, workload.sites().size());
    CallSite beside =
        workload.sites().stream().filter(CallSite::isOverlapped).findFirst().orElseThrow();
    // 20 of the 30 us on one of two ranks.
    assertEquals(20, beside.exposedUs(), TINY);
    assertEquals(35, beside.exposedUs(1.5), TINY);
    assertEquals(60, workload.step().orElseThrow().communicationUs(), TINY);
    assertEquals(50, workload.step().orElseThrow().exposedUs().orElseThrow(), TINY);
  }

  @Test
  void computationWhileARankWaitsIsNotBesideTheCall() {
    RankTrace.Builder early = trace(0);
    early.add(early.number(REDUCE), 0, 130);
    early.addCompute(10, 60);
    Workload workload = TraceMerger.join(List.of(early.build(), calls(1, REDUCE, 100, 30)), 2);
    assertFalse(workload.sites().get(0).isOverlapped());
  }

  @Test
  void clocksOfOtherHostsAreComparedByTheEndsOfCalls() {
    Workload workload =
        TraceMerger.join(
            List.of(
                calls(0, REDUCE, 0, 30, 100, 30, 200, 30),
                calls(1, REDUCE, 70_010, 20, 70_100, 30, 70_210, 20)),
            2);
    assertEquals(25, workload.sites().get(0).medianUs().orElseThrow(), TINY);
  }

  @Test
  void anotherNumberOfCallsIsSaidWithItsRank() {
    Workload workload =
        TraceMerger.join(List.of(calls(0, REDUCE, 0, 30, 100, 30), calls(1, REDUCE, 0, 30)), 2);
    assertEquals(
        List.of("group 0: 2 calls on rank 0, 1 on rank 1; its times include waiting"),
        workload.notes());
    assertEquals(Basis.WITH_WAITING, workload.sites().get(0).basis());
  }

  @Test
  void callsThatDoNotMatchKeepTheirWaiting() {
    CallKind other = kind(Collective.ALL_REDUCE, 4096, -1, true, 2);
    Workload workload =
        TraceMerger.join(List.of(calls(0, REDUCE, 0, 30), calls(1, other, 10, 20)), 2);
    assertEquals(Basis.WITH_WAITING, workload.sites().get(0).basis());
    assertTrue(workload.notes().get(0).startsWith("group 0: call 1 is all_reduce of 1024 bytes"));
  }

  @Test
  void aTraceOfOneRankKeepsItsWaiting() {
    Workload workload = TraceMerger.join(List.of(calls(0, REDUCE, 0, 30, 40, 50)), 2);
    assertEquals(Basis.WITH_WAITING, workload.sites().get(0).basis());
    assertEquals(50, workload.sites().get(0).medianUs().orElseThrow(), TINY);
  }

  @Test
  void aSendIsMatchedWithItsReceiveOnly() {
    CallKind toTwo = kind(PeerOperation.SENDRECV, 1024, 2, true, 3);
    CallKind fromZero = kind(PeerOperation.SENDRECV, 1024, 0, false, 3);
    Workload workload =
        TraceMerger.join(
            List.of(
                calls(0, toTwo, 0, 30, 50, 30),
                calls(1, kind(PeerOperation.SENDRECV, 8, 0, true, 3), 5, 1),
                calls(2, fromZero, 10, 20, 45, 36)),
            3);
    CallSite site =
        workload.sites().stream()
            .filter(one -> one.kind().bytes() == 1024)
            .findFirst()
            .orElseThrow();
    assertEquals(Basis.ARRIVAL, site.basis());
    assertEquals(31, site.medianUs().orElseThrow(), TINY);
  }

  @Test
  void callsAtTheSameTimeAreMarked() {
    CallKind other = kind(Collective.ALL_GATHER, 4096, -1, true, 2);
    RankTrace.Builder one = trace(0);
    one.add(one.number(REDUCE), 0, 30);
    one.add(one.number(other), 10, 30);
    RankTrace.Builder two = trace(1);
    two.add(two.number(REDUCE), 0, 30);
    two.add(two.number(other), 10, 30);
    Workload workload = TraceMerger.join(List.of(one.build(), two.build()), 2);
    assertTrue(workload.sites().stream().allMatch(CallSite::isConcurrent));
    assertEquals(40, workload.step().orElseThrow().communicationUs(), TINY);
  }

  private static CallKind alltoall(long... sent) {
    CallKind kind = kind(PeerOperation.ALLTOALLV, 1000, -1, true, 2);
    return new CallKind(
        kind.group(),
        kind.name(),
        kind.operation(),
        1000,
        kind.dataType(),
        kind.operator(),
        LongStream.of(sent).boxed().toList(),
        -1,
        true,
        Optional.empty());
  }

  /** A rank whose parts happen to be equal makes the same call as one whose parts differ. */
  @Test
  void partsOfAllRanksMakeOneMatrix() {
    Workload workload =
        TraceMerger.join(
            List.of(
                calls(0, alltoall(300, 700), 0, 30),
                calls(1, kind(PeerOperation.ALLTOALL, 1000, -1, true, 2), 10, 20)),
            2);
    CallSite site = workload.sites().get(0);
    assertEquals(Optional.of(PeerOperation.ALLTOALLV), site.kind().operation());
    assertEquals(List.of(List.of(300L, 700L), List.of(500L, 500L)), site.sent());
    assertEquals(Basis.ARRIVAL, site.basis());
  }

  @Test
  void equalPartsOfAllRanksAreAPlainAlltoall() {
    Workload workload =
        TraceMerger.join(
            List.of(calls(0, alltoall(500, 500), 0, 30), calls(1, alltoall(500, 500), 10, 20)), 2);
    assertEquals(Optional.of(PeerOperation.ALLTOALL), workload.sites().get(0).kind().operation());
  }

  @Test
  void anAllGatherOfDifferentSizesIsNoPlainOne() {
    Workload workload =
        TraceMerger.join(
            List.of(
                calls(0, kind(Collective.ALL_GATHER, 3000, -1, true, 2), 0, 30),
                calls(1, kind(Collective.ALL_GATHER, 1000, -1, true, 2), 10, 20)),
            2);
    CallSite site = workload.sites().get(0);
    assertEquals(Optional.empty(), site.kind().operation());
    assertEquals("all_gather of different sizes", site.kind().name());
    assertEquals(20, site.medianUs().orElseThrow(), TINY);
  }

  @Test
  void aGroupWhoseRanksAreNotKnownKeepsItsCalls() {
    CallKind kind =
        CallKindBuilder.unknown("kernel")
            .in(new ProcessGroup("", "", List.of()))
            .of(DataType.UINT8)
            .build();
    Workload workload = TraceMerger.join(List.of(calls(0, kind, 0, 30), calls(1, kind, 0, 30)), 2);
    assertEquals(2, workload.sites().get(0).count());
    assertEquals(Basis.WITH_WAITING, workload.sites().get(0).basis());
  }

  /** ChakraFileTest has the calls of these traces. */
  @Test
  void groupsOfChakraTracesHaveTheRanksWhoseTracesHaveTheirCalls() {
    Path seeds = Path.of(System.getProperty("topo.root"), "src/test/resources/fuzz");
    List<RankTrace> traces =
        TraceFiles.read(
            List.of(seeds.resolve("step.0.et"), seeds.resolve("step.1.et")),
            new Inputs(),
            () -> {});
    Workload workload = TraceMerger.join(traces, TraceFiles.worldSize(traces));
    assertEquals(2, workload.worldSize());
    assertTrue(workload.notes().get(0).startsWith("Chakra traces do not list the ranks"));
    CallSite reduce = site(workload, Collective.ALL_REDUCE);
    assertEquals(List.of(0, 1), reduce.kind().group().ranks());
    assertEquals(75, reduce.medianUs().orElseThrow(), 1e-3, "the rank that waits least");
    assertEquals(
        16 << 20, site(workload, Collective.ALL_GATHER).kind().bytes(), "8 MiB of each rank");
    assertEquals(OptionalDouble.empty(), workload.step().orElseThrow().exposedUs());
  }

  private static CallSite site(Workload workload, Collective operation) {
    return workload.sites().stream()
        .filter(one -> one.kind().operation().equals(Optional.of(operation)))
        .findFirst()
        .orElseThrow();
  }
}
