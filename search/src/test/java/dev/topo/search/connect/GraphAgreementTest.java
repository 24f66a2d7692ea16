package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.topo.model.Link.PathType;
import dev.topo.model.fixture.GraphBuilder;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.search.connect.JobGraphs.GraphAgreement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphAgreementTest {
  private static final PathRules PATHS = NcclProfile.DEFAULT.paths();

  private static final Channel CHANNEL = new Channel(List.of(0, 1), Optional.empty());

  private static final ChannelGraph RING =
      GraphBuilder.of(GraphKind.RING, Collections.nCopies(4, CHANNEL))
          .bwGBps(40, 20)
          .latencyUs(1.5f)
          .build();

  private static final ChannelGraph TREE =
      GraphBuilder.of(GraphKind.TREE, Collections.nCopies(4, CHANNEL))
          .like(Pattern.SPLIT_TREE)
          .crossNic(1)
          .bwGBps(40, 20)
          .paths(PathType.NVL, PathType.PIX)
          .build();

  private static final ChannelGraph WORSE_TREE =
      GraphBuilder.of(GraphKind.TREE, Collections.nCopies(2, CHANNEL))
          .like(Pattern.TREE)
          .crossNic(2)
          .bwGBps(10, 30)
          .paths(PathType.SYS, PathType.PIX)
          .differing()
          .build();

  private static final NodeGraphs NODE = new NodeGraphs(List.of(RING, TREE));
  private static final NodeGraphs OTHER = new NodeGraphs(List.of(RING, WORSE_TREE));

  private final NodeGraphs agreed = new GraphAgreement(List.of(NODE, OTHER), PATHS).applyTo(NODE);

  private static NodeGraphs reaching(PathType ports) {
    return new NodeGraphs(
        List.of(
            GraphBuilder.of(GraphKind.RING, List.of(CHANNEL))
                .bwGBps(40, 20)
                .paths(PathType.NVL, ports)
                .build(),
            TREE));
  }

  @ParameterizedTest
  @CsvSource({"2.27.3, P2C", "2.27.5, PXN"})
  void whichPathIsFartherDependsOnTheVersion(String version, PathType farther) {
    NodeGraphs p2c = reaching(PathType.P2C);
    GraphAgreement agreement =
        new GraphAgreement(List.of(p2c, reaching(PathType.PXN)), NcclProfile.of(version).paths());
    assertEquals(farther, agreement.applyTo(p2c).get(GraphKind.RING).typeInter());
  }

  @Test
  void takesTheWorstOfAllNodes() {
    ChannelGraph tree = agreed.get(GraphKind.TREE);
    assertEquals(10, tree.bwIntra());
    assertEquals(20, tree.bwInter());
    assertEquals(PathType.SYS, tree.typeIntra());
    assertEquals(PathType.PIX, tree.typeInter());
    assertEquals(2, tree.crossNic());
    assertFalse(tree.sameChannels());
  }

  @Test
  void hasAsManyRingsAsTrees() {
    assertEquals(2, agreed.get(GraphKind.RING).nChannels());
    assertEquals(2, agreed.get(GraphKind.TREE).nChannels());
  }

  @Test
  void leavesTheNodeItsPatternAndLatency() {
    assertEquals(Pattern.SPLIT_TREE, agreed.get(GraphKind.TREE).pattern());
    assertEquals(1.5f, agreed.get(GraphKind.RING).latencyInter());
  }

  @Test
  void switchesOffWhatANodeLacks() {
    ChannelGraph nvls =
        GraphBuilder.of(GraphKind.NVLS, List.of(CHANNEL))
            .bwGBps(40, 20)
            .paths(PathType.NVL, PathType.PIX)
            .differing()
            .build();
    NodeGraphs withNvls = new NodeGraphs(List.of(RING, TREE, nvls));
    assertEquals(0, new GraphAgreement(List.of(withNvls, NODE), PATHS).nChannels(GraphKind.NVLS));
    assertEquals(
        1, new GraphAgreement(List.of(withNvls, withNvls), PATHS).nChannels(GraphKind.NVLS));
  }
}
