package dev.topo.simulator.timing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Protocol;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.calibration.NodeCosts.NodeCost;
import dev.topo.simulator.timing.TimeEstimate.Bottleneck;
import org.junit.jupiter.api.Test;

class PeerTimeTest {
  private static final NodeCosts COSTS = NodeCosts.shipped();
  private static final PeerTime TIMES =
      new PeerTime(new TimingModel(Calibration.typical(), COSTS, 1), COSTS);

  /** A call on 16 channels of two ranks, of so many bytes each. */
  private static PeerShape shape(long sent, long received, long copied, boolean registered) {
    long most = Math.max(sent, received);
    return new PeerShape(
        1,
        1,
        most > 32_768 ? Protocol.SIMPLE : Protocol.LL,
        16,
        sent,
        received,
        copied,
        524_288,
        16 * most / 370.8 * 1000,
        0,
        false,
        registered);
  }

  private static double timeUs(long sent, long received) {
    return TIMES.estimate(shape(sent, received, 0, false)).timeUs();
  }

  @Test
  void smallCallsWaitForTheLaunch() {
    assertEquals(Bottleneck.LAUNCH, TIMES.estimate(shape(0, 8, 0, false)).bottleneck());
    assertEquals(timeUs(0, 8), timeUs(0, 64), 0.01);
  }

  @Test
  void largeCallsWaitForTheLink() {
    assertEquals(Bottleneck.LINKS, TIMES.estimate(shape(1 << 28, 1 << 28, 0, false)).bottleneck());
    double linkUs = 16.0 * (1 << 28) / 370.8e3;
    assertTrue(timeUs(1 << 28, 1 << 28) > linkUs);
  }

  /** Blocks of several peers use a link less evenly; one neighbour or two make the difference. */
  @Test
  void fromTwoPeersOnLinksAreSharedLessEvenly() {
    PeerShape one = shape(1 << 28, 0, 0, true);
    double share = Calibration.typical().value(Constant.PEER_LINK);
    assertTrue(share < 1, "share " + share);
    double[] transferUs = new double[4];
    for (int peers = 1; peers < transferUs.length; peers++) {
      PeerShape several =
          new PeerShape(
              one.gpusPerProcess(),
              peers,
              one.protocol(),
              one.channels(),
              one.sentBytes(),
              one.receivedBytes(),
              one.copiedBytes(),
              one.chunkBytes(),
              one.linkPs() * (peers == 1 ? 1 / share : 1),
              one.otherLinkPs(),
              one.throughHost(),
              one.registered());
      transferUs[peers] = TIMES.estimate(several).transferUs();
    }
    assertEquals(transferUs[1], transferUs[2], 1e-9 * transferUs[1]);
    assertEquals(transferUs[2], transferUs[3], 1e-9 * transferUs[1]);
  }

  /** In a job no call before has filled the buffers: who receives waits for the first chunk. */
  @Test
  void aSingleCallInOneDirectionHasAFirstChunk() {
    PeerTime single = new PeerTime(new TimingModel(Calibration.typical(), COSTS, 1), COSTS, false);
    for (long bytes : new long[] {65_536, 1 << 20, 1 << 24}) {
      double first =
          Math.min(bytes, 524_288)
              * Calibration.typical().value(Constant.PEER_SIMPLE)
              * Calibration.typical().value(Constant.COPY_SIMPLE)
              * 1e-6;
      assertEquals(
          TIMES.estimate(shape(bytes, 0, 0, false)).kernelUs()
              + first
              + COSTS.value(NodeCost.PEER_STEP),
          single.estimate(shape(bytes, 0, 0, false)).kernelUs(),
          1e-6);
      assertEquals(
          timeUs(bytes, bytes),
          single.estimate(shape(bytes, bytes, 0, false)).timeUs(),
          1e-9,
          "an exchange waits in any case");
    }
  }

  /** Who sends and receives waits for what the other sends in the same call. */
  @Test
  void anExchangeTakesLongerThanOneDirection() {
    for (long bytes = 1024; bytes < 1 << 24; bytes *= 4) {
      assertTrue(timeUs(bytes, bytes) > timeUs(bytes, 0), "bytes " + bytes);
      assertEquals(timeUs(bytes, 0), timeUs(0, bytes), 1e-9);
    }
  }

  @Test
  void copiesInTheSameChannelAndMoreBytesTakeLonger() {
    PeerShape plain = shape(1 << 22, 1 << 22, 0, false);
    PeerShape copying = shape(1 << 22, 1 << 22, 1 << 22, false);
    assertTrue(TIMES.estimate(copying).timeUs() > TIMES.estimate(plain).timeUs());
    double before = 0;
    for (long bytes = 1 << 16; bytes < 1L << 30; bytes += 1 + bytes / 3) {
      double now = timeUs(bytes, bytes);
      assertTrue(now >= before, "bytes " + bytes);
      before = now;
    }
  }

  /** What is written to the user's buffer need not be copied out of another. */
  @Test
  void registeredBuffersSaveTheSecondCopyOfLargeCalls() {
    assertTrue(
        TIMES.estimate(shape(1 << 22, 1 << 22, 0, true)).timeUs()
            < 0.9 * TIMES.estimate(shape(1 << 22, 1 << 22, 0, false)).timeUs());
    assertEquals(
        TIMES.estimate(shape(4096, 4096, 0, true)).timeUs(), timeUs(4096, 4096), 1e-9, "by LL");
  }
}
