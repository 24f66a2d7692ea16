package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.accuracy.LeverRuns.Run;
import dev.topo.model.QuantityFormat;
import dev.topo.model.fixture.Thorough;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.simulator.advice.Advice;
import dev.topo.simulator.advice.Adviser;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.Permission;
import dev.topo.simulator.advice.Setup;
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
   * What medians of two processes by default differ by in nine of ten cases at 64 and 256 KiB: each
   * operation had four processes by default in the campaign.
   */
  private static final double SMALL_NOISE = 0.4;

  /** The same from 1 MiB on: the threshold of {@code TimeChange}. */
  private static final double NOISE = 0.02;

  private static final Map<Call, Map<String, Run>> PEER_CHANNELS =
      LeverRuns.byCall(LeverRuns.peerChannels());

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
      return advice.call().sizeBytes() < 1 << 20 ? SMALL_NOISE : NOISE;
    }

    /** The gain of the best lever; none where it may be noise. */
    double possible() {
      return best > 1 + noise() ? best - 1 : 0;
    }
  }

  @BeforeAll
  static void follow() {
    OUTCOMES.clear();
    OUTCOMES.addAll(outcomes(LeverRuns.byCall(LeverRuns.campaign())));
  }

  private static List<Outcome> outcomes(Map<Call, Map<String, Run>> calls) {
    List<Outcome> outcomes = new ArrayList<>();
    for (CallAdvice one : advise(EnumSet.allOf(Permission.class), calls).calls()) {
      Map<String, Run> runs = calls.get(one.call());
      double byDefault = runs.get("default").timeUs();
      Run followed = followed(runs, one);
      outcomes.add(
          new Outcome(
              one,
              followed.lever(),
              followed.isForRules(),
              ratio(runs, one),
              runs.values().stream().mapToDouble(run -> byDefault / run.timeUs()).max().orElse(1)));
    }
    return outcomes;
  }

  private static Advice advise(Set<Permission> may, Map<Call, Map<String, Run>> calls) {
    return new Adviser(new JobEvaluator(), LeverRuns.request(), may)
        .advise(List.copyOf(calls.keySet()));
  }

  private static double ratio(Map<String, Run> runs, CallAdvice advice) {
    Run followed = followed(runs, advice);
    Map<String, Run> own =
        runs.containsValue(followed) ? runs : PEER_CHANNELS.getOrDefault(advice.call(), Map.of());
    return own.get("default").timeUs() / followed.timeUs();
  }

  /** The measured run of what is advised; of more peer channels that of the campaign with them. */
  private static Run followed(Map<String, Run> runs, CallAdvice advice) {
    Alternative best = advice.best();
    int peerChannels = best.setup().settings().integer(Setup.PEER_CHANNELS, 0);
    if (peerChannels > 0 && !runs.containsKey("p2p" + peerChannels)) {
      return PEER_CHANNELS.getOrDefault(advice.call(), Map.of()).get("p2p" + peerChannels);
    }
    int ctas = best.setup().settings().integer(Setup.CHANNELS, 0);
    Optional<Pair> pair = best.forced();
    return runs.values().stream()
        .filter(run -> run.named().isPresent())
        .filter(
            run ->
                run.named().get().buffers() == best.setup().buffers()
                    && run.named().get().ctas() == ctas
                    && run.named().get().peerChannels() == peerChannels
                    && run.named().get().pair().equals(pair))
        .min(Comparator.comparing(Run::lever))
        .orElseThrow(() -> new AssertionError("not measured: " + best));
  }

  /** The same where even what may be noise counts as a gain that was possible. */
  private static double realisedOfAll(List<Outcome> outcomes) {
    return outcomes.stream().mapToDouble(one -> one.advised - 1).sum()
        / outcomes.stream().mapToDouble(one -> Math.max(0, one.best - 1)).sum();
  }

  private static double realised(List<Outcome> outcomes) {
    return outcomes.stream().mapToDouble(one -> one.advised - 1).sum()
        / outcomes.stream().mapToDouble(Outcome::possible).sum();
  }

  @Test
  void realisesFourFifthsOfTheBestMeasuredGains() {
    for (Outcome one : OUTCOMES) {
      Thorough.print(
          "%-14s %8s  %-18s predicted %6s  measured %6s  best %6s"
              .formatted(
                  one.advice.call().operation().ncclTestsName(),
                  QuantityFormat.size(one.advice.call().sizeBytes()),
                  one.lever,
                  QuantityFormat.change(one.advice.gain().ratio() - 1, 1),
                  QuantityFormat.change(one.advised - 1, 1),
                  QuantityFormat.change(one.best - 1, 1)));
    }
    assertEquals(6 * 8, OUTCOMES.size());
    System.out.printf(
        Locale.ROOT,
        "advice on two H200: %.1f %% of the summed gain of the best levers, %.1f %% with what may be noise%n",
        100 * realised(OUTCOMES),
        100 * realisedOfAll(OUTCOMES));
    for (boolean isForRules : new boolean[] {true, false}) {
      List<Outcome> half = OUTCOMES.stream().filter(one -> one.isForRules == isForRules).toList();
      System.out.printf(
          Locale.ROOT,
          "advice on two H200, sizes %s: %.1f %% of the summed gain of the best levers%n",
          isForRules ? "that ranges were made from" : "left out",
          100 * realised(half));
      boolean forRules = isForRules;
      assertTrue(realised(half) >= 0.8, () -> "sizes for rules: " + forRules);
    }
  }

  /** Another machine of the kind, measured when the ranges were known. */
  @Test
  void holdsOnAnotherMachine() {
    List<Outcome> outcomes = outcomes(LeverRuns.byCall(LeverRuns.followed()));
    System.out.printf(
        Locale.ROOT,
        "advice on another two H200: %.1f %% of the summed gain of the best levers%n",
        100 * realised(outcomes));
    assertEquals(6 * 8, outcomes.size());
    assertTrue(realised(outcomes) >= 0.8);
    for (Outcome one : outcomes) {
      assertTrue(one.advised >= 1 / (1 + one.noise()), one.toString());
    }
  }

  @Test
  void settingsAndTunerAloneAreWorthAChange() {
    Map<Call, Map<String, Run>> calls = LeverRuns.byCall(LeverRuns.campaign());
    List<CallAdvice> advised =
        advise(EnumSet.of(Permission.SETTINGS, Permission.TUNER), calls).calls().stream()
            .filter(CallAdvice::isAdvised)
            .toList();
    double sum = 0;
    for (CallAdvice one : advised) {
      Map<String, Run> runs = calls.get(one.call());
      double ratio = ratio(runs, one);
      assertTrue(ratio > 1 - NOISE, one + ": " + ratio);
      sum += ratio - 1;
    }
    System.out.printf(
        Locale.ROOT,
        "advice on two H200 without changes of the program: %d calls, %.1f %% faster on average%n",
        advised.size(),
        100 * sum / advised.size());
    assertTrue(advised.size() >= 8 && sum / advised.size() >= 0.05, advised.size() + ": " + sum);
  }

  @Test
  void isNowhereSlowerThanTheDefault() {
    for (Outcome one : OUTCOMES) {
      assertTrue(one.advised >= 1 / (1 + one.noise()), one.toString());
    }
  }
}
