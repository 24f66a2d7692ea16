package dev.topo.simulator.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.CallKindBuilder;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.RankTrace.Times;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.CallChange;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.Setup;
import dev.topo.simulator.evaluate.Prediction.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two ranks: an all-gather of 300 us, of which computation hides 200 us, then one of 100 us. */
class JobOptionTest {
  private static final double TINY = 1e-3;
  private static final ProcessGroup GROUP = new ProcessGroup("0", "", List.of(0, 1));

  private final Workload workload = workload();

  private static CallKind kind(long bytes) {
    return kind(GROUP, bytes);
  }

  private static CallKind kind(ProcessGroup group, long bytes) {
    return CallKindBuilder.of(Collective.ALL_GATHER, bytes).in(group).of(DataType.BFLOAT16).build();
  }

  private static Workload workload() {
    List<RankTrace> traces = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      RankTrace.Builder trace =
          new RankTrace.Builder("r" + rank, Times.START_AND_DURATION).rank(rank);
      trace.add(trace.number(kind(64 << 20)), 0, 300);
      trace.add(trace.number(kind(16 << 20)), 400, 100);
      trace.addCompute(50, 200);
      traces.add(trace.build());
    }
    return TraceMerger.join(traces, 2);
  }

  private static CallChange change(int ctas, Optional<Gain> gain) {
    Call call = Call.of(Collective.ALL_GATHER, 64L << 20);
    return new CallChange(variant(call, 24, 300), variant(call, ctas, 200), gain);
  }

  private static Alternative variant(Call call, int ctas, double timeUs) {
    return new Alternative(
        call,
        Setup.of(Buffers.PLAIN),
        Optional.empty(),
        Optional.of(Algorithm.RING),
        Optional.of(Protocol.SIMPLE),
        Optional.empty(),
        ctas,
        ctas,
        timeUs,
        Optional.empty(),
        Source.CALIBRATION);
  }

  /** The larger call changes in one way, the smaller one in another. */
  private JobOption option(Optional<CallChange> large, Optional<CallChange> small) {
    List<SiteChange> sites = new ArrayList<>();
    for (CallSite site : workload.sites()) {
      boolean isLarge = site.kind().bytes() == 64 << 20;
      sites.add(new SiteChange(site, isLarge ? large : small, site.totalUs(), 1));
    }
    return new JobOption(workload, NcclSettings.DEFAULTS, sites);
  }

  private static Optional<CallChange> by(double ratio, double least, double most) {
    return Optional.of(change(32, Optional.of(new Gain(ratio, least, most))));
  }

  /** 300 us become 150 us, and 100 us become 125 us: 400 us in all become 275 us. */
  @Test
  void aLossOfSomeCallsIsWeighedAgainstTheGainOfOthers() {
    JobOption option = option(by(2, 1.5, 3), by(0.8, 0.5, 1));
    assertEquals(400.0 / 275, option.gain().ratio(), TINY);
    assertEquals(400.0 / (200 + 200), option.gain().least(), TINY);
    assertEquals(400.0 / (100 + 100), option.gain().most(), TINY);
    assertFalse(option.isAdvised(), "at the lower end nothing is left");
    assertEquals(1, option.slower().size());
    assertTrue(option(by(2, 1.5, 3), by(1, 1, 1)).isAdvised());
  }

  /** Computation goes on for 200 us beside the call, which takes 150 us then. */
  @Test
  void whatComputationHidesIsNoExposedGain() {
    JobOption option = option(by(2, 1.5, 3), Optional.of(change(24, Optional.of(Gain.NONE))));
    assertEquals(400 - 150, option.step().communicationUs(), TINY);
    assertEquals(400 - 200, option.step().lowUs(), TINY);
    assertEquals(400 - 100, option.step().highUs(), TINY);
    assertEquals(200, option.exposedNowUs().orElseThrow(), TINY);
    assertEquals(100, option.step().exposedUs().orElseThrow(), TINY);
  }

  @Test
  void callsOfWhichNothingIsKnownStayAndAreCounted() {
    JobOption option = option(by(2, 2, 2), Optional.of(change(32, Optional.empty())));
    assertEquals(400.0 / 250, option.gain().ratio(), TINY);
    assertEquals(1, option.unknown());
    assertEquals(0.25, option.unknownPart(), TINY);
    assertEquals(1, option(by(2, 2, 2), Optional.empty()).unknown());
  }

  /** Four ranks: two groups of two and one of all make a call of 100 us each. */
  @Test
  void aCallOfManyRanksCountsForEachOfThem() {
    List<RankTrace> traces = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      RankTrace.Builder trace =
          new RankTrace.Builder("r" + rank, Times.START_AND_DURATION).rank(rank);
      int first = rank / 2 * 2;
      ProcessGroup pair = new ProcessGroup("" + first, "tp", List.of(first, first + 1));
      ProcessGroup all = new ProcessGroup("all", "dp", List.of(0, 1, 2, 3));
      trace.add(trace.number(kind(pair, 64 << 20)), 0, 100);
      trace.add(trace.number(kind(all, 64 << 20)), 200, 100);
      traces.add(trace.build());
    }
    Workload job = TraceMerger.join(traces, 4);
    Optional<CallChange> faster = by(2, 2, 2);
    List<SiteChange> sites =
        job.sites().stream()
            .map(
                site ->
                    new SiteChange(
                        site,
                        site.kind().group().size() == 2 ? faster : Optional.empty(),
                        site.share(4) * site.totalUs(),
                        site.share(4)))
            .toList();
    JobOption option = new JobOption(job, NcclSettings.DEFAULTS, sites);
    for (JobOption one : List.of(option, option.ofGroupKinds())) {
      assertEquals(200, one.workload().step().orElseThrow().communicationUs(), TINY);
      assertEquals(150, one.step().communicationUs(), TINY);
      assertEquals(200.0 / 150, one.gain().ratio(), TINY);
      assertEquals(0.5, one.unknownPart(), TINY);
    }
    assertEquals(2, option.ofGroupKinds().sites().size());
    assertEquals(1, option.ofGroupKinds().changed().size());
    assertEquals(2, option.ofGroupKinds().changed().get(0).site().groups());
  }

  @Test
  void multiprocessorsAreTakenFromComputationBesideACall() {
    assertEquals(8, option(by(2, 2, 2), Optional.empty()).moreCtas());
    assertTrue(option(by(2, 2, 2), Optional.empty()).takesFromComputation());
    assertFalse(option(Optional.empty(), by(2, 2, 2)).takesFromComputation());
  }
}
