package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.job.Machine;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingsTest {
  private static final List<Channel> TWO_RINGS = JobOfNodes.channels(2, 0, 1);
  private final Machine machine = JobOfNodes.switched(2, 80);

  /** The rank at which the first ring enters the second node. */
  private static int entry(Connection connection) {
    int[] order = connection.rings().order(0);
    return order[2];
  }

  @ParameterizedTest
  @CsvSource({
    "2.19.3, 1, 2",
    "2.20.5, 1, 3",
    "2.21.5, 1, 3",
    "2.25.1, 1, 3",
    "2.25.1, 2, 3",
    "2.25.1, 0, 2",
    "2.26.2, 1, 2",
    "2.26.2, 2, 3",
    "2.30.7, 1, 2",
    "2.30.7, 2, 3"
  })
  void ringsThatChangePortsChangePlacesOnOddNodes(String version, int crossNic, int entry) {
    JobOfNodes job = new JobOfNodes().add(2, machine, crossNic, TWO_RINGS);
    assertEquals(entry, entry(job.connect(version)));
  }

  @ParameterizedTest
  @CsvSource({"2.20.5, 2", "2.21.5, 3"})
  void until220OnlyJobsWithAnEvenNumberOfNodesDo(String version, int entry) {
    JobOfNodes job = new JobOfNodes().add(3, machine, 1, TWO_RINGS);
    assertEquals(entry, entry(job.connect(version)));
  }

  @ParameterizedTest
  @CsvSource({"2.27.5, 3", "2.28.3, 2"})
  void until227OneNodeDecidesForAll(String version, int entry) {
    Machine other = JobOfNodes.switched(3, 80);
    JobOfNodes job =
        new JobOfNodes()
            .add(2, machine, 0, TWO_RINGS)
            .add(1, other, 2, JobOfNodes.channels(3, 0, 1));
    assertEquals(entry, entry(job.connect(version)));
  }
}
