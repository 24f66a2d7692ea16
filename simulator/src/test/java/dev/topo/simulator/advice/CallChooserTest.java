package dev.topo.simulator.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.search.kernel.CallPaths.Buffers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallChooserTest {
  private static final CallChooser CHOOSER =
      new CallChooser(Set.of(Permission.SETTINGS), new GainFinder(true), Map.of());

  private static final Setup PLAIN = Setup.of(Buffers.PLAIN);
  private static final Setup CHANNELS = PLAIN.with(Setup.CHANNELS, 32);
  private static final Setup REGISTERED = Setup.of(Buffers.REGISTERED);
  private static final Alternative NOW = Variants.of(PLAIN, 150);

  @Test
  void ofEqualGainsTheSimplerChangeIsAdvised() {
    Alternative simple = Variants.of(CHANNELS, 101);
    Alternative code = Variants.of(new Setup(CHANNELS.settings(), Buffers.REGISTERED), 100);
    CallAdvice advice = CHOOSER.best(NOW, List.of(code, simple));
    assertEquals(simple, advice.best());
    assertTrue(advice.isAdvised() && advice.candidate().isEmpty());
  }

  @Test
  void moreWorkIsAdvisedWhereItGainsMore() {
    Alternative code = Variants.of(REGISTERED, 80);
    assertEquals(code, CHOOSER.best(NOW, List.of(Variants.of(CHANNELS, 130), code)).best());
  }

  @Test
  void aGainWithinItsRangeIsACandidateOnly() {
    Alternative little = Variants.of(REGISTERED, 145);
    CallAdvice advice = CHOOSER.best(NOW, List.of(little));
    assertFalse(advice.isAdvised());
    assertEquals(NOW, advice.best());
    assertEquals(little, advice.candidate().orElseThrow().variant());
    assertEquals(0, advice.gain().percent(), 0);
  }

  @Test
  void whatIsSlowerIsNotMentioned() {
    CallAdvice advice = CHOOSER.best(NOW, List.of(NOW, Variants.of(CHANNELS, 160)));
    assertFalse(advice.isAdvised());
    assertTrue(advice.candidate().isEmpty());
  }
}
