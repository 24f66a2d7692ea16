package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.graph.GraphKind;
import dev.topo.model.job.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollNetTest {
  private static CollNet connect(String version, int gpus) {
    Machine machine = JobOfNodes.switched(gpus, 90);
    return new JobOfNodes()
        .addCollNet(2, machine, JobOfNodes.channels(gpus, 0, 1), JobOfNodes.channels(gpus, 2, 3, 0))
        .connect(version)
        .collNet()
        .orElseThrow();
  }

  @Test
  void untilThereWasAGraphForItDirectUsedTheChains() {
    assertEquals(List.of(0, 1), connect("2.21.5", 4).heads(0));
    assertEquals(List.of(2, 3, 0), connect("2.23.4", 4).heads(0));
    assertEquals(List.of(1, 2, 3), connect("2.21.5", 4).direct(0).orElseThrow().down());
    assertEquals(List.of(3, 0, 1), connect("2.23.4", 4).direct(2).orElseThrow().down());
  }

  @Test
  void searchedGraphsAreThoseOfTheVersion() {
    Machine machine = JobOfNodes.switched(4, 90);
    JobOfNodes job =
        new JobOfNodes()
            .addCollNet(2, machine, JobOfNodes.channels(4, 0, 1), JobOfNodes.channels(4, 2));
    Connection connection = job.connect("2.21.5");
    assertEquals(2, connection.agreedGraphs(0).get(GraphKind.COLLNET_DIRECT).nChannels());
    assertEquals(1, connection.searchedGraphs(0).get(GraphKind.COLLNET_DIRECT).nChannels());
  }

  @Test
  void largeNodesPreventChainsUntil221() {
    Machine machine = JobOfNodes.switched(9, 90);
    JobOfNodes job =
        new JobOfNodes()
            .addCollNet(2, machine, JobOfNodes.channels(9, 0), JobOfNodes.channels(9, 0));
    assertEquals(true, job.connect("2.21.5").collNet().isEmpty());
    assertEquals(true, job.connect("2.23.4").collNet().orElseThrow().direct(0).isEmpty());
  }
}
