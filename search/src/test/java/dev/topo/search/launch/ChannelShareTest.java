package dev.topo.search.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.search.cost.CommFacts;
import dev.topo.search.tuning.JobFixture;
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
    assertEquals(2, broadcast((16 << 10) + 1, Protocol.SIMPLE));
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
  void theNetworkReducesOnAllChannels() {
    JobFixture job = JobFixture.dgxH100();
    job.collNet = Optional.of(new CommFacts.CollNet(8, 8, true, true));
    assertEquals(
        16, channels(job, Collective.ALL_REDUCE, 8, Algorithm.COLLNET_CHAIN, Protocol.SIMPLE));
    assertEquals(16, channels(job, Collective.ALL_REDUCE, 8, Algorithm.NVLS, Protocol.SIMPLE));
    assertEquals(1, channels(job, Collective.ALL_REDUCE, 8, Algorithm.NVLS_TREE, Protocol.SIMPLE));
  }
}
