package dev.topo.search.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Choices on DGX H100, alone and by fours. */
class SizeRangeTest {
  private static Communicator h100(int nodes) {
    Path file = Path.of(System.getProperty("topo.root"), "topologies/dgx-h100.xml");
    Machine machine =
        new Machine(
            new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics()),
            NcclSettings.DEFAULTS);
    return Communicator.of(Job.ofEqual(machine, nodes), SharedGraphs.GRAPHS);
  }

  private static Choice atMin(SizeRange range) {
    return range.atMin().choice().orElseThrow();
  }

  @Test
  void allGatherBetweenNodesTurnsFromLowLatencyToSimple() {
    Communicator job = h100(4);
    CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, 0L).exact();
    List<SizeRange> ranges = new SwitchPoints(job.tuner()).ranges(call, 8, 8L << 30);
    SizeRange last = ranges.get(ranges.size() - 1);
    assertEquals("81.5 MiB", QuantityFormat.size(last.minBytes()));
    assertEquals(8L << 30, last.maxBytes());
    assertEquals(Algorithm.RING, atMin(last).algorithm());
    assertEquals(Protocol.SIMPLE, atMin(last).protocol());
    assertEquals(16, atMin(last).channels());
    List<SizeRange> low =
        ranges.stream().filter(range -> atMin(range).protocol() == Protocol.LL).toList();
    assertTrue(low.stream().allMatch(range -> atMin(range).algorithm() == Algorithm.RING));
    SizeRange largest = low.get(low.size() - 1);
    assertEquals("806.7 KiB", QuantityFormat.size(largest.maxBytes()));
    assertEquals(1, ChannelShare.launched(job.facts(), call.withSize(8), atMin(low.get(0))));
    Choice atMax = largest.atMax().choice().orElseThrow();
    assertEquals(6, ChannelShare.launched(job.facts(), call.withSize(largest.maxBytes()), atMax));
  }

  /** The plugin takes the first rule that fits; a reader finds the rules of a size together. */
  @Test
  void rulesOfATunerFileAreInTheOrderOfSizes() {
    List<TunerRule> rules = TunerCsv.of(h100(4).tuner()).rules();
    List<Long> sizes = rules.stream().map(TunerRule::minBytes).toList();
    assertEquals(sizes.stream().sorted().toList(), sizes);
    assertEquals(
        List.of(Collective.values()),
        rules.stream().limit(5).map(TunerRule::collective).sorted().toList(),
        "first what each collective does from size 0 on");
  }

  @Test
  void rangesTellWhatBecomesOfEachSizeFromItsWholeElements() {
    Communicator job = h100(4);
    SwitchPoints points = new SwitchPoints(job.tuner());
    for (Collective collective : Collective.values()) {
      CollectiveCall call = CollectiveCall.of(collective, 0L);
      for (long minBytes = 1; minBytes <= 1L << 26; minBytes = 2 * minBytes + 1) {
        for (SizeRange range : points.ranges(call, minBytes, minBytes + (1L << 14))) {
          for (long size : List.of(range.minBytes(), range.maxBytes())) {
            Decision decision = job.tuner().decide(call.withSize(size));
            assertTrue(SizeRange.isSame(range.atMin(), decision), collective + " of " + size);
          }
        }
      }
    }
  }

  @Test
  void aSmallAllReduceInANodeIsByRingAndLowLatency() {
    Choice choice =
        h100(1)
            .tuner()
            .decide(CollectiveCall.of(Collective.ALL_REDUCE, 1L << 20))
            .choice()
            .orElseThrow();
    assertEquals(Algorithm.RING, choice.algorithm());
    assertEquals(Protocol.LL, choice.protocol());
    assertEquals(24, choice.channels());
    assertEquals(512, choice.threads());
  }
}
