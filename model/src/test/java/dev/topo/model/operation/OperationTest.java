package dev.topo.model.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperationTest {
  @Test
  void factorsAreThoseOfNcclTests() {
    assertEquals(1.75, Collective.ALL_REDUCE.busbwFactor(8));
    for (Operation one :
        List.of(
            Collective.ALL_GATHER,
            Collective.REDUCE_SCATTER,
            PeerOperation.ALLTOALL,
            PeerOperation.ALLTOALLV,
            PeerOperation.GATHER,
            PeerOperation.SCATTER)) {
      assertEquals(0.875, one.busbwFactor(8), one.label());
    }
    for (Operation one :
        List.of(
            Collective.BROADCAST,
            Collective.REDUCE,
            PeerOperation.SENDRECV,
            PeerOperation.HYPERCUBE)) {
      assertEquals(1, one.busbwFactor(8), one.label());
    }
  }

  @Test
  void busbwIsSizeByTimeTimesTheFactor() {
    assertEquals(100, Operation.algbwGBps(1_000_000, 10), 1e-9);
    assertEquals(175, Collective.ALL_REDUCE.busbwGBps(1_000_000, 10, 8), 1e-9);
  }

  @Test
  void everyNameAndLabelIsFound() {
    assertEquals(
        Collective.values().length + PeerOperation.values().length, Operation.all().size());
    for (Operation one : Operation.all()) {
      assertEquals(Optional.of(one), Operation.ofName(one.ncclTestsName()));
      assertEquals(
          Optional.of(one), Operation.ofName(one.label().toUpperCase(java.util.Locale.ROOT)));
    }
    assertEquals(Optional.of(Collective.ALL_REDUCE), Operation.ofName("all-reduce"));
    assertTrue(Operation.ofName("barrier").isEmpty());
  }
}
