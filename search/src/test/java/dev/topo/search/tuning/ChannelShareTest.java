package dev.topo.search.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChannelShareTest {
  private static int channels(
      JobFixture job, Collective collective, long bytes, Algorithm algorithm, Protocol protocol) {
    Decision.Choice choice = new Decision.Choice(algorithm, protocol, 16, 512, 1);
    return ChannelShare.channels(job.facts(), CollectiveCall.of(collective, bytes), choice);
  }

  private static int broadcast(long bytes, Protocol protocol) {
    return channels(JobFixture.dgxH100(), Collective.BROADCAST, bytes, Algorithm.RING, protocol);
  }

  @Test
  void everyChannelCarriesAtLeast16KiB() {
    assertEquals(1, broadcast(8, Protocol.SIMPLE));
    assertEquals(1, broadcast(16 << 10, Protocol.SIMPLE));
    assertEquals(2, broadcast((16 << 10) + Float.BYTES, Protocol.SIMPLE));
    assertEquals(16, broadcast(1 << 20, Protocol.SIMPLE));
  }

  @Test
  void lowLatencyCountsFourTimes() {
    assertEquals(1, broadcast(4 << 10, Protocol.LL));
    assertEquals(4, broadcast(16 << 10, Protocol.LL));
  }

  @Test
  void trafficOfAllRanksCountsWhereAllSend() {
    JobFixture job = JobFixture.dgxH100();
    int ranks = job.facts().nRanks();
    assertEquals(
        1, channels(job, Collective.ALL_GATHER, 512L * ranks, Algorithm.RING, Protocol.SIMPLE));
    assertEquals(
        2, channels(job, Collective.ALL_GATHER, 1024L * ranks, Algorithm.RING, Protocol.SIMPLE));
  }

  @Test
  void from229OnEveryChannelCarriesAtLeast32KiB() {
    JobFixture job = JobFixture.of("2.29.3");
    assertEquals(1, channels(job, Collective.BROADCAST, 32 << 10, Algorithm.RING, Protocol.LL128));
    assertEquals(2, channels(job, Collective.BROADCAST, 33 << 10, Algorithm.RING, Protocol.LL128));
  }

  @Test
  void before226LowLatencyCountsAsAnyOther() {
    JobFixture job = JobFixture.of("2.25.1");
    assertEquals(1, channels(job, Collective.BROADCAST, 16 << 10, Algorithm.RING, Protocol.LL));
  }

  @Test
  void before222CallsAreDividedInEqualParts() {
    JobFixture job = JobFixture.of("2.21.5");
    assertEquals(
        16, channels(job, Collective.BROADCAST, 64 << 10, Algorithm.RING, Protocol.SIMPLE));
    assertEquals(
        15, channels(job, Collective.BROADCAST, 60 << 10, Algorithm.RING, Protocol.SIMPLE));
    assertEquals(1, channels(job, Collective.BROADCAST, 4 << 10, Algorithm.RING, Protocol.LL));
    assertEquals(2, channels(job, Collective.BROADCAST, 8 << 10, Algorithm.RING, Protocol.LL128));
    JobFixture older = JobFixture.of("2.19.3");
    assertEquals(16, channels(older, Collective.BROADCAST, 8, Algorithm.RING, Protocol.LL));
  }

  @Test
  void theNetworkReducesOnAllChannels() {
    JobFixture job = JobFixture.dgxH100();
    job.collNet = Optional.of(new CommFacts.CollNet(8, 8, true, true, true));
    assertEquals(
        16, channels(job, Collective.ALL_REDUCE, 8, Algorithm.COLLNET_CHAIN, Protocol.SIMPLE));
    assertEquals(16, channels(job, Collective.ALL_REDUCE, 8, Algorithm.NVLS, Protocol.SIMPLE));
    job.localRanks = List.of(8, 8);
    assertEquals(16, channels(job, Collective.ALL_REDUCE, 8, Algorithm.NVLS, Protocol.SIMPLE));
    job.localRanks = List.of(8);
    assertEquals(
        1,
        channels(job, Collective.ALL_REDUCE, 8, Algorithm.NVLS, Protocol.SIMPLE),
        "in a node NVSwitches reduce what each channel has");
    assertEquals(1, channels(job, Collective.ALL_REDUCE, 8, Algorithm.NVLS_TREE, Protocol.SIMPLE));
  }
}
