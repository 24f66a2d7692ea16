package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.job.Machine;
import dev.topo.model.job.UnusableTopologyException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvlsTest {
  private static final List<Channel> ONE_RING = JobOfNodes.channels(4, 0);

  private static Connection connect(String version, int nodes, int sm, int... heads) {
    Machine machine = JobOfNodes.switched(4, sm);
    return new JobOfNodes().add(nodes, machine, 0, ONE_RING, heads).connect(version);
  }

  @ParameterizedTest
  @CsvSource({
    "2.24.3, 1, 100, 16",
    "2.25.1, 1, 90, 16",
    "2.25.1, 1, 100, 32",
    "2.27.3, 1, 100, 24",
    "2.27.3, 2, 100, 32",
    "2.29.7, 3, 100, 32",
    "2.30.3, 1, 100, 24",
    "2.30.3, 2, 100, 32",
    "2.30.3, 3, 100, 32",
    "2.30.3, 3, 90, 16"
  })
  void channelsFollowFromGpuAndNodes(String version, int nodes, int sm, int channels) {
    assertEquals(channels, connect(version, nodes, sm, 0, 1).nvls().channels(0));
  }

  @ParameterizedTest
  @CsvSource({"2.19.3, 2", "2.20.5, 16", "2.21.5, 16", "2.27.5, 16", "2.28.3, 2"})
  void aJobHasAtLeastTheChannelsOfNvls(String version, int channels) {
    assertEquals(channels, connect(version, 1, 90, 0, 1).nChannels());
  }

  @Test
  void everyChannelHasItsOwnHeadIn219() {
    Nvls nvls = connect("2.19.3", 2, 90, 2, 2, 3).nvls();
    assertEquals(3, nvls.nHeads());
    assertEquals(1, nvls.links(0, 2).headRank());
    // Nodes with one ring know the head of the first channel only.
    assertEquals(List.of(9 + 1, 6), nvls.links(0, 2).treeDown());
    assertEquals(List.of(9 + 2), nvls.links(0, 3).treeDown());
    assertEquals(2, connect("2.20.5", 2, 90, 2, 2, 3).nvls().nHeads());
  }

  @Test
  void moreHeadsThanThereIsRoomForAreRefused() {
    Machine machine = JobOfNodes.switched(9, 90);
    int[] heads = IntStream.range(0, 9).toArray();
    JobOfNodes job = new JobOfNodes().add(1, machine, 0, JobOfNodes.channels(9, 0), heads);
    UnusableTopologyException e =
        assertThrows(UnusableTopologyException.class, () -> job.connect("2.20.5"));
    assertEquals(
        "NCCL 2.20.5 has room for 8 NVLS heads on a node, here there are 9: what it connects is undefined",
        e.getMessage());
    assertEquals(9, job.connect("2.21.5").nvls().nHeads());
  }
}
