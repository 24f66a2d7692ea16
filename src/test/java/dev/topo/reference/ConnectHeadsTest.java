package dev.topo.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.CollNet;
import dev.topo.search.connect.Connection;
import dev.topo.search.connect.Nvls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * NVLink multicast and in-network reduction by definition. For the latter there are no reference
 * answers.
 */
class ConnectHeadsTest {
  private static final int NONE = Connection.NONE;

  private static Connection connect(String name, int machines, String... settings) {
    return Connection.of(Job.ofEqual(machine(name, settings), machines));
  }

  private static Machine machine(String name, String... settings) {
    return ReferenceSets.own().stream()
        .filter(test -> test.name().equals(name))
        .map(test -> test.topology())
        .map(topology -> new Machine(topology, NcclSettings.parse(List.of(settings))))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyNvlsTreeReachesTheSameHeadOfAllNodes() {
    Connection connection = connect("dgx-h100", 6);
    Nvls nvls = connection.nvls();
    for (int channel = 0; channel < nvls.channels(0); channel++) {
      for (int head = 0; head < nvls.nHeads(); head++) {
        int roots = 0;
        int children = 0;
        for (int node = 0; node < connection.nNodes(); node++) {
          int rank = nvls.heads(node).get(head);
          Nvls.Links links = nvls.links(channel, rank);
          assertEquals(head, links.headRank());
          assertEquals(connection.nRanks() + 1 + head, links.treeDown().get(0));
          roots += links.treeUp() == NONE ? 1 : 0;
          for (int child : links.treeDown().subList(1, links.treeDown().size())) {
            assertEquals(rank, nvls.links(channel, child).treeUp());
            children++;
          }
        }
        assertEquals(1, roots);
        assertEquals(connection.nNodes() - 1, children);
      }
    }
  }

  @Test
  void userAndGpuGenerationDecideOnNvlsChannels() {
    assertEquals(16, connect("dgx-h100", 1).nvls().channels(0));
    assertEquals(24, connect("hgx-b200", 1).nvls().channels(0));
    assertEquals(32, connect("hgx-b200", 2).nvls().channels(0));
    assertEquals(8, connect("dgx-h100", 1, "NCCL_NVLS_NCHANNELS=8").nvls().channels(0));
    assertEquals(4, connect("dgx-h100", 1, "NCCL_MAX_CTAS=4").nvls().channels(0));
    assertEquals(20, connect("dgx-h100", 1, "NCCL_MIN_CTAS=20").nvls().channels(0));
  }

  @Test
  void inNetworkReductionNeedsTheSettingAndEnoughNodes() {
    assertTrue(connect("hgx-h100-sharp", 2).collNet().isEmpty());
    assertTrue(connect("hgx-h100-sharp", 1, "NCCL_COLLNET_ENABLE=1").collNet().isEmpty());
    assertTrue(connect("dgx-h100", 2, "NCCL_COLLNET_ENABLE=1").collNet().isEmpty());
    assertTrue(connect("hgx-h100-sharp", 2, "NCCL_COLLNET_ENABLE=1").collNet().isPresent());
    assertTrue(
        connect("hgx-h100-sharp", 2, "NCCL_COLLNET_ENABLE=1", "NCCL_COLLNET_NODE_THRESHOLD=3")
            .collNet()
            .isEmpty());
  }

  @Test
  void oneMachineWithoutSwitchesOffWhatTheOthersHave() {
    Machine sharp = machine("hgx-h100-sharp", "NCCL_COLLNET_ENABLE=1");
    Connection connection = Connection.of(new Job(List.of(sharp, machine("dgx-a100"), sharp)));
    assertTrue(connection.collNet().isEmpty());
    assertFalse(connection.nvls().isSupported());
    assertEquals(0, connection.nvls().channels(0));
  }

  @Test
  void everyChainLeadsThroughANodeToTheNetwork() {
    Connection connection = connect("hgx-h100-sharp", 3, "NCCL_COLLNET_ENABLE=1");
    CollNet collNet = connection.collNet().orElseThrow();
    for (int channel = 0; channel < connection.nChannels(); channel++) {
      for (int node = 0; node < connection.nNodes(); node++) {
        List<Integer> reached = new ArrayList<>();
        for (int rank : connection.ranksOf(node)) {
          if (collNet.chain(channel, rank).up() == connection.nRanks()) {
            reached.add(rank);
          }
        }
        assertEquals(1, reached.size(), "ranks at the network");
        for (int i = 0; i < reached.size(); i++) {
          int down = collNet.chain(channel, reached.get(i)).down();
          if (down != NONE) {
            assertEquals(reached.get(i), collNet.chain(channel, down).up());
            reached.add(down);
          }
        }
        assertEquals(connection.ranksOf(node), reached.stream().sorted().toList());
      }
    }
  }

  @Test
  void chainsFasterThanTheirPortsGetHalfAsManyChannelsMore() {
    Connection without = connect("hgx-h100-sharp", 2);
    Connection with = connect("hgx-h100-sharp", 2, "NCCL_COLLNET_ENABLE=1");
    ChannelGraph chain = with.agreedGraphs(0).get(GraphKind.COLLNET_CHAIN);
    int expected = without.nChannels();
    if (chain.bwIntra() > chain.bwInter()) {
      expected += expected / 2;
    }
    assertEquals(expected, with.nChannels());
  }

  @Test
  void everyHeadCollectsFromItsNodeAndEveryRankKnowsAllHeads() {
    Connection connection = connect("hgx-h100-sharp", 2, "NCCL_COLLNET_ENABLE=1");
    CollNet collNet = connection.collNet().orElseThrow();
    for (int rank = 0; rank < connection.nRanks(); rank++) {
      CollNet.Direct direct = collNet.direct(rank).orElseThrow();
      List<Integer> others = new ArrayList<>(connection.ranksOf(connection.nodeOf(rank)));
      others.remove(Integer.valueOf(rank));
      if (direct.headRank() == NONE) {
        assertEquals(NONE, direct.out());
        assertEquals(List.of(), direct.down());
        assertEquals(direct.heads(), direct.up());
      } else {
        assertEquals(connection.nRanks(), direct.out());
        assertEquals(others, direct.down().stream().sorted().toList());
        assertEquals(rank, direct.heads().get(0));
        assertEquals(direct.heads().size() - 1, direct.up().size());
      }
      assertTrue(direct.shift() < direct.heads().size());
    }
  }
}
