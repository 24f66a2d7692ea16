package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class P2pChannelsTest {
  /**
   * A ring of four GPUs on two NVLinks each, so that the opposite one is reached through another.
   */
  private static Domain node(String version, float netGBps) {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.intel();
    Vertex[] gpus = new Vertex[4];
    for (int gpu = 0; gpu < gpus.length; gpu++) {
      Vertex pci = machine.pciSwitch(cpu, 100, 0);
      gpus[gpu] = machine.gpu(pci, 80, true, 100);
      machine.net(pci, netGBps);
    }
    for (int gpu = 0; gpu < gpus.length; gpu++) {
      machine.nvlink(gpus[gpu], gpus[(gpu + 1) % gpus.length], 40);
    }
    return DomainFinder.find(machine.build(), NcclSettings.DEFAULTS, true, NcclProfile.of(version))
        .get(0);
  }

  private static P2pChannels channels(Domain node, List<Domain> job, int nRanks, String... set) {
    return P2pChannels.of(node, job, nRanks, 32, NcclSettings.parse(List.of(set)), 64);
  }

  private static int perPeer(String version, int nRanks, float netGBps, String... settings) {
    Domain node = node(version, netGBps);
    return channels(node, List.of(node), nRanks, settings).nChannelsPerPeer();
  }

  @ParameterizedTest
  @CsvSource({
    "2.19.3, 1024, 2",
    "2.20.5, 32, 2",
    "2.20.5, 1024, 1",
    "2.28.9, 32, 2",
    "2.28.9, 1024, 1"
  })
  void aLargeJobHasFewerForEachPeer(String version, int nRanks, int perPeer) {
    assertEquals(perPeer, perPeer(version, nRanks, 12));
  }

  @ParameterizedTest
  @CsvSource({"2.29.3, 32, 2", "2.29.3, 128, 2", "2.29.3, 256, 1", "2.30.7, 32, 2"})
  void from229AllPeersFitIntoARound(String version, int nRanks, int perPeer) {
    assertEquals(perPeer, perPeer(version, nRanks, 24));
  }

  @Test
  void statedNumbersWin() {
    assertEquals(1, perPeer("2.29.3", 32, 24, "NCCL_NCHANNELS_PER_NET_PEER=1"));
    assertEquals(2, perPeer("2.30.3", 256, 24, "NCCL_P2P_MAX_PEERS=64"));
  }

  /** 24 GB/s are two channels of 14 GB/s or eight of 3 GB/s; NVLink to the neighbours has four. */
  @Test
  void from229ChannelsFollowFromTheBandwidthOfPorts() {
    assertEquals(4, perPeer("2.30.7", 8, 24, "NCCL_P2P_PER_CHANNEL_NET_BW=3"));
    assertEquals(2, perPeer("2.30.7", 8, 24));
    assertEquals(1, perPeer("2.30.7", 8, 12));
  }

  @ParameterizedTest
  @CsvSource({"2.28.9, 2", "2.30.3, 2", "2.30.7, 4"})
  void nvlinkThroughAnotherGpuCountsFrom2307(String version, int perPeer) {
    assertEquals(perPeer, perPeer(version, 4, 12));
  }

  @ParameterizedTest
  @CsvSource({"2.28.9, 2", "2.29.3, 1"})
  void from229AllRanksAgree(String version, int perPeer) {
    Domain fast = node(version, 24);
    Domain slow = node(version, 12);
    assertEquals(perPeer, channels(fast, List.of(fast, slow), 8).nChannelsPerPeer());
  }
}
