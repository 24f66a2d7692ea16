package dev.topo.model.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.PeerCall;
import org.junit.jupiter.api.Test;

class CallTest {
  @Test
  void namesAreThoseOfNcclTestsOrOfNccl() {
    Call call = CollectiveCall.of(Collective.ALL_REDUCE, 1L << 30);
    assertEquals(call, Call.of("all_reduce", "1G"));
    assertEquals(call, Call.of("AllReduce", "1024M"));
    assertEquals(new PeerCall(PeerOperation.ALLTOALL, 1536), Call.of("alltoall", "1.5K"));
    assertEquals("all_reduce of 1073741824 bytes", call.title());
  }

  @Test
  void errorsNameWhatWasGivenAndWhatWasExpected() {
    assertEquals(
        "operation 'allreduces': expected one of broadcast, reduce, all_gather, reduce_scatter, all_reduce,"
            + " sendrecv, alltoall, alltoallv, gather, scatter, hypercube",
        wrong("allreduces", "1G"));
    assertEquals(
        "size '1X': expected a number of bytes such as 8, 64K, 1.5M, 4G or 1T",
        wrong("all_reduce", "1X"));
    assertEquals(
        "size '0': expected 1 byte or more: NCCL does nothing for an empty call",
        wrong("all_reduce", "0"));
  }

  private static String wrong(String operation, String size) {
    return String.valueOf(
        assertThrows(SettingException.class, () -> Call.of(operation, size)).getMessage());
  }

  /** 1 << 32 is 1: an int that may have overflowed is no size, whatever is left of it. */
  @Test
  @SuppressWarnings("removal") // the overload that rejects ints
  void aSizeOfTypeIntIsRejected() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> Call.of(PeerOperation.ALLTOALL, 1 << 20));
    assertTrue(String.valueOf(e.getMessage()).contains("expected a long, as in 1L << 32"));
    assertEquals(1L << 32, Call.of(PeerOperation.ALLTOALL, 1L << 32).sizeBytes());
  }
}
