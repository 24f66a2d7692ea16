package dev.topo.search.topology;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NicNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TopologyTest {
  private final TestMachine machine = new TestMachine();

  @Test
  void indexesAndNodesOfATypeBelongTogether() {
    Vertex cpu = machine.intel();
    machine.gpu(cpu, 90);
    machine.gpu(cpu, 80);
    machine.net(cpu, 50);
    Topology topology = machine.build();
    for (NodeType type : NodeType.values()) {
      int[] indexes = topology.indexes(type);
      assertEquals(topology.nodes(type).size(), indexes.length);
      for (int i = 0; i < indexes.length; i++) {
        assertEquals(topology.nodes(type).get(i), topology.node(indexes[i]));
      }
    }
    assertEquals(80, topology.minSm().getAsInt());
    assertFalse(topology.hasNvSwitch());
  }

  @Test
  void indexesAreACopy() {
    machine.gpu(machine.intel(), 90);
    Topology topology = machine.build();
    topology.indexes(NodeType.GPU)[0] = 7;
    assertArrayEquals(new int[] {0}, topology.indexes(NodeType.GPU));
  }

  @Test
  void aPortIsTakenForTheFirstWithItsId() {
    Vertex nic = machine.builder().add(new NicNode(new NodeId(0, 1), true));
    for (int dev : new int[] {0, 1, 0, 1, 2}) {
      Vertex net =
          machine
              .builder()
              .add(
                  new NetNode(
                      new NodeId(0, dev),
                      "",
                      dev,
                      dev,
                      0,
                      1,
                      0,
                      false,
                      false,
                      64,
                      OptionalInt.empty(),
                      OptionalInt.empty(),
                      0));
      machine.builder().connectBoth(nic, net, LinkType.NET, 1);
    }
    Topology topology = machine.build();
    assertEquals(
        List.of(0, 1, 0, 1, 4),
        List.of(0, 1, 2, 3, 4).stream().map(topology::firstNetLike).toList());
  }

  @Test
  void withoutGpusAndCpusThereIsNoSmAndNoFirstCpu() {
    Topology empty = new TopologyBuilder(NcclProfile.DEFAULT).build();
    assertEquals(0, empty.size());
    assertFalse(empty.minSm().isPresent());
    assertThrows(IllegalStateException.class, empty::firstCpu);
  }

  @Test
  void nodesAndLinksCannotBeChanged() {
    machine.gpu(machine.intel(), 90);
    Topology topology = machine.build();
    assertThrows(UnsupportedOperationException.class, () -> topology.nodes().remove(0));
    assertThrows(UnsupportedOperationException.class, () -> topology.links(0).remove(0));
  }
}
