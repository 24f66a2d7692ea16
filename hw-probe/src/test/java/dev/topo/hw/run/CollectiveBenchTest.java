package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.HostGpus;
import dev.topo.hw.fixture.Requests;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollectiveBenchTest {
  private static final int BUFFER = 1 << 20;
  private static final SizeSweep SIZES = new SizeSweep(32, 1024, 0, 32);
  private static final Repetition SHORT = new Repetition(2, 1, 1, 1, 1, Blocking.NONE, 0);

  private final List<Row> rows = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();

  /** A millisecond passes with each look at the clock. */
  private long nowNs;

  private void run(RunRequest request, HostGpus gpus) {
    ThreadTeam.Member member = new ThreadTeam(1, Peers.ALONE).member(0);
    new CollectiveBench(
            request, BUFFER, gpus, member, () -> nowNs += 1_000_000, steps::add, rows::add)
        .run();
  }

  /** All types and operators; sums wrap nowhere and every rounding is foreseen. */
  @ParameterizedTest
  @EnumSource(RunCollective.class)
  void rightResultsAreFoundRight(RunCollective collective) {
    boolean isHypercube = collective == RunCollective.HYPERCUBE;
    for (int nRanks : isHypercube ? new int[] {1, 2, 16} : new int[] {1, 2, 3, 20}) {
      boolean few = nRanks <= 3;
      rows.clear();
      run(
          Requests.of(
              collective,
              SIZES,
              List.of(DataType.values()),
              List.of(ReductionOperator.values()),
              few ? -1 : nRanks - 1,
              SHORT,
              Optional.empty()),
          new HostGpus(nRanks, 1 << 12));
      for (Row row : rows) {
        String where = collective + " on " + nRanks + " ranks: " + row;
        assertEquals(OptionalLong.of(0), row.outOfPlace().wrong(), where);
        assertEquals(
            collective.inPlaceDefined() ? OptionalLong.of(0) : OptionalLong.empty(),
            row.inPlace().wrong(),
            where);
      }
      int operators = collective.listsOperators() ? ReductionOperator.values().length : 1;
      int roots = collective.rooted() && few ? nRanks : 1;
      assertEquals(DataType.values().length * operators * roots * 2, rows.size());
    }
  }

  @ParameterizedTest
  @EnumSource(RunCollective.class)
  void aFalsifiedElementIsFound(RunCollective collective) {
    for (DataType type : DataType.values()) {
      for (ReductionOperator operator : ReductionOperator.values()) {
        rows.clear();
        run(
            Requests.of(
                collective,
                new SizeSweep(4096, 4096, 0, 2),
                List.of(type),
                List.of(operator),
                2,
                SHORT,
                Optional.of(new Corruption(2, 17))),
            new HostGpus(collective == RunCollective.HYPERCUBE ? 4 : 3, BUFFER));
        CallResult outOfPlace = rows.get(0).outOfPlace();
        assertEquals(OptionalLong.of(1), outOfPlace.wrong(), collective + " " + type);
        assertTrue(outOfPlace.firstWrong().orElse("").startsWith("rank 2, element 17: bytes "));
      }
    }
  }

  /** Each look at the clock takes the second thread three times as long. */
  @Test
  void aLaunchIsThatOfTheSlowestRank() throws InterruptedException {
    RunRequest request = LaunchTime.request(ProcessLayout.of(2, 1, Registration.NONE), 0);
    ThreadTeam team = new ThreadTeam(2, Peers.ALONE);
    AtomicLong slowNs = new AtomicLong();
    Thread slow =
        new Thread(
            () ->
                new CollectiveBench(
                        request,
                        BUFFER,
                        new HostGpus(1, BUFFER),
                        team.member(1),
                        () -> slowNs.addAndGet(3_000_000),
                        what -> {},
                        row -> {})
                    .run());
    slow.start();
    new CollectiveBench(
            request,
            BUFFER,
            new HostGpus(1, BUFFER),
            team.member(0),
            () -> nowNs += 1_000_000,
            steps::add,
            rows::add)
        .run();
    slow.join();
    assertEquals(20, rows.size());
    // 3 ms for the hundred calls between two looks
    assertEquals(new LaunchTime.Start(30, 30, 30), LaunchTime.Start.of(rows));
  }

  @Test
  void rowsHaveTheSizesOfNcclTests() {
    run(
        Requests.of(RunCollective.ALL_GATHER, new SizeSweep(8, 1024, 0, 8)),
        new HostGpus(4, BUFFER));
    // nccl-tests: all_gather_perf -g 4 -b 8 -e 1K -f 8, four ranks with parts of whole 16 bytes.
    assertEquals(List.of(0L, 64L, 512L), rows.stream().map(Row::sizeBytes).toList());
    assertEquals(List.of(0L, 4L, 32L), rows.stream().map(Row::count).toList());
    assertEquals(-1, rows.get(0).root());
    assertEquals("none", rows.get(0).operator());
  }

  @Test
  void busbwIsAlgbwTimesTheShareOfTheBusiestLink() {
    for (RunCollective collective : RunCollective.values()) {
      rows.clear();
      run(Requests.of(collective, new SizeSweep(4096, 4096, 0, 2)), new HostGpus(4, BUFFER));
      CallResult one = rows.get(0).outOfPlace();
      double factor =
          switch (collective) {
            case ALL_REDUCE -> 1.5;
            case ALL_GATHER, REDUCE_SCATTER, ALLTOALL, ALLTOALLV, GATHER, SCATTER -> 0.75;
            case BROADCAST, REDUCE, SENDRECV, HYPERCUBE -> 1;
          };
      // Of an alltoallv on 4 ranks: 682, 1365 and 2048 bytes, in multiples of 16.
      double bytes =
          switch (collective) {
            case HYPERCUBE -> 3072;
            case ALLTOALLV -> 672 + 1360 + 2048;
            default -> 4096;
          };
      assertEquals(one.algbwGBps() * factor, one.busbwGBps(), 1e-9, collective.label());
      assertEquals(bytes / 1e3 / one.timeUs(), one.algbwGBps(), 1e-9, collective.label());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void callsAreCounted(int blocking) {
    HostGpus gpus = new HostGpus(2, BUFFER);
    run(
        Requests.of(
            RunCollective.ALL_REDUCE,
            new SizeSweep(1024, 1024, 0, 2),
            List.of(DataType.FLOAT32),
            List.of(ReductionOperator.SUM),
            0,
            new Repetition(5, 3, 2, 1, 1, Blocking.values()[blocking], 0),
            Optional.empty()),
        gpus);
    // Ten measurements without data and two warm-ups; then, with two buffers and with one, a first
    // call, 5 times
    // 3, and a checked
    // one.
    assertEquals(10 * (1 + 15 + 1) + 2 + 2 * (1 + 15 + 1), gpus.launches);
    assertEquals(0, gpus.openGroups);
  }

  private static RunRequest timed(RunCollective collective, Blocking blocking, int skipped) {
    RunRequest plain = Requests.of(collective, new SizeSweep(1024, 1024, 0, 2));
    return RunRequest.of(
        plain.calls(),
        new Repetition(3, 2, 0, 1, 0, blocking, 0),
        new Reporting(Average.MEAN, false, false, false, true, skipped),
        plain.use(),
        1,
        Optional.empty());
  }

  @Test
  void iterationsAreTimedByTheEventsBetweenThem() {
    HostGpus gpus = new HostGpus(3, BUFFER);
    run(timed(RunCollective.ALL_REDUCE, Blocking.NONE, 1), gpus);
    List<Integer> last = gpus.recorded.subList(gpus.recorded.size() - 4, gpus.recorded.size());
    assertEquals(List.of(0, 1, 2, 3), last);
    IterationTimes times = rows.get(0).outOfPlace().iterations();
    // GPU 2 is the slowest, two calls are in an iteration.
    assertEquals(List.of(List.of(51.0, 51.0, 51.0)), times.processesUs());
    assertEquals(2, times.longestUs(1).size());
  }

  @Test
  void iterationsThatAreFollowedByABarrierHaveEventsOfTheirOwn() {
    HostGpus gpus = new HostGpus(2, BUFFER);
    run(timed(RunCollective.ALL_REDUCE, Blocking.EACH_ITERATION_AND_MEET, 0), gpus);
    List<Integer> last = gpus.recorded.subList(gpus.recorded.size() - 6, gpus.recorded.size());
    assertEquals(List.of(0, 1, 2, 3, 4, 5), last);
  }

  @ParameterizedTest
  @EnumSource(RunCollective.class)
  void misalignedResultsAreFoundRight(RunCollective collective) {
    RunRequest plain = Requests.of(collective, SIZES);
    ProcessLayout misaligned = new ProcessLayout(1, 1, Registration.NONE, 3, false);
    HostGpus gpus = new HostGpus(4, BUFFER + 32);
    run(
        RunRequest.of(plain.calls(), SHORT, plain.reporting(), misaligned, 1, Optional.empty()),
        gpus);
    assertEquals(OptionalLong.of(0), rows.get(1).outOfPlace().wrong());
    byte[] before = new byte[12];
    gpus.read(0, GpuGroup.Buffer.RECEIVE, 0, before, 12);
    assertArrayEquals(new byte[12], before, "nothing is written before the first element");
  }

  @Test
  void aHypercubeNeedsAPowerOfTwoAndCallsOutsideGroups() {
    RunRequest request = Requests.of(RunCollective.HYPERCUBE, SIZES);
    RunFailure failure =
        assertThrows(RunFailure.class, () -> run(request, new HostGpus(3, BUFFER)));
    assertEquals("hypercube on 3 ranks: expected a power of 2", failure.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> timed(RunCollective.HYPERCUBE, Blocking.NONE, 0));
  }

  @Test
  void withoutChecksNothingIsCompared() {
    run(
        Requests.of(
            RunCollective.ALL_REDUCE,
            SIZES,
            List.of(DataType.FLOAT32),
            List.of(ReductionOperator.SUM),
            0,
            new Repetition(1, 1, 0, 2, 0, Blocking.NONE, 0),
            Optional.of(new Corruption(0, 0))),
        new HostGpus(2, BUFFER));
    assertEquals(2 * 2, rows.size(), "two cycles of two sizes");
    assertEquals(OptionalLong.empty(), rows.get(0).outOfPlace().wrong());
  }

  @Test
  void sizesAboveTheBufferAreLeftOut() {
    run(
        Requests.of(RunCollective.ALL_REDUCE, new SizeSweep(BUFFER / 2, BUFFER * 8L, 0, 2)),
        new HostGpus(2, BUFFER));
    assertEquals(2, rows.size());
  }

  @Test
  void aStalledCollectiveEndsAtTheTimeLimitAndNamesTheRanks() {
    HostGpus gpus = new HostGpus(2, BUFFER);
    gpus.hangs = true;
    RunFailure stalled =
        assertThrows(
            RunFailure.class, () -> run(Requests.of(RunCollective.ALL_REDUCE, SIZES), gpus));
    assertEquals(RunFailure.Reason.STALLED, stalled.reason());
    assertEquals("ranks 0, 1 waited 1 s in the first calls", stalled.getMessage());
  }

  @Test
  void eachStepIsAnnounced() {
    run(Requests.of(RunCollective.REDUCE, new SizeSweep(64, 64, 0, 2)), new HostGpus(2, BUFFER));
    assertEquals(
        List.of(
            "warming up",
            "warming up reduce of 64 B",
            "reduce of 64 B out of place",
            "reduce of 64 B in place"),
        steps);
  }

  @Test
  void variantsAreMeasuredInTurns() {
    RunRequest request =
        Requests.of(RunCollective.ALL_REDUCE, SIZES)
            .withComparison(
                new AlternatingRun(
                    List.of(
                        variant("NCCL's choice", RunCollective.ALL_REDUCE),
                        variant("PAT/Simple", RunCollective.ALL_GATHER),
                        variant("Ring/LL", RunCollective.ALL_REDUCE),
                        variant("Tree/LL", RunCollective.ALL_REDUCE)),
                    2));
    HostGpus gpus = new HostGpus(2, BUFFER);
    run(request, gpus);
    List<Integer> each = List.of(0, 2, 3, 2, 3, 0);
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < 2 * each.size(); i++) {
      turns.add(new Turn(each.get(i % each.size()), i % each.size() / 3));
    }
    assertEquals(turns, rows.stream().map(Row::turn).toList());
    assertEquals(List.of(32L, 1024L), rows.stream().map(Row::sizeBytes).distinct().toList());
    List<Integer> selected = new ArrayList<>(List.of(0, 2, 3));
    turns.forEach(turn -> selected.add(turn.variant()));
    assertEquals(selected, gpus.selected, "each is warmed up, then measured");
    assertTrue(steps.contains("all_reduce of 32 B in place by Tree/LL"), steps.toString());
    assertTrue(steps.contains("warming up all_reduce of 32 B by Ring/LL"), steps.toString());
  }

  private static AlternatingRun.Variant variant(String name, RunCollective collective) {
    return new AlternatingRun.Variant(name, Map.of(), List.of(collective));
  }
}
