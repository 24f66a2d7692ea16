package dev.topo.simulator.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GainTest {
  @Test
  void halfTheTimeIsAHundredPercent() {
    Gain gain = Gain.of(2, 0.25);
    assertEquals(100, gain.percent(), 1e-9);
    assertEquals(60, gain.leastPercent(), 1e-9);
    assertEquals(150, gain.mostPercent(), 1e-9);
  }

  @Test
  void isCertainOnlyBeyondItsRangeAndTheNoise() {
    assertTrue(Gain.of(1.20, 0.10).isCertain());
    assertFalse(Gain.of(1.20, 0.19).isCertain());
    assertFalse(Gain.of(1.20, 0.30).isCertain());
    assertFalse(Gain.NONE.isCertain());
  }

  @Test
  void theEntryOfTheNextSmallerSizeCounts() {
    KnownGain large = KnownGain.of("channels", 1L << 30).orElseThrow();
    assertEquals(16 << 20, large.fromBytes());
    assertEquals(large, KnownGain.of("channels", 16 << 20).orElseThrow());
    assertEquals(1 << 20, KnownGain.of("channels", (16 << 20) - 1).orElseThrow().fromBytes());
    assertTrue(KnownGain.of("no-lever", 1 << 20).isEmpty());
  }

  @Test
  void settingsThatAreNotPredictedHaveFigures() {
    MeasuredSetting threads =
        MeasuredSetting.all().stream()
            .filter(one -> one.setting().equals("NCCL_NTHREADS=256"))
            .findFirst()
            .orElseThrow();
    assertTrue(threads.meanPercent() < 0 && threads.leastPercent() < threads.mostPercent());
  }
}
