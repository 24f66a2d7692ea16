package dev.topo.simulator.evaluate;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.explain.ChoiceExplainer;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Estimate;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The requested pairs of algorithm and protocol.
 *
 * @param algorithm the only algorithm to look at
 * @param protocol the only protocol to look at
 * @param each whether all remaining pairs are requested; else the fastest in NCCL's model
 */
public record PairSelection(
    Optional<Algorithm> algorithm, Optional<Protocol> protocol, boolean each) {
  /** The pair that NCCL chooses. */
  public static final PairSelection CHOSEN =
      new PairSelection(Optional.empty(), Optional.empty(), false);

  /** Predicts a call by the pairs; none if NCCL cannot use them. */
  List<CollectivePrediction> predict(Predictor predictor, CollectiveCall call) {
    if (each) {
      return predictor.predictEach(call, false).stream()
          .filter(p -> isWanted(p.algorithm(), p.protocol()))
          .toList();
    }
    if (algorithm.isEmpty() && protocol.isEmpty()) {
      return predictor.predict(call, false).stream().toList();
    }
    return predictor.planner().communicator().tuner().estimates(call).stream()
        .filter(e -> isWanted(e.algorithm(), e.protocol()))
        .min(Comparator.comparingDouble(Estimate::timeUs))
        .flatMap(e -> predictor.predict(call, e.algorithm(), e.protocol(), false))
        .stream()
        .toList();
  }

  /** Why NCCL can use none of the pairs for a call. */
  String refusal(Predictor predictor, CollectiveCall call) {
    Communicator communicator = predictor.planner().communicator();
    if (algorithm.isEmpty() && protocol.isEmpty()) {
      return predictor.refusal(call).orElse("");
    }
    ChoiceExplainer reasons = new ChoiceExplainer(communicator);
    Set<String> found = new LinkedHashSet<>();
    for (Algorithm a : Algorithm.values()) {
      for (Protocol p : Protocol.values()) {
        if (isWanted(a, p)) {
          reasons.exclusion(call, a, p).ifPresent(found::add);
        }
      }
    }
    return String.join("; ", found);
  }

  private boolean isWanted(Algorithm a, Protocol p) {
    return algorithm.map(wanted -> wanted == a).orElse(true)
        && protocol.map(wanted -> wanted == p).orElse(true);
  }
}
