package dev.topo.simulator.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.topology.TopologyReader;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.PredictedCall.PairSelection;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.fixture.TestJobs;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkCalibration.NetworkConstant;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.verdict.NetworkReport.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A fit to two GPUs as two hosts over TCP, from a calibration of fast ports. */
class NetworkReportTest {
  private static final Path MACHINE = TestJobs.MEASURED.resolve("h200-x2.topo.xml");
  private static final long MIB = 1L << 20;

  private static final class Fit {
    private static final NetworkReport REPORT = report();
  }

  private static NetworkCalibration rdma() {
    return NetworkFile.shipped("rdma").orElseThrow();
  }

  private static NetworkReport report() {
    Path file = TestJobs.MEASURED.resolve("h200-2x1-sockets.csv");
    MeasuredRun run =
        RunReader.read(file, RunHints.NOTHING, new Inputs()).only(one -> one.sizeBytes() >= MIB);
    Machine oneGpu =
        new Machine(
            new TopologyReader().read(MACHINE, GpuSelection.of(Set.of(0)), new Diagnostics()),
            run.settings());
    CallPredictor job =
        TestJobs.predictor(
            JobRequest.of(Job.ofEqual(oneGpu, 2), List.of())
                .withGpusPerProcess(1)
                .withNetwork(rdma()));
    return NetworkReport.of(NetworkTimes.of(run, 2, job), List.of(), rdma(), "mine", "18 times");
  }

  @Test
  void runsOfSeveralNodesCalibrateTheNetworkBetweenThem() {
    Row allReduce = Fit.REPORT.rows().get(1);
    assertEquals("2 nodes, AllReduce", allReduce.series());
    assertTrue(allReduce.base().median() > 0.5, allReduce.toString());
    assertTrue(allReduce.fitted().median() < 0.1, allReduce.toString());
    assertTrue(allReduce.heldOut().median() < 0.15, allReduce.toString());
    // No tree of NVLS runs on one GPU of a node.
    double hop = rdma().value(NetworkConstant.HOP_NVLS);
    assertEquals(hop, Fit.REPORT.fitted().value(NetworkConstant.HOP_NVLS), 1e-3);
    CommunicatorPredictions forecast = forecast(2, 32 * MIB);
    assertTrue(hasCaveat(forecast, "network mine: 18 times"), forecast.caveats().toString());
    assertTrue(hasCaveat(forecast, "90 of 100 times that the fit of mine has not seen"));
  }

  private static boolean hasCaveat(CommunicatorPredictions forecast, String words) {
    return forecast.caveats().stream().anyMatch(caveat -> caveat.contains(words));
  }

  private static JobResult result(int nodes) {
    Machine machine =
        new Machine(
            new TopologyReader().read(MACHINE, GpuSelection.ALL, new Diagnostics()),
            NcclSettings.DEFAULTS);
    return TestJobs.evaluate(TestJobs.on(machine, nodes).withNetwork(Fit.REPORT.fitted()));
  }

  private static CommunicatorPredictions forecast(int nodes, long bytes) {
    JobResult result = result(nodes);
    PairSelection choice = new PairSelection(Optional.empty(), Optional.empty(), false);
    return new CommunicatorPredictions(
        "a job",
        result,
        List.of(PredictedCall.of(result.predictor(), TestJobs.allReduce(bytes), choice)),
        List.of());
  }

  private static String range(CommunicatorPredictions forecast) {
    return forecast.calls().get(0).shown().get(0).range();
  }

  /**
   * A range that was measured with AllReduce and others of two nodes says nothing of other calls.
   */
  @Test
  void aFittedRangeHoldsForMeasuredCallsOnly() {
    assertEquals(
        2,
        Fit.REPORT
            .fitted()
            .spread()
            .orElseThrow()
            .measured()
            .get(Collective.ALL_REDUCE)
            .mostNodes());
    assertFalse(range(forecast(2, 32 * MIB)).contains("not known"));
    JobResult result = result(2);
    PeerPrediction alltoall =
        PeerPredictor.of(result.predictor())
            .orElseThrow()
            .predict(PeerOperation.ALLTOALL, 32 * MIB, false)
            .orElseThrow();
    assertEquals("not known", alltoall.range());
    CommunicatorPredictions ofPeers =
        new CommunicatorPredictions("a job", result, List.of(), List.of(), List.of(alltoall));
    assertIsNotMeasured(ofPeers);
    for (CommunicatorPredictions other : List.of(forecast(4, 32 * MIB), forecast(2, 64L << 30))) {
      assertEquals("not known", range(other));
      assertIsNotMeasured(other);
    }
  }

  private static void assertIsNotMeasured(CommunicatorPredictions forecast) {
    assertTrue(
        hasCaveat(forecast, "was not measured for all of these calls"),
        forecast.caveats().toString());
    assertFalse(hasCaveat(forecast, "90 of 100"), forecast.caveats().toString());
  }
}
