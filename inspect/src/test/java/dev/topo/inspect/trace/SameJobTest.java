package dev.topo.inspect.trace;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SameJobTest {
  private static final ProcessGroup ALL = new ProcessGroup("0", "all", List.of(0, 1));
  private static final ProcessGroup PART = new ProcessGroup("1", "part", List.of(0, 1));

  private static RankTrace.Builder trace(Times times, int rank) {
    return new RankTrace.Builder("r" + rank, times).rank(rank);
  }

  private static void calls(RankTrace.Builder trace, ProcessGroup group, long bytes, int count) {
    CallKind kind =
        CallKindBuilder.of(Collective.ALL_REDUCE, bytes).in(group).of(DataType.BFLOAT16).build();
    IntStream.range(0, count).forEach(i -> trace.add(trace.number(kind), 100 * i, 50));
  }

  private static RankTrace trace(int rank, UnaryOperator<RankTrace.Builder> with) {
    RankTrace.Builder trace = trace(Times.START_AND_DURATION, rank);
    calls(trace, ALL, 1 << 20, 10);
    return with.apply(trace).build();
  }

  private static String fault(RankTrace... traces) {
    return assertThrows(TopologyFormatException.class, () -> SameJob.require(List.of(traces)))
        .getMessage();
  }

  @Test
  void anotherNumberOfRanksIsAnotherJob() {
    assertEquals(
        "r1: is of another job than r0: a job of 4 ranks, there a job of 2 ranks; expected traces of one job",
        fault(trace(0, one -> one.worldSize(2)), trace(1, one -> one.worldSize(4))));
  }

  @Test
  void anotherNcclIsAnotherJob() {
    assertEquals(
        "r1: is of another job than r0: NCCL 2.27.5, there NCCL 2.28.9; expected traces of one job",
        fault(
            trace(0, one -> one.ncclVersion("2.28.9")),
            trace(1, one -> one.ncclVersion("2.27.5"))));
  }

  @Test
  void aCallOfAllRanksOfAGroupIsOneOfEach() {
    assertEquals(
        "r1: is of another job than r0: no call in group part, there AllReduce of 4 KiB of bfloat16; expected traces of one job",
        fault(
            trace(
                0,
                one -> {
                  calls(one, PART, 4096, 1);
                  return one;
                }),
            trace(1, one -> one)));
  }

  /** One rank was traced for less time, and one call is another one: that gets a note. */
  @Test
  void ranksOfOneJobMayBeTracedForDifferentTimes() {
    RankTrace.Builder shorter = trace(Times.START_AND_DURATION, 1);
    calls(shorter, ALL, 1 << 20, 3);
    calls(shorter, ALL, 1 << 10, 1);
    assertDoesNotThrow(() -> SameJob.require(List.of(trace(0, one -> one), shorter.build())));
  }

  /** NCCL Inspector counts the ranks of each communicator from 0. */
  @Test
  void communicatorsOfOneJobHaveDifferentSizes() {
    RankTrace.Builder first = trace(Times.DURATION, 1).worldSize(2);
    calls(first, ALL, 1 << 20, 2);
    RankTrace.Builder other = trace(Times.DURATION, 1).worldSize(3);
    calls(other, new ProcessGroup("b", "", List.of(0, 1, 2)), 1 << 10, 5);
    RankTrace.Builder third = trace(Times.DURATION, 0).worldSize(3);
    calls(third, new ProcessGroup("b", "", List.of(0, 1, 2)), 1 << 10, 5);
    assertDoesNotThrow(() -> SameJob.require(List.of(first.build(), other.build(), third.build())));
  }
}
