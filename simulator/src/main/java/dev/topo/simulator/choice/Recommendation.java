package dev.topo.simulator.choice;

import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.Measurement.Pair;
import java.util.Optional;

/** What to run instead of NCCL's choice. */
@FunctionalInterface
public interface Recommendation {
  /** The pair to run for a call; empty where NCCL's own choice is to stay. */
  Optional<Pair> instead(CollectiveCall call);

  /** What a predictor believes to be best, out of place. */
  static Recommendation of(Predictor predictor) {
    return call -> {
      Optional<Pair> chosen = predictor.predict(call, false).map(Recommendation::pair);
      Optional<Pair> best = predictor.best(call, false).map(Recommendation::pair);
      return best.equals(chosen) ? Optional.empty() : best;
    };
  }

  private static Pair pair(Prediction prediction) {
    return new Pair(prediction.algorithm(), prediction.protocol());
  }
}
