package dev.topo.simulator.forecast;

import dev.topo.search.cost.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import java.util.List;
import java.util.Optional;

/**
 * A call with its requested predictions.
 *
 * @param call the call
 * @param shown the requested predictions; none if NCCL refuses the call by these pairs
 * @param refusal why it refuses, for people; empty if it does not
 * @param chosen by NCCL's choice; empty if it refuses the call
 * @param best by what is recommended
 */
public record PredictedCall(
    CollectiveCall call,
    List<Prediction> shown,
    String refusal,
    Optional<Prediction> chosen,
    Optional<Prediction> best) {
  public PredictedCall {
    shown = List.copyOf(shown);
  }

  /** Predicts a call. */
  public static PredictedCall of(Predictor predictor, CollectiveCall call, PairSelection pairs) {
    List<Prediction> shown = pairs.predict(predictor, call);
    return new PredictedCall(
        call,
        shown,
        shown.isEmpty() ? pairs.refusal(predictor, call) : "",
        predictor.predict(call, false),
        predictor.best(call, false));
  }

  /** Whether a prediction is of the pair that NCCL chooses. */
  public boolean isChosen(Prediction prediction) {
    return chosen.map(c -> c.pair().equals(prediction.pair())).orElse(false);
  }

  /** What is recommended instead of NCCL's choice; empty if it is best. */
  public Optional<Prediction> better() {
    return best.filter(b -> !isChosen(b));
  }

  /** How much longer NCCL's choice takes than the best, as a part of the best. */
  public double regret() {
    return chosen.isEmpty() || best.isEmpty() ? 0 : chosen.get().timeUs() / best.get().timeUs() - 1;
  }
}
