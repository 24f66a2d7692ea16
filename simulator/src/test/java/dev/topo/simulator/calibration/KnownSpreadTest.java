package dev.topo.simulator.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Collective;
import dev.topo.simulator.calibration.Calibration.BetweenNodes;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KnownSpreadTest {
  private static final String H100 = "h100-nvswitch";
  private static final String H200 = "h200-nvswitch";
  private static final long BYTES = 1L << 20;

  /** Of H100 only calls of a thread for each GPU were published. */
  @ParameterizedTest
  @EnumSource(
      value = Launch.class,
      names = {"PAIR", "SHARED", "GRAPH"})
  void launchesThatWereNotMeasuredHaveTheRangeOfTheRelatedCalibration(Launch launch) {
    assertFalse(KnownSpread.of(H200, launch).isEmpty());
    assertEquals(KnownSpread.of(H200, launch), KnownSpread.of(H100, launch));
    assertEquals(
        KnownSpread.of(H200, launch, Collective.ALL_REDUCE, BYTES),
        KnownSpread.of(H100, launch, Collective.ALL_REDUCE, BYTES));
    assertEquals(
        KnownSpread.of(H200 + KnownSpread.PEER, Launch.PAIR),
        KnownSpread.of(H100 + KnownSpread.PEER, Launch.PAIR));
  }

  @Test
  void itsOwnTimesDecideWhereThereAreSome() {
    assertNotEquals(KnownSpread.of(H200, Launch.EACH), KnownSpread.of(H100, Launch.EACH));
    assertTrue(KnownSpread.isKnownOf(H100, Collective.ALL_REDUCE));
    assertTrue(KnownSpread.isKnownOf(H100, Collective.BROADCAST), "of H200");
  }

  /** Nobody has published times of B200 by one process for all GPUs. */
  @Test
  void aCalibrationWithoutRelatedOneHasOneRangeForAllLaunches() {
    for (Launch launch : Launch.values()) {
      assertEquals(
          KnownSpread.of("b200-nvswitch", Launch.EACH), KnownSpread.of("b200-nvswitch", launch));
    }
    assertTrue(KnownSpread.of("network.rdma", Launch.GRAPH).isEmpty());
  }

  /** The network is fitted beside the constants that all Hopper has in common. */
  @Test
  void betweenNodesHopperHasOneSetOfConstants() {
    Calibration h100 = CalibrationFile.shipped(H100).orElseThrow();
    Calibration h200 = CalibrationFile.shipped(H200).orElseThrow();
    assertNotEquals(h200.values(), h100.values());
    assertEquals(h200.values(), BetweenNodes.of(h100).values());
    assertEquals(h200, BetweenNodes.of(h200));
  }
}
