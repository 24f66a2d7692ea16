package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.xml.GraphWriter;
import dev.topo.search.connect.JobGraphs.DomainGraphs;
import dev.topo.search.path.Domain;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.fixture.TestJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobEvaluatorTest {
  private static final Path TOPOLOGIES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");
  private static final CollectiveCall CALL = CollectiveCall.of(Collective.ALL_REDUCE, 64L << 10);

  @TempDir private Path folder;

  private static Machine machine(String name, String... settings) {
    return machine(name, GpuSelection.ALL, settings);
  }

  private static Machine machine(String name, GpuSelection gpus, String... settings) {
    return machine(TOPOLOGIES.resolve(name + ".xml"), gpus, settings);
  }

  private static Machine machine(Path file, GpuSelection gpus, String... settings) {
    return new Machine(
        new TopologyReader().read(file, gpus, new Diagnostics()),
        NcclSettings.parse(List.of(settings)));
  }

  private static JobRequest request(Machine machine) {
    return JobRequest.of(Job.ofEqual(machine, 1), List.of(CALL));
  }

  private static CollectivePrediction evaluate(JobRequest request) {
    return new JobEvaluator().evaluate(request).prediction(CALL).orElseThrow();
  }

  /** Launches of one process for all GPUs follow one another: 32 instead of 19 us. */
  @Test
  void aProcessForEachGpuIsTheDefault() {
    JobRequest request = request(machine("hgx-h200-4nic", "NCCL_NVLS_ENABLE=0"));
    assertEquals(18.9, evaluate(request).timeUs(), 0.1);
    assertEquals(evaluate(request.withGpusPerProcess(1)), evaluate(request));
    assertEquals(32, evaluate(request.withGpusPerProcess(8)).timeUs(), 1);
    assertEquals(evaluate(request.withGpusPerProcess(8)), evaluate(request.withGpusPerProcess(99)));
  }

  @Test
  void withoutACalibrationTimesAreThoseOfNcclsModel() {
    JobRequest request = request(machine("hgx-h200-4nic"));
    assertTrue(evaluate(request).source().predictsTimes());
    CollectivePrediction without = evaluate(request.withCalibration(SelectedCalibration.none()));
    assertEquals(Prediction.Source.NCCL_MODEL, without.source());
  }

  @Test
  void graphFileIsFollowed() throws IOException {
    Machine machine = machine("dgx-1v");
    DomainGraphs found = new JobEvaluator().graphs(machine, false, NcclProfile.DEFAULT).get(0);
    Domain domain = found.domain();
    String text =
        GraphWriter.write(found.graphs(), domain.topology(), domain.profile().search().graphFormat)
            .replaceFirst("speedintra=\"[0-9.]+\"", "speedintra=\"7\"");
    Path file = Files.writeString(folder.resolve("graphs.xml"), text);
    JobResult result =
        new JobEvaluator().evaluate(request(machine("dgx-1v", "NCCL_GRAPH_FILE=" + file)));
    assertEquals(7, result.connection().searchedGraphs(0).get(GraphKind.RING).bwIntra());
  }

  @Test
  void topologyFileDeclaresTheMachine() {
    Path declared = TestJobs.MEASURED.resolve("declared-chain.topo.xml");
    Path there = TestJobs.MEASURED.resolve("h200-x4.topo.xml");
    Machine actual = machine(there, GpuSelection.ALL, "NCCL_TOPO_FILE=" + declared);
    JobResult result = new JobEvaluator().evaluate(request(actual));
    assertEquals(actual, result.request().actual().orElseThrow());
    Machine chain = machine(declared, GpuSelection.ALL);
    assertEquals(
        new JobEvaluator().graphs(chain, false, NcclProfile.DEFAULT).get(0).graphs(),
        result.connection().searchedGraphs(0));
    Topology seen = result.communicator().job().machines().get(0).topology();
    assertEquals(List.of("eth0"), seen.nets().stream().map(NetNode::name).toList());
    JobRequest given = request(chain).withActual(Optional.of(machine(there, GpuSelection.ALL)));
    assertEquals(evaluate(given), evaluate(request(actual)));
  }

  /** NCCL finds none of these GPUs on the machine, and adds those that it finds. */
  @Test
  void aDeclaredMachineHasTheGpusOfTheActualOne() {
    Path declared = TOPOLOGIES.resolve("hgx-h100-vm-flat.xml");
    Machine four = machine("dgx-h100", GpuSelection.of(Set.of(0, 1, 2, 3)));
    JobRequest request =
        request(
            new Machine(
                four.topology(), NcclSettings.parse(List.of("NCCL_TOPO_FILE=" + declared))));
    JobResult result = new JobEvaluator().evaluate(request);
    List<GpuNode> gpus = result.communicator().job().machines().get(0).topology().gpus();
    assertEquals(four.topology().gpus(), gpus);
  }

  /** On nodes after the first one ranks are not the numbers of GPUs in the file. */
  @Test
  void anyNodeMaySendThroughAThirdGpu() {
    Machine chain = machine("dgx-1v", GpuSelection.of(Set.of(0, 1, 5)));
    Machine pair = machine("dgx-1v", GpuSelection.of(Set.of(0, 1)));
    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 64L << 20);
    assertEquals(
        timeUs(new Job(List.of(chain, pair)), call), timeUs(new Job(List.of(pair, chain)), call));
  }

  /** Between nodes, too, the first chunk is passed on no faster than PCI carries it. */
  @Test
  void aTreeOverPciIsNoFasterOnTwoNodesThanOnOne() {
    Machine machine = machine("l40s-8-switched", "NCCL_ALGO=Tree");
    for (long bytes : List.of(170_896L, 1L << 20, 64L << 20)) {
      CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, bytes);
      double one = timeUs(Job.ofEqual(machine, 1), call);
      double two = timeUs(Job.ofEqual(machine, 2), call);
      assertTrue(two > one, bytes + " bytes: " + one + " us on one node, " + two + " us on two");
    }
  }

  private static double timeUs(Job job, CollectiveCall call) {
    JobResult result = new JobEvaluator().evaluate(JobRequest.of(job, List.of(call)));
    return result.prediction(call).orElseThrow().timeUs();
  }
}
