package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.SymmetricKernel;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.NodeCosts;
import dev.topo.simulator.timing.TimingModel;
import org.junit.jupiter.api.Test;

class WindowTimeTest {
  private static final NodeCosts COSTS = NodeCosts.shipped();
  private static final WindowTime TIMES =
      new WindowTime(new TimingModel(Calibration.typical(), COSTS, 1), COSTS);

  private static double timeUs(SymmetricKernel kernel, long bytes, int ranks, boolean inPlace) {
    return TIMES.estimate(kernel, bytes, ranks, 8, inPlace, 1, (ranks - 1) * 1000 / 370.8).timeUs();
  }

  @Test
  void kernelsWithMulticastWereNotMeasured() {
    assertTrue(WindowTime.isCovered(SymmetricKernel.ALL_GATHER_STORE));
    assertFalse(WindowTime.isCovered(SymmetricKernel.ALL_REDUCE_MULTICAST));
  }

  /** The own part of AllGather in place is where it belongs; AllReduce always stores all. */
  @Test
  void onlyAllGatherSavesAStoreInPlace() {
    long size = 1 << 24;
    assertTrue(
        timeUs(SymmetricKernel.ALL_GATHER_STORE, size, 2, true)
            < 0.9 * timeUs(SymmetricKernel.ALL_GATHER_STORE, size, 2, false));
    for (SymmetricKernel kernel :
        new SymmetricKernel[] {
          SymmetricKernel.ALL_REDUCE_LOAD_STORE, SymmetricKernel.REDUCE_SCATTER_LOAD
        }) {
      assertEquals(timeUs(kernel, size, 2, true), timeUs(kernel, size, 2, false), 1e-9);
    }
  }

  /** AllReduce loads as ReduceScatter and stores as AllGather. */
  @Test
  void allReduceTakesLongerThanEitherHalf() {
    for (long size = 1 << 18; size < 1L << 31; size *= 4) {
      double all = timeUs(SymmetricKernel.ALL_REDUCE_LOAD_STORE, size, 2, false);
      assertTrue(all > timeUs(SymmetricKernel.REDUCE_SCATTER_LOAD, size, 2, false));
      assertTrue(all > timeUs(SymmetricKernel.ALL_GATHER_STORE, size, 2, false));
    }
  }

  /** Each rank's data goes to all others, so that no link carries more than it can. */
  @Test
  void busbwStaysBelowTheLink() {
    double us = timeUs(SymmetricKernel.ALL_GATHER_STORE, 1L << 30, 8, true);
    assertTrue((1L << 30) * 7.0 / 8 / us * 1e-3 <= 370.8);
  }

  /** AllReduce crosses the links twice, however many blocks it has. */
  @Test
  void busbwOfAllReduceStaysBelowTheLink() {
    double us =
        TIMES
            .estimate(
                SymmetricKernel.ALL_REDUCE_LOAD_STORE, 1L << 30, 2, 64, false, 1, 1000 / 370.8)
            .timeUs();
    assertTrue((1L << 30) / us * 1e-3 <= 370.8, us + " us");
  }
}
