package dev.topo.simulator.advice;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.search.bound.OperationBound;
import dev.topo.simulator.advice.CallAdvice.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses among the ways to run a call.
 *
 * @param bounds what no way to run a call can beat
 */
record CallChooser(Set<Permission> may, GainFinder gains, Map<Operation, OperationBound> bounds) {
  /** Gains closer than this to each other, as a part, are the same. */
  private static final double ALIKE = 0.02;

  /**
   * The ways that a setup leaves: NCCL's choice, and the pairs of the tuner plugin. What would beat
   * the bound is predicted wrongly.
   */
  List<Alternative> variants(SetupPredictor setup, Call call) {
    List<Alternative> variants = new ArrayList<>(setup.byChoice(call).stream().toList());
    if (may.contains(Permission.TUNER)) {
      variants.addAll(setup.byPairs(call));
    }
    OperationBound bound = bounds.get(call.operation());
    variants.removeIf(
        variant -> bound != null && variant.timeUs() < bound.timeUs(call.sizeBytes()));
    return variants;
  }

  /** The simplest of those that gain the most for certain. */
  Optional<Alternative> surest(Alternative now, List<Alternative> variants) {
    List<Alternative> certain =
        variants.stream().filter(other -> gain(now, other).isCertain()).toList();
    double most = certain.stream().mapToDouble(other -> gain(now, other).least()).max().orElse(1);
    return certain.stream()
        .filter(other -> gain(now, other).least() * (1 + ALIKE) >= most)
        .min(
            Comparator.comparingInt(Alternative::effort)
                .thenComparing(Comparator.comparingDouble(Alternative::timeUs)));
  }

  /** The advice to run a call in a way, or as it is. */
  CallAdvice advice(Alternative now, Optional<Alternative> best) {
    return best.map(
            alternative ->
                new CallAdvice(now, alternative, gain(now, alternative), Optional.empty()))
        .orElseGet(() -> new CallAdvice(now, now, Gain.NONE, Optional.empty()));
  }

  /** The advice for a call, or what only a measurement can judge. */
  CallAdvice best(Alternative now, List<Alternative> variants) {
    Optional<Alternative> best = surest(now, variants);
    return best.isPresent()
        ? advice(now, best)
        : new CallAdvice(now, now, Gain.NONE, candidate(now, variants));
  }

  /** The variant with the least predicted time, which need not be the fastest. */
  private Optional<Candidate> candidate(Alternative now, List<Alternative> variants) {
    return variants.stream()
        .filter(now::isComparable)
        .filter(other -> other.timeUs() * (1 + Gain.NOISE) < now.timeUs())
        .min(Comparator.comparingDouble(Alternative::timeUs))
        .map(other -> new Candidate(other, gains.gain(now, other)));
  }

  private Gain gain(Alternative now, Alternative other) {
    return gains.gain(now, other).orElse(Gain.NONE);
  }
}
