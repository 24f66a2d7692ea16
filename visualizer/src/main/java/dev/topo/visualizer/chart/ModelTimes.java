package dev.topo.visualizer.chart;

import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Predictor;
import java.util.Optional;

/**
 * The times of NCCL's choice for a call, as predicted and by NCCL's own model.
 *
 * @param predictor provides both
 */
public record ModelTimes(Predictor predictor) {
  /** The predicted time, in microseconds; empty if NCCL refuses the call. */
  public Optional<Double> predictedUs(CollectiveCall call) {
    return predictor.predict(call, false).map(CollectivePrediction::timeUs);
  }

  /** NCCL's own estimate, in microseconds; empty if it refuses the call. */
  public Optional<Double> ncclUs(CollectiveCall call) {
    return predictor.tuner().decide(call).choice().map(choice -> (double) choice.timeUs());
  }
}
