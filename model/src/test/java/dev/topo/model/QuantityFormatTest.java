package dev.topo.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How numbers are put into words. */
class QuantityFormatTest {
  @Test
  void exactSizesLoseNoByte() {
    assertEquals("64 MiB", QuantityFormat.exactSize(64 << 20));
    assertEquals("1536 KiB", QuantityFormat.exactSize(1536 << 10));
    assertEquals("1000000 bytes", QuantityFormat.exactSize(1_000_000));
    assertEquals("0 bytes", QuantityFormat.exactSize(0));
  }

  @Test
  void sizesAreInPowersOf1024() {
    assertEquals("8 B", QuantityFormat.size(8));
    assertEquals("1023 B", QuantityFormat.size(1023));
    assertEquals("1.5 KiB", QuantityFormat.size(1536));
    assertEquals("8 GiB", QuantityFormat.size(8L << 30));
  }

  @Test
  void timesHaveTheUnitOnce() {
    assertEquals("999.9 us", QuantityFormat.time(999.9));
    assertEquals("1.00 ms", QuantityFormat.time(1000));
    assertEquals("17.0 to 19.5 us", QuantityFormat.times(17, 19.5));
    assertEquals("990.0 us to 1.01 ms", QuantityFormat.times(990, 1010));
    assertEquals("271.7 us", QuantityFormat.times(271.68, 271.71));
    assertEquals("990.00 ms to 1.01 s", QuantityFormat.times(990_000, 1_010_000));
  }

  @Test
  void bandwidthsHaveThreeDigitsThatCount() {
    assertEquals("7.76", QuantityFormat.bandwidth(7.758));
    assertEquals("357.8", QuantityFormat.bandwidth(357.81));
  }

  @Test
  void changesThatRoundToNothingHaveNoSign() {
    assertEquals("+12 %", QuantityFormat.change(0.123, 0));
    assertEquals("-12.3 %", QuantityFormat.change(-0.123, 1));
    assertEquals("0 %", QuantityFormat.change(-0.004, 0));
    assertEquals("0.0 %", QuantityFormat.change(0.0004, 1));
    assertEquals("-0.4 %", QuantityFormat.change(-0.004, 1));
  }

  @Test
  void theWorstNeverReadsLikeLessThanTheMean() {
    assertEquals("23.5 %", QuantityFormat.atMost(0.2346, 0.2346));
    assertEquals("0.3 %", QuantityFormat.atMost(0.003, 0.002));
    assertEquals("16 %", QuantityFormat.atMost(0.162, 0.007));
  }

  @Test
  void neighboursAreFolded() {
    assertEquals("", QuantityFormat.ranges(List.of()));
    assertEquals("0-3,7", QuantityFormat.ranges(List.of(0, 1, 2, 3, 7)));
  }

  @Test
  void runsOfAnOrderAreShortInBothDirections() {
    assertEquals("0-3 7-4 9 8", QuantityFormat.runs(List.of(0, 1, 2, 3, 7, 6, 5, 4, 9, 8)));
    assertEquals("5 3 1", QuantityFormat.runs(List.of(5, 3, 1)));
    assertEquals("", QuantityFormat.runs(List.of()));
  }

  @Test
  void numbersAtEqualDistancesAreShort() {
    assertEquals("0,4,…,12", QuantityFormat.steps(List.of(0, 4, 8, 12)));
    assertEquals("0,4,8", QuantityFormat.steps(List.of(0, 4, 8)));
    assertEquals("0-3", QuantityFormat.steps(List.of(0, 1, 2, 3)));
    assertEquals("0,2,4,7", QuantityFormat.steps(List.of(0, 2, 4, 7)));
  }

  @Test
  void channelsAreThoseOfACallAndThoseThatItMayUse() {
    assertEquals("16 of at most 24 channels", QuantityFormat.channels(16, 24));
    assertEquals("1 of at most 2 channels", QuantityFormat.channels(1, 2));
    assertEquals("24 channels", QuantityFormat.channels(24, 24));
    assertEquals("1 channel", QuantityFormat.channels(1, 1));
    assertEquals("1 to 16 of at most 24", QuantityFormat.ofMost(1, 16, 2, 24));
    assertEquals("1 to 24", QuantityFormat.ofMost(1, 24, 2, 24));
  }
}
