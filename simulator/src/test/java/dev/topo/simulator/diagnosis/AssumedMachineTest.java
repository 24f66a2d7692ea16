package dev.topo.simulator.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.search.topology.TopologyBuilder.TopologyCheck;
import dev.topo.search.topology.TopologyReader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AssumedMachineTest {
  private static Topology topology(AssumedMachine machine) {
    return new TopologyReader().map(machine.document(), GpuSelection.ALL, new Diagnostics());
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA H100 80GB HBM3, 8, 8, 90, true",
    "NVIDIA H100 PCIe, 8, 2, 90, false",
    "NVIDIA H200, 8, 8, 90, true",
    "NVIDIA A100-SXM4-80GB, 8, 8, 80, true",
    "NVIDIA GB200, 4, 4, 100, true",
    "NVIDIA B200, 8, 8, 100, true",
    "NVIDIA L40S, 8, 2, 89, false"
  })
  void boardsAreThoseOfTheirNames(String name, int gpus, int ports, int sm, boolean hasNvSwitch) {
    AssumedMachine machine = AssumedMachine.of(name, 1, List.of(), Optional.empty()).orElseThrow();
    Topology topology = topology(machine);
    TopologyCheck.verify(topology);
    assertEquals(gpus, topology.gpus().size());
    assertEquals(ports, topology.nets().size());
    assertTrue(topology.gpus().stream().allMatch(gpu -> gpu.sm() == sm));
    assertEquals(hasNvSwitch, topology.hasNvSwitch());
    assertTrue(machine.words().toString().startsWith("assumed: "), machine.words()::toString);
  }

  @Test
  void portsAndSpeedOfTheLogAreTaken() {
    List<String> ports = List.of("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9");
    Topology topology =
        topology(AssumedMachine.of("NVIDIA H100", 8, ports, Optional.of(200.0)).orElseThrow());
    assertEquals(10, topology.nets().size());
    assertEquals(25, topology.nets().get(0).bwGBps(), 0.01);
  }

  @Test
  void otherGpusAreNotGuessed() {
    assertEquals(Optional.empty(), AssumedMachine.of("Tesla T4", 8, List.of(), Optional.empty()));
  }
}
