package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.LeverRuns.Run;
import dev.topo.advice.Advice;
import dev.topo.advice.Adviser;
import dev.topo.advice.CallAdvice;
import dev.topo.advice.lever.AskedCall;
import dev.topo.advice.lever.Gain;
import dev.topo.advice.lever.Permission;
import dev.topo.advice.lever.Setup;
import dev.topo.advice.lever.Variant;
import dev.topo.measured.Measurement.Pair;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What following the advice realises of the best measured levers on two H200. */
class AdviceOnGpusTest {
  /**
   * Below 1 MiB medians of two processes with the same kernels differ by so much: buffers of Simple
   * change calls by LL there by -14 to +21 %.
   */
  private static final double SMALL_NOISE = 0.25;

  private static final List<Outcome> OUTCOMES = new ArrayList<>();

  /**
   * A call.
   *
   * @param advised the measured ratio of times by following the advice; 1 where nothing is advised
   * @param best the largest measured ratio
   */
  private record Outcome(
      CallAdvice advice, String lever, boolean isForRules, double advised, double best) {
    double noise() {
      return advice.call().bytes() < 1 << 20 ? SMALL_NOISE : Gain.NOISE;
    }

    /** The gain of the best lever; none where it may be noise. */
    double possible() {
      return best > 1 + noise() ? best - 1 : 0;
    }
  }

  @BeforeAll
  static void follow() {
    OUTCOMES.clear();
    Map<AskedCall, Map<String, Run>> calls = LeverRuns.byCall(LeverRuns.campaign());
    for (CallAdvice one : advise(EnumSet.allOf(Permission.class), calls).calls()) {
      Map<String, Run> runs = calls.get(one.call());
      double byDefault = runs.get("default").timeUs();
      Run followed = followed(runs, one);
      OUTCOMES.add(
          new Outcome(
              one,
              followed.lever(),
              followed.isForRules(),
              byDefault / followed.timeUs(),
              runs.values().stream().mapToDouble(run -> byDefault / run.timeUs()).max().orElse(1)));
    }
  }

  private static Advice advise(Set<Permission> may, Map<AskedCall, Map<String, Run>> calls) {
    return new Adviser(new JobEvaluator(), LeverRuns.request(), may)
        .advise(List.copyOf(calls.keySet()));
  }

  /** The measured run of what is advised. */
  private static Run followed(Map<String, Run> runs, CallAdvice advice) {
    Variant best = advice.best();
    int ctas = best.setup().settings().integer(Setup.CHANNELS, 0);
    Optional<Pair> pair = best.forced();
    return runs.values().stream()
        .filter(run -> run.named().isPresent())
        .filter(
            run ->
                run.named().get().buffers() == best.setup().buffers()
                    && run.named().get().ctas() == ctas
                    && run.named().get().peerChannels() == 0
                    && run.named().get().pair().equals(pair))
        .min(Comparator.comparing(Run::lever))
        .orElseThrow(() -> new AssertionError("not measured: " + best));
  }

  private static double realised(List<Outcome> outcomes) {
    return outcomes.stream().mapToDouble(one -> one.advised - 1).sum()
        / outcomes.stream().mapToDouble(Outcome::possible).sum();
  }

  @Test
  void realisesFourFifthsOfTheBestMeasuredGains() {
    for (Outcome one : OUTCOMES) {
      System.out.printf(
          Locale.ROOT,
          "%-14s %8s  %-18s predicted %6s  measured %6s  best %6s%n",
          one.advice.call().operation().ncclTestsName(),
          QuantityFormat.size(one.advice.call().bytes()),
          one.lever,
          QuantityFormat.change(one.advice.gain().ratio() - 1, 1),
          QuantityFormat.change(one.advised - 1, 1),
          QuantityFormat.change(one.best - 1, 1));
    }
    assertEquals(6 * 8, OUTCOMES.size());
    for (boolean isForRules : new boolean[] {true, false}) {
      List<Outcome> half = OUTCOMES.stream().filter(one -> one.isForRules == isForRules).toList();
      System.out.printf(
          Locale.ROOT,
          "advice on two H200, sizes %s: %.1f %% of the summed gain of the best levers%n",
          isForRules ? "that ranges were made from" : "left out",
          100 * realised(half));
      assertTrue(realised(half) >= 0.8, half.toString());
    }
  }

  @Test
  void isNowhereSlowerThanTheDefault() {
    for (Outcome one : OUTCOMES) {
      assertTrue(one.advised >= 1 / (1 + one.noise()), one.toString());
    }
  }
}
