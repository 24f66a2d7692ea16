package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Link.LinkType;
import dev.topo.model.job.Machine;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.Prediction.PeerPrediction;
import dev.topo.simulator.fixture.TestJobs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sends and receives of two H200, whose times were measured, and between nodes. */
class PeerPredictorTest {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private static PeerPredictor predictor(Machine machine, int nodes) {
    return PeerPredictor.of(TestJobs.predictor(TestJobs.on(machine, nodes))).orElseThrow();
  }

  private static PeerPredictor two() {
    return predictor(TestJobs.measured("h200-x2"), 1);
  }

  private static PeerPredictor h100(int nodes) {
    return predictor(TestJobs.shipped("dgx-h100"), nodes);
  }

  private static PeerPrediction predicted(
      PeerPredictor predictor, PeerOperation operation, long bytes) {
    return predictor.predict(operation, bytes, false).orElseThrow();
  }

  private static double busbw(PeerPredictor predictor, PeerOperation operation, long bytes) {
    return predicted(predictor, operation, bytes).busbwGBps();
  }

  private static double skewedBusbw(PeerPredictor predictor, long bytes, double factor) {
    return predictor.predictSkewed(bytes, factor).orElseThrow().busbwGBps();
  }

  /** What two H200 reached on 2026-11-22. */
  @ParameterizedTest
  @CsvSource({"ALLTOALL, 333", "SENDRECV, 361", "GATHER, 370", "SCATTER, 365"})
  void sendsAndReceivesReachWhatWasMeasured(PeerOperation operation, double measuredGBps) {
    PeerPrediction large = predicted(two(), operation, GIB);
    assertEquals(measuredGBps, large.busbwGBps(), 0.05 * measuredGBps);
    assertEquals(LinkType.NVL, large.fullLink().orElseThrow().type());
    assertEquals(Protocol.LL, predicted(two(), operation, 64 * KIB).protocol());
  }

  @Test
  void anAlltoallOfTwoRunsOn32Channels() {
    PeerPrediction prediction = predicted(two(), PeerOperation.ALLTOALL, 16 * MIB);
    assertEquals(Protocol.SIMPLE, prediction.protocol());
    assertEquals(32, prediction.channels());
  }

  @Test
  void theBusiestRankCountsOfAlltoallv() {
    PeerTraffic matrix = PeerTraffic.ofMatrix(new long[][] {{0, 100_000_000}, {50_000_000, 0}});
    PeerPrediction uneven =
        two().predict(PeerOperation.ALLTOALLV, matrix.largestBuffer(), matrix).orElseThrow();
    assertEquals(100_000_000, uneven.sizeBytes());
    assertEquals(uneven.algbwGBps(), uneven.busbwGBps(), "busbw of the one that sends most");
    double even = skewedBusbw(two(), 256 * MIB, 1);
    assertEquals(even, busbw(two(), PeerOperation.ALLTOALL, 256 * MIB));
    assertTrue(skewedBusbw(two(), 256 * MIB, 4) < 400);
  }

  /** In one node links are full, between nodes ports. */
  @Test
  void sendsAndReceivesWaitForLinksInANodeAndForPortsBetweenNodes() {
    assertEquals(
        LinkType.NVL,
        predicted(h100(1), PeerOperation.ALLTOALL, GIB).fullLink().orElseThrow().type());
    PeerPrediction between = predicted(h100(4), PeerOperation.ALLTOALL, GIB);
    assertTrue(between.network().orElseThrow().label().startsWith("NIC "), between.toString());
    assertEquals(16, between.channels());
  }

  /** The root of a gather receives by its own port, a scatter sends by those near its peers. */
  @Test
  void theRootOfAGatherHasOnePort() {
    double gather = busbw(h100(8), PeerOperation.GATHER, GIB);
    assertTrue(gather > 40 && gather < 60, "one port of 50 GB/s: " + gather);
    double scatter = busbw(h100(8), PeerOperation.SCATTER, GIB);
    assertTrue(scatter > 4 * gather, scatter + " " + gather);
  }

  @Test
  void theBusiestRankCountsBetweenNodes() {
    double even = busbw(h100(4), PeerOperation.ALLTOALL, GIB);
    assertEquals(even, skewedBusbw(h100(4), GIB, 1), 1e-3 * even);
    long[][] toRoot = new long[16][16];
    for (long[] row : toRoot) {
      row[0] = 1_000_000_000;
    }
    PeerTraffic traffic = PeerTraffic.ofMatrix(toRoot);
    PeerPrediction prediction =
        h100(2).predict(PeerOperation.ALLTOALLV, traffic.largestBuffer(), traffic).orElseThrow();
    // Eight ranks of another node send to the port of rank 0, 50 GB/s; the others come by NVLink.
    assertEquals("NIC mlx5_0", prediction.network().orElseThrow().label());
    assertEquals("not known", prediction.range());
  }
}
