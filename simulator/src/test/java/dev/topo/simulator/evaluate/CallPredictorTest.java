package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.DeviceName;
import dev.topo.model.Topology;
import dev.topo.model.job.Machine;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.evaluate.ChannelRoutes.BusyLink;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.fixture.TestJobs;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What times wait for, in a node and between nodes. */
class CallPredictorTest {
  private static final CollectiveCall LARGE = TestJobs.allReduce(1L << 30);

  private static String fullLink(Machine machine) {
    CallPredictor predictor = TestJobs.predictor(TestJobs.on(machine));
    CollectivePrediction prediction = predictor.predict(LARGE, false).orElseThrow();
    BusyLink link = predictor.fullLink(prediction).orElseThrow();
    Topology topology = machine.topology();
    return new DeviceName(topology).of(link.type(), link.from(), link.to());
  }

  @Test
  void theFullLinkIsTheBusiest() {
    assertEquals("NVL GPU 0 to NVS 0-0", fullLink(TestJobs.measured("h200-x4")));
    String sockets = fullLink(TestJobs.shipped("l40s-4"));
    assertTrue(sockets.startsWith("SYS CPU 0-"), sockets);
  }

  @Test
  void busbwOfAnAllReduceOfFourIsOneAndAHalfOfAlgbw() {
    CallPredictor predictor = TestJobs.predictor(TestJobs.on(TestJobs.measured("h200-x4")));
    CollectivePrediction prediction = predictor.predict(LARGE, false).orElseThrow();
    assertEquals("Ring/Simple", prediction.launchName());
    assertEquals(24, prediction.channels());
    assertEquals(24, prediction.mostChannels());
    assertEquals(1.5 * prediction.algbwGBps(), prediction.busbwGBps(), 0.01);
    assertTrue(prediction.shortestUs().orElseThrow() < prediction.timeUs());
    assertTrue(prediction.timeUs() < prediction.longestUs().orElseThrow());
  }

  @Test
  void sendsAndReceivesBetweenNodesAreLimitedByTheirPorts() {
    CallPredictor predictor = TestJobs.predictor(TestJobs.on(TestJobs.shipped("dgx-h100"), 2));
    PeerPrediction prediction =
        PeerPredictor.of(predictor)
            .orElseThrow()
            .predict(PeerOperation.ALLTOALL, 1L << 30, false)
            .orElseThrow();
    assertEquals(Protocol.SIMPLE, prediction.protocol());
    assertEquals(16, prediction.channels());
    assertEquals("NIC mlx5_0", prediction.network().orElseThrow().label());
    // Half of the data of eight GPUs leaves the node by eight ports of 50 GB/s.
    double atLineRateUs = 8 * (1L << 30) / 2.0 / (8 * 50e3);
    double timeUs = prediction.timeUs();
    assertTrue(timeUs > atLineRateUs && timeUs < 1.5 * atLineRateUs, timeUs + " " + atLineRateUs);
  }

  /** A kernel waits for the ranks of its node only: trees grow with the logarithm of the nodes. */
  @Test
  void theStartOfAKernelDoesNotGrowWithTheNodes() {
    Machine machine = TestJobs.shipped("dgx-h100");
    List<Double> times =
        Stream.of(128, 256, 512, 1024)
            .map(nodes -> TestJobs.predictor(TestJobs.on(machine, nodes)))
            .map(job -> job.predict(TestJobs.allReduce(1 << 20), false).orElseThrow().timeUs())
            .toList();
    for (int i = 2; i < times.size(); i++) {
      double before = times.get(i - 1) - times.get(i - 2);
      assertEquals(before, times.get(i) - times.get(i - 1), 0.2 * before, times.toString());
    }
  }

  private static double busbw(CallContext context, CollectiveCall call) {
    return TestJobs.predictor(TestJobs.on(TestJobs.measured("h200-x2")).withContext(context))
        .predict(call, false)
        .orElseThrow()
        .busbwGBps();
  }

  /** Registered buffers gained 19 % in measurements. */
  @Test
  void registeredBuffersAreFaster() {
    CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, 16L << 20);
    double plain = busbw(CallContext.USUAL, call);
    double registered = busbw(CallContext.USUAL.withBuffers(Buffers.REGISTERED), call);
    assertTrue(registered > 1.05 * plain, registered + " " + plain);
  }

  @Test
  void symmetricWindowsHaveAKernel() {
    CallContext windows = CallContext.USUAL.withBuffers(Buffers.SYMMETRIC);
    CollectivePrediction prediction =
        TestJobs.predictor(TestJobs.on(TestJobs.measured("h200-x2")).withContext(windows))
            .predict(CollectiveCall.of(Collective.ALL_GATHER, 16L << 20), false)
            .orElseThrow();
    assertEquals("AllGather_ST", prediction.launchName());
    assertEquals(9, prediction.channels());
  }

  @Test
  void groupsAtOnceShareTheLinks() {
    CollectiveCall call = TestJobs.allReduce(256L << 20);
    double alone = busbw(CallContext.USUAL, call);
    double both = busbw(CallContext.USUAL.withGroups(2), call);
    assertEquals(0.57, both / alone, 0.02);
  }
}
