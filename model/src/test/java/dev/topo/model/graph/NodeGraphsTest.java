package dev.topo.model.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeGraphsTest {
  @Test
  void hasOneGraphOfEachKindInTheOrderOfGraphFiles() {
    NodeGraphs graphs = new NodeGraphs(List.of());
    assertEquals(
        List.of(0, 1, 4, 2, 3), graphs.all().stream().map(graph -> graph.kind().id()).toList());
    assertEquals(0, graphs.get(GraphKind.RING).nChannels());
  }

  @Test
  void equalsGraphsThatLeaveOutWhatIsNotThere() {
    ChannelGraph none = ChannelGraph.none(GraphKind.RING);
    assertEquals(new NodeGraphs(List.of()), new NodeGraphs(List.of(none)));
    assertEquals(new NodeGraphs(List.of()).hashCode(), new NodeGraphs(List.of(none)).hashCode());
  }

  @Test
  void refusesTwoGraphsOfOneKind() {
    ChannelGraph none = ChannelGraph.none(GraphKind.RING);
    assertThrows(IllegalArgumentException.class, () -> new NodeGraphs(List.of(none, none)));
  }
}
