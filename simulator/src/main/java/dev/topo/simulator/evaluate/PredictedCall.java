package dev.topo.simulator.evaluate;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.explain.ChoiceExplainer;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Estimate;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A call with its requested predictions.
 *
 * @param call the call
 * @param shown the requested predictions; none if NCCL refuses the call with these pairs
 * @param refusal the reason of the refusal, in words; empty if there is none
 * @param comparison NCCL's choice compared with every pair that NCCL can use
 */
public record PredictedCall(
    CollectiveCall call,
    List<CollectivePrediction> shown,
    String refusal,
    ChoiceComparison comparison) {
  public PredictedCall {
    shown = List.copyOf(shown);
  }

  /** Predicts a call. */
  public static PredictedCall of(
      CallPredictor predictor, CollectiveCall call, PairSelection pairs) {
    List<CollectivePrediction> shown = pairs.predict(predictor, call);
    return new PredictedCall(
        call,
        shown,
        shown.isEmpty() ? pairs.refusal(predictor, call) : "",
        predictor.compare(call));
  }

  /** A call with the prediction of NCCL's choice only. */
  public static PredictedCall ofChoice(CollectiveCall call, CollectivePrediction chosen) {
    return new PredictedCall(
        call, List.of(chosen), "", new ChoiceComparison(Optional.of(chosen), List.of()));
  }

  /** True if a prediction is of the pair that NCCL chooses. */
  public boolean isChosen(CollectivePrediction prediction) {
    return comparison.chosen().map(c -> c.pair().equals(prediction.pair())).orElse(false);
  }

  /**
   * The requested pairs of algorithm and protocol.
   *
   * @param algorithm the requested algorithm; empty for any
   * @param protocol the requested protocol; empty for any
   * @param each whether all matching pairs are requested; otherwise the fastest in NCCL's model
   */
  public record PairSelection(
      Optional<Algorithm> algorithm, Optional<Protocol> protocol, boolean each) {
    /** The pair that NCCL chooses. */
    public static final PairSelection CHOSEN =
        new PairSelection(Optional.empty(), Optional.empty(), false);

    /** Predicts a call with these pairs; none if NCCL cannot use them. */
    List<CollectivePrediction> predict(CallPredictor predictor, CollectiveCall call) {
      if (each) {
        return predictor.predictEach(call, false).stream()
            .filter(p -> isWanted(p.algorithm(), p.protocol()))
            .toList();
      }
      if (algorithm.isEmpty() && protocol.isEmpty()) {
        return predictor.predict(call, false).stream().toList();
      }
      return predictor.communicator().tuner().estimates(call).stream()
          .filter(e -> isWanted(e.algorithm(), e.protocol()))
          .min(Comparator.comparingDouble(Estimate::timeUs))
          .flatMap(e -> predictor.predict(call, e.algorithm(), e.protocol(), false))
          .stream()
          .toList();
    }

    /** The reasons why NCCL can use none of the pairs for a call. */
    String refusal(CallPredictor predictor, CollectiveCall call) {
      Communicator communicator = predictor.communicator();
      if (call.emptiness(communicator.nRanks()).isPresent()) {
        return predictor.obstacle(call).orElse("");
      }
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

  /**
   * Compares NCCL's choice for a call with every pair that NCCL can use. Times are compared only
   * with times of the same source, and times with a known bias only with each other, as it is not
   * known whether other pairs have that bias. NCCL's own model made the choice and cannot judge it.
   *
   * @param chosen the prediction of NCCL's choice; empty if NCCL refuses the call
   * @param each the predictions of every pair that NCCL can use
   */
  public record ChoiceComparison(
      Optional<CollectivePrediction> chosen, List<CollectivePrediction> each) {
    /**
     * Least relative advantage over NCCL's choice of a recommended pair: the errors of the model
     * differ between pairs, so this exceeds the least change of {@link TimeChange}.
     */
    public static final double WORTH_CHANGING = 0.03;

    public ChoiceComparison {
      each = List.copyOf(each);
    }

    /**
     * The recommended pair: the fastest comparable pair, or NCCL's choice if none is faster by a
     * significant margin.
     */
    public Optional<CollectivePrediction> best() {
      return chosen.map(
          choice ->
              each.stream()
                  .filter(other -> choice.source().judges() && isAlike(choice, other))
                  .min(Comparator.comparingDouble(CollectivePrediction::timeUs))
                  .filter(fastest -> isFaster(fastest, choice))
                  .orElse(choice));
    }

    /** The pair to run instead of NCCL's choice; empty to keep that choice. */
    public Optional<CollectivePrediction> better() {
      return best().filter(best -> !best.pair().equals(chosen.orElseThrow().pair()));
    }

    /**
     * Pairs whose times are below the best but not comparable with it, in ascending order: it is
     * unknown whether they are faster.
     */
    public List<CollectivePrediction> notComparable() {
      return best().stream()
          .flatMap(
              best -> each.stream().filter(other -> !isAlike(best, other) && isFaster(other, best)))
          .sorted(Comparator.comparingDouble(CollectivePrediction::timeUs))
          .toList();
    }

    /**
     * True if NCCL's choice can be judged: no pair of another source may be faster, and the times
     * are not those of NCCL's own model.
     */
    public boolean isComparable() {
      return chosen.isPresent() && chosen.get().source().judges() && notComparable().isEmpty();
    }

    /** The relative excess of NCCL's choice over the best time; empty if unknown. */
    public OptionalDouble regret() {
      return isComparable()
          ? OptionalDouble.of(chosen.orElseThrow().timeUs() / best().orElseThrow().timeUs() - 1)
          : OptionalDouble.empty();
    }

    private static boolean isAlike(CollectivePrediction prediction, CollectivePrediction other) {
      return prediction.source() == other.source();
    }

    private static boolean isFaster(CollectivePrediction prediction, CollectivePrediction than) {
      return prediction.timeUs() * (1 + WORTH_CHANGING) < than.timeUs();
    }
  }
}
