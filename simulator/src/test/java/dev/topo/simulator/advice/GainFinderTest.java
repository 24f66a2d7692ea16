package dev.topo.simulator.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.evaluate.Prediction.Source;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GainFinderTest {
  private static final GainFinder TWO_H200 = new GainFinder(true);

  private static final Setup PLAIN = Setup.of(Buffers.PLAIN);
  private static final Setup CHANNELS = PLAIN.with(Setup.CHANNELS, 32);
  private static final Alternative NOW = Variants.of(PLAIN, 150);

  @Test
  void theRangeIsThatOfMeasuredGainsOfTheLever() {
    double part = KnownGain.of("channels", Variants.CALL.sizeBytes()).orElseThrow().part();
    Gain gain = TWO_H200.gain(NOW, Variants.of(CHANNELS, 100)).orElseThrow();
    assertEquals(1.5, gain.ratio(), 1e-9);
    assertEquals(1.5 / (1 + part), gain.least(), 1e-9);
  }

  /** With more GPUs or another calibration both times may be wrong in opposite directions. */
  @Test
  void elsewhereTheRangeIsWhatBothTimesLeave() {
    GainFinder other = new GainFinder(false);
    assertFalse(other.isMeasured());
    Gain gain = other.gain(NOW, Variants.of(CHANNELS, 100)).orElseThrow();
    assertEquals(1.5 * 0.9 / 1.1, gain.least(), 1e-9);
    assertEquals(1.5 * 1.1 / 0.9, gain.most(), 1e-9);
  }

  @Test
  void timesOfOtherSourcesHaveNoGain() {
    Alternative network = Variants.of(CHANNELS, Optional.empty(), 100, Source.NETWORK);
    assertTrue(TWO_H200.gain(NOW, network).isEmpty());
    assertFalse(NOW.isComparable(network));
    Alternative nccl = Variants.of(PLAIN, Optional.empty(), 100, Source.NCCL_MODEL);
    assertFalse(nccl.isComparable(nccl));
  }

  /** No combination is surer than each of its parts where few were measured. */
  @Test
  void severalLeversAreAtLeastAsUncertainAsEach() {
    Pair pair = new Pair(Algorithm.RING, Protocol.LL128);
    Alternative both = Variants.of(CHANNELS, Optional.of(pair), 100, Source.CALIBRATION);
    assertEquals("channels+pair", both.basis());
    double alone = KnownGain.of("pair", Variants.CALL.sizeBytes()).orElseThrow().part();
    assertTrue(TWO_H200.gain(NOW, both).orElseThrow().least() <= 1.5 / (1 + alone) + 1e-9);
  }

  /**
   * Without a kernel windows are registered buffers; sends and receives have errors of their own.
   */
  @Test
  void theBasisIsWhatCountsForTheCall() {
    Alternative window = Variants.of(Setup.of(Buffers.SYMMETRIC), 100);
    assertEquals("registered", window.basis());
    Alternative peers =
        new Alternative(
            Call.of(PeerOperation.ALLTOALL, 64L << 20),
            new Setup(CHANNELS.settings(), Buffers.REGISTERED),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Protocol.SIMPLE),
            Optional.empty(),
            32,
            32,
            100,
            Optional.empty(),
            Source.CALIBRATION);
    assertEquals("registered.peer", peers.basis());
  }
}
