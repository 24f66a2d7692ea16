package dev.topo.simulator.advice;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.search.bound.OperationBound;
import dev.topo.simulator.advice.CallAdvice.Candidate;
import dev.topo.simulator.evaluate.TimeChange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses among the alternatives for a call.
 *
 * @param bounds bounds that no alternative can beat, by operation
 */
record CallChooser(Set<Permission> may, GainFinder gains, Map<Operation, OperationBound> bounds) {
  /**
   * Lists the alternatives of a setup: NCCL's choice and, if allowed, the pairs that the tuner
   * plugin could choose. Predictions below the least possible time are wrong and left out.
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

  /**
   * Returns the simplest of the alternatives with about the largest certain gain; empty if none
   * gains for certain.
   */
  Optional<Alternative> surest(Alternative now, List<Alternative> variants) {
    List<Alternative> certain =
        variants.stream().filter(other -> gain(now, other).isCertain()).toList();
    double most = certain.stream().mapToDouble(other -> gain(now, other).least()).max().orElse(1);
    return certain.stream()
        .filter(other -> !TimeChange.isMore(most, gain(now, other).least()))
        .min(
            Comparator.comparingInt(Alternative::effort)
                .thenComparing(Comparator.comparingDouble(Alternative::timeUs)));
  }

  /** Creates the advice for an alternative, or for no change. */
  CallAdvice advice(Alternative now, Optional<Alternative> best) {
    return best.map(
            alternative ->
                new CallAdvice(now, alternative, gain(now, alternative), Optional.empty()))
        .orElseGet(() -> new CallAdvice(now, now, Gain.NONE, Optional.empty()));
  }

  /**
   * Finds the advice for a call or, if nothing gains for certain, a candidate that only a
   * measurement can judge.
   */
  CallAdvice best(Alternative now, List<Alternative> variants) {
    Optional<Alternative> best = surest(now, variants);
    return best.isPresent()
        ? advice(now, best)
        : new CallAdvice(now, now, Gain.NONE, candidate(now, variants));
  }

  /** The variant with the least predicted time, if that is shorter; it need not be the fastest. */
  private Optional<Candidate> candidate(Alternative now, List<Alternative> variants) {
    return variants.stream()
        .filter(now::isComparable)
        .filter(other -> TimeChange.isMore(now.timeUs(), other.timeUs()))
        .min(Comparator.comparingDouble(Alternative::timeUs))
        .map(other -> new Candidate(other, gains.gain(now, other)));
  }

  private Gain gain(Alternative now, Alternative other) {
    return gains.gain(now, other).orElse(Gain.NONE);
  }
}
