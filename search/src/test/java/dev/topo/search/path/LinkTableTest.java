package dev.topo.search.path;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Topology;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import org.junit.jupiter.api.Test;

class LinkTableTest {
  private final TestMachine machine = new TestMachine();

  @Test
  void linksAreNumberedNodeAfterNode() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 70);
    Vertex b = machine.gpu(cpu, 70);
    machine.nvlink(a, b, 40);
    Topology topology = machine.build();
    LinkTable table = new LinkTable(topology);
    int number = 0;
    for (int node = 0; node < topology.size(); node++) {
      assertEquals(number, table.firstOf(node));
      for (Link link : topology.links(node)) {
        assertEquals(link.to(), table.to(number));
        assertEquals(link.type(), table.type(number));
        assertEquals(link.bwGBps(), table.bwGBps(number));
        number++;
      }
      assertEquals(number, table.endOf(node));
    }
    assertEquals(6, table.size());
  }

  @Test
  void theReverseOfALinkHasItsType() {
    Vertex cpu = machine.arm();
    Vertex gpu = machine.gpu(cpu, 90);
    machine.c2c(gpu, cpu, 450);
    LinkTable table = new LinkTable(machine.build());
    for (int link = 0; link < table.size(); link++) {
      int reverse = table.reverse(link);
      assertEquals(table.type(link), table.type(reverse));
      assertEquals(link, table.reverse(reverse));
    }
  }

  @Test
  void aLinkWithoutCounterpartHasNoReverse() {
    Vertex cpu = machine.intel();
    Vertex a = machine.gpu(cpu, 70);
    Vertex b = machine.gpu(cpu, 70);
    machine.builder().connect(a, b, LinkType.NVL, 40);
    LinkTable table = new LinkTable(machine.build());
    assertEquals(LinkType.NVL, table.type(0));
    assertEquals(-1, table.reverse(0));
  }
}
