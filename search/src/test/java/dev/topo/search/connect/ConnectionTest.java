package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Topology;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.fixture.TestMachine;
import dev.topo.search.topology.TopologyBuilder.Vertex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionTest {
  /** Three GPUs of which two are joined by NVLink, the first with another compute capability. */
  private static Machine bridged() {
    TestMachine machine = new TestMachine();
    Vertex cpu = machine.arm();
    Vertex a = machine.gpu(cpu, 90);
    Vertex b = machine.gpu(cpu, 80);
    machine.gpu(cpu, 80);
    machine.net(cpu, 12);
    machine.nvlink(a, b, 60);
    Topology topology = machine.build();
    return new Machine(topology, NcclSettings.DEFAULTS);
  }

  private static JobOfNodes add(JobOfNodes job, Machine machine) {
    return job.add(1, machine, 0, JobOfNodes.channels(machine.nRanks(), 0));
  }

  @ParameterizedTest
  @CsvSource({"2.24.3, true, true", "2.25.1, false, true", "2.30.7, false, false"})
  void allNvlinkMeansAPairOrANodeOrAJob(String version, boolean bridged, boolean switched) {
    Machine four = JobOfNodes.switched(4, 90);
    Connection connection = add(add(new JobOfNodes(), bridged()), four).connect(version);
    assertEquals(bridged, connection.isAllNvlink(0));
    assertEquals(switched, connection.isAllNvlink(1));
  }

  @Test
  void noPairIsOneWhereThereIsOneGpu() {
    Machine one = JobOfNodes.switched(1, 90);
    assertEquals(false, add(new JobOfNodes(), one).connect("2.24.3").isAllNvlink(0));
    assertEquals(true, add(new JobOfNodes(), one).connect("2.25.1").isAllNvlink(0));
  }

  @ParameterizedTest
  @CsvSource({"2.20.5, 80, 80", "2.21.5, 80, 90"})
  void until220RanksKnowTheirOwnComputeCapabilityOnlyAndTheOldestCounts(
      String version, int min, int max) {
    Connection connection = add(new JobOfNodes(), bridged()).connect(version);
    assertEquals(min, connection.minSm());
    assertEquals(max, connection.maxSm());
  }
}
