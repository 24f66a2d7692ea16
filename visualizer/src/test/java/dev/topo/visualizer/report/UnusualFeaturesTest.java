package dev.topo.visualizer.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnusualFeaturesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dgx-h100 | ''",
        "l40s-4 | No port is near GPU 0 (PHB), GPU 1 (PHB), GPU 2 (SYS), GPU 3 (SYS): data to the"
            + " network crosses the CPU. Rings cross the CPU between GPUs (SYS, 12 GB/s in all).",
        "a100-pcie-4-bridged | 4 of 6 pairs of GPUs have no NVLink between them, such as GPU 0 and"
            + " GPU 2 (SYS). No port is near GPU 0 (PHB), GPU 1 (PHB), GPU 2 (PHB), GPU 3 (PHB): data"
            + " to the network crosses the CPU. Rings cross the CPU between GPUs (SYS, 20 GB/s in all)."
      })
  void areThoseThatAnExpertWouldCheck(String name, String expected) {
    Path file = Path.of(System.getProperty("topo.root"), "topologies/" + name + ".xml");
    Machine machine =
        new Machine(
            new TopologyReader().read(file, GpuSelection.ALL, new Diagnostics()),
            NcclSettings.DEFAULTS);
    Connection connection =
        new JobEvaluator()
            .evaluate(JobRequest.of(Job.ofEqual(machine, 2), List.of()))
            .communicator()
            .connection();
    assertEquals(
        expected,
        String.join(
            " ",
            UnusualFeatures.of(
                new ReportPart(
                    name, List.of(0, 1), connection.domain(0), connection.searchedGraphs(0)))));
  }
}
