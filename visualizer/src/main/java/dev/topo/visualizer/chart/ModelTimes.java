package dev.topo.visualizer.chart;

import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import java.util.Objects;
import java.util.Optional;

/**
 * The times of NCCL's choice for a call, as predicted and as NCCL's own model has them.
 *
 * @param predictor what knows both
 */
public record ModelTimes(Predictor predictor) {
  /** Checks that it is there. */
  public ModelTimes {
    Objects.requireNonNull(predictor, "predictor");
  }

  /** What is predicted, in microseconds; empty if NCCL refuses the call. */
  public Optional<Double> predictedUs(CollectiveCall call) {
    return predictor.predict(call, false).map(Prediction::timeUs);
  }

  /** What NCCL believes, in microseconds; empty if it refuses the call. */
  public Optional<Double> ncclUs(CollectiveCall call) {
    return predictor.tuner().decide(call).choice().map(choice -> (double) choice.timeUs());
  }
}
