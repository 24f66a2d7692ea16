package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The expected numbers are those of {@code alltoallv_perf} of nccl-tests 2.19.6. */
class WeightedPartsTest {
  @Test
  void partsGrowWithTheDistanceInMultiplesOf16Bytes() {
    WeightedParts parts = new WeightedParts(256, 4, 4);
    // 4096 bytes in shares of 0, 1/6, 2/6 and 3/6: 0, 672, 1360 and 2048 bytes.
    assertEquals(0, parts.elements(2, 2));
    assertEquals(168, parts.elements(2, 3));
    assertEquals(340, parts.elements(3, 1));
    assertEquals(512, parts.elements(1, 0));
    assertEquals(1020, parts.elements());
    assertEquals(168 + 340, parts.sentBefore(3, 2));
  }

  @Test
  void aSingleRankSendsAllToItself() {
    assertEquals(256, new WeightedParts(256, 4, 1).elements(0, 0));
  }
}
