package dev.topo.inspect.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.Topology;
import dev.topo.model.fixture.ShippedMachines;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of a log whose release writes a bandwidth for pairs that are not used. */
class TuningComparisonTest {
  private static Tuner tuner(String version, String setting) throws IOException {
    Path file =
        ShippedMachines.files().stream()
            .filter(one -> one.endsWith("dgx-h100.xml"))
            .findFirst()
            .orElseThrow();
    NcclProfile profile = NcclProfile.of(version);
    Topology topology =
        new TopologyReader(UnknownElements.IGNORED, profile)
            .read(file, GpuSelection.ALL, new Diagnostics());
    return Communicator.of(
            Job.ofEqual(new Machine(topology, NcclSettings.parse(List.of(setting))), 1),
            GraphSearch::findAll,
            profile)
        .tuner();
  }

  /** Trees are not used with NCCL_ALGO=Ring. */
  @ParameterizedTest
  @CsvSource({
    "2.30.7, NCCL_ALGO=Ring, 330.0, 1",
    "2.31.2, NCCL_ALGO=Ring, 330.0, 0",
    "2.31.2, NCCL_ALGO=Ring, -1.0, 0",
    "2.31.2, NCCL_ALGO=Tree, -1.0, 1"
  })
  void from231OnUnusedPairsAreNotCompared(
      String version, String setting, String bandwidthGBps, int facts) throws IOException {
    assertEquals(facts, compare(tuner(version, setting), "36.4", bandwidthGBps).size());
  }

  private static List<Fact> compare(Tuner tuner, String latencyUs, String bandwidthGBps) {
    TuningLog.Model tree =
        new TuningLog.Model(
            Collective.ALL_REDUCE,
            Algorithm.TREE,
            Protocol.SIMPLE,
            new BigDecimal(latencyUs),
            new BigDecimal(bandwidthGBps));
    Facts facts = new Facts("rank 0");
    new TuningComparison(tuner, facts)
        .compare(new TuningLog(List.of(), List.of(tree), List.of(), List.of(), List.of()));
    return facts.list();
  }
}
