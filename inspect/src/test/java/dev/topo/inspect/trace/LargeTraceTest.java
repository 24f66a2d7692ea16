package dev.topo.inspect.trace;

import dev.topo.model.fixture.Growth;
import org.junit.jupiter.api.Test;

class LargeTraceTest {
  @Test
  void theWorkForATraceGrowsWithItsCalls() {
    Growth.assertLinear(
        "bytes allocated to read",
        500,
        calls -> Growth.bytesAllocated(calls, n -> MadeUpTrace.read(0, 8, n)));
  }
}
