package dev.topo.simulator.choice;

import dev.topo.search.cost.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.measured.Measurement.Pair;
import java.util.Optional;

/** What to run instead of NCCL's choice. */
@FunctionalInterface
public interface Recommendation {
  /** The pair to run for a call; empty where NCCL's own choice is to stay. */
  Optional<Pair> instead(CollectiveCall call);

  /**
   * What a predictor believes to be best, out of place, where NCCL's choice takes longer by more
   * than what 90 of 100 predictions are off by: a rule that is wrong costs more than one that is
   * missing.
   */
  static Recommendation of(Predictor predictor) {
    return call -> {
      Optional<Prediction> chosen = predictor.predict(call, false);
      return predictor
          .best(call, false)
          .filter(
              best ->
                  chosen.isPresent() && best.timeUs() * (1 + best.spread()) < chosen.get().timeUs())
          .map(Recommendation::pair);
    };
  }

  private static Pair pair(Prediction prediction) {
    return new Pair(prediction.algorithm(), prediction.protocol());
  }
}
