package dev.topo.search.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import org.junit.jupiter.api.Test;

class CollectiveCallTest {
  /** 1 << 32 is 1: an int that may have overflowed is no size, whatever is left of it. */
  @Test
  @SuppressWarnings("removal") // the overload that rejects ints
  void aSizeOfTypeIntIsRejected() {
    for (int rest : new int[] {1, 4 << 28, 0}) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> CollectiveCall.of(Collective.ALL_REDUCE, rest));
      assertTrue(String.valueOf(e.getMessage()).contains("expected a long, as in 1L << 32"));
    }
    assertEquals(4294967296L, CollectiveCall.of(Collective.ALL_REDUCE, 1L << 32).sizeBytes());
  }
}
