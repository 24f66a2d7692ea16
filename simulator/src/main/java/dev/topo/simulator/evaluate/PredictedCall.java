package dev.topo.simulator.evaluate;

import dev.topo.model.operation.CollectiveCall;
import java.util.List;
import java.util.Optional;

/**
 * A call with its requested predictions.
 *
 * @param call the call
 * @param shown the requested predictions; none if NCCL refuses the call by these pairs
 * @param refusal why it refuses, for people; empty if it does not
 * @param comparison NCCL's choice beside every pair that NCCL can use
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
  public static PredictedCall of(Predictor predictor, CollectiveCall call, PairSelection pairs) {
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

  /** Whether a prediction is of the pair that NCCL chooses. */
  public boolean isChosen(CollectivePrediction prediction) {
    return comparison.chosen().map(c -> c.pair().equals(prediction.pair())).orElse(false);
  }
}
