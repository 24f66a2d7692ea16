package dev.topo.simulator.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.calibration.OwnTimes.CommonFactor;
import dev.topo.simulator.calibration.OwnTimes.Correction;
import dev.topo.simulator.calibration.TimedCall.MeasuredCall;
import dev.topo.simulator.calibration.TimedCall.Parts;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OwnTimesTest {
  private static final String MACHINE = "sm 90, NVSwitch";
  private static final Parts LATENCY = new Parts(0, 0.95, 0);
  private static final Parts TRANSFER = new Parts(0, 0.05, 0.9);

  private static TimedCall call(Operation operation, String launch, int ranks, int mebibytes) {
    return new TimedCall(
        operation,
        launch,
        ranks / 8,
        ranks,
        (long) mebibytes << 20,
        10.0 * mebibytes,
        mebibytes < 8 ? LATENCY : TRANSFER);
  }

  private static TimedCall ring(int mebibytes) {
    return call(Collective.ALL_REDUCE, "Ring/Simple", 16, mebibytes);
  }

  private static MeasuredCall measured(TimedCall call, double factor) {
    return new MeasuredCall(call, factor * call.predictedUs());
  }

  private static OwnTimes times(MeasuredCall... calls) {
    return new OwnTimes(MACHINE, List.of(calls));
  }

  @Test
  void oneTimeMovesWhatItDetermines() {
    OwnTimes own = times(measured(ring(64), 1.3));
    assertEquals(1.3, own.of(ring(64)).factor(), 0.02);
    assertEquals(1.3, own.of(ring(256)).factor(), 0.05);
    double ofGather = own.of(call(Collective.ALL_GATHER, "Ring/Simple", 16, 64)).factor();
    assertTrue(ofGather > 1.005 && ofGather < 1.1, "an operation shares a little: " + ofGather);
    assertEquals(
        1, own.of(call(PeerOperation.SENDRECV, "Simple", 16, 64)).factor(), "sends share nothing");
    assertEquals(
        1,
        own.of(call(Collective.ALL_REDUCE, "Ring/Simple", 8, 64)).factor(),
        "a node shares nothing with a network");
  }

  @Test
  void anotherAlgorithmAndMoreNodesShareLess() {
    OwnTimes own = times(measured(ring(64), 1.3));
    double same = own.of(ring(64)).factor();
    double tree = own.of(call(Collective.ALL_REDUCE, "Tree/Simple", 16, 64)).factor();
    double nodes = own.of(call(Collective.ALL_REDUCE, "Ring/Simple", 128, 64)).factor();
    assertTrue(1 < nodes && nodes < tree && tree < same, nodes + " " + tree + " " + same);
  }

  @Test
  void theRangeIsNarrowWhereItWasMeasured() {
    OwnTimes own = times(measured(ring(1), 1.1), measured(ring(64), 1.1));
    Correction near = own.of(ring(96));
    Correction far = own.of(call(Collective.BROADCAST, "Ring/LL", 16, 1));
    assertTrue(near.isInformed() && near.part() < 0.1, near.toString());
    assertTrue(!far.isInformed() && far.part() > 0.3, far.toString());
    assertEquals(1, near.contrast(), "as other machines do");
  }

  /** Shuffled times, as of another collective's column. */
  @Test
  void timesThatContradictEachOtherGiveWideRanges() {
    OwnTimes alike =
        times(measured(ring(16), 1.1), measured(ring(32), 1.1), measured(ring(64), 1.1));
    OwnTimes odd = times(measured(ring(16), 4), measured(ring(32), 0.2), measured(ring(64), 3));
    assertTrue(odd.of(ring(48)).part() > 10 * alike.of(ring(48)).part());
    assertTrue(odd.contrast() > 2, "contrast " + odd.contrast());
  }

  @Test
  void theTimeThatContradictsAllOthersIsNamed() {
    MeasuredCall[] calls =
        IntStream.range(0, 9)
            .mapToObj(i -> measured(ring(16 << i), i == 4 ? 2 : 1.1))
            .toArray(MeasuredCall[]::new);
    List<OwnTimes.LeftOut> left = times(calls).leftOut();
    for (int i = 0; i < left.size(); i++) {
      assertEquals(i == 4, left.get(i).isOutlier(), left.get(i).toString());
    }
    assertEquals(1.0, left.get(4).before(), 1e-9);
  }

  @Test
  void aCallOfMoreBytesTakesNoLessTime() {
    OwnTimes own = times(measured(ring(16), 3), measured(ring(64), 1));
    assertEquals(480.0 / 320, own.between(ring(32), 1.1), 1e-9, "16 MiB take 480 us");
    assertEquals(640.0 / 320, own.between(ring(32), 2.5), 1e-9, "64 MiB take 640 us");
    assertEquals(1.7, own.between(ring(32), 1.7), 1e-9);
  }

  @Test
  void thePartsThatAreSlowAreTold() {
    OwnTimes own =
        times(
            measured(ring(1), 1.5),
            measured(call(Collective.ALL_GATHER, "Ring/LL", 16, 2), 1.5),
            measured(call(Collective.BROADCAST, "Ring/LL", 16, 4), 1.5),
            measured(ring(512), 1));
    List<CommonFactor> factors = own.factors();
    assertEquals(3, factors.size(), "of collectives only");
    CommonFactor latency = factors.get(1);
    assertTrue(latency.isDetermined() && latency.factor() > 1.2, latency.toString());
    assertFalse(factors.get(0).isDetermined(), "no kernel waits for launches");
  }
}
