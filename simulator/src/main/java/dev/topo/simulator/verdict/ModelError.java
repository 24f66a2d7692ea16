package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.tuning.Estimate;
import dev.topo.search.tuning.Tuner;
import dev.topo.simulator.timing.CallShape;
import dev.topo.simulator.timing.TimingModel;
import dev.topo.simulator.verdict.ErrorTable.Errors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A measurement with the predictions of the timing model and of NCCL's own model, out of place.
 *
 * @param predictedUs time of the timing model
 * @param ncclUs time of NCCL's own model
 */
public record ModelError(
    Measurement measurement, CallShape shape, double predictedUs, double ncclUs) {

  /**
   * Compares the measurements that the timing model covers, in their order. The time of NCCL's
   * model is NaN if it has none.
   */
  public static List<ModelError> of(MeasuredSet set, TimingModel model) {
    List<ModelError> comparisons = new ArrayList<>();
    for (Measurement measurement : set.measurements()) {
      Optional<CallShape> shape = set.shape(measurement, false);
      if (shape.isPresent()) {
        OptionalDouble nccl =
            ncclUs(
                set.planner(measurement.channels()).communicator().tuner(),
                measurement,
                shape.get());
        comparisons.add(
            new ModelError(
                measurement,
                shape.get(),
                model.estimate(shape.get()).timeUs(),
                nccl.orElse(Double.NaN)));
      }
    }
    return comparisons;
  }

  private static OptionalDouble ncclUs(Tuner tuner, Measurement measurement, CallShape shape) {
    CollectiveCall call = measurement.call();
    return tuner.estimates(call).stream()
        .filter(e -> e.algorithm() == shape.algorithm() && e.protocol() == shape.protocol())
        .mapToDouble(Estimate::timeUs)
        .findFirst();
  }

  /** Relative error of the timing model; negative if its time is too short. */
  public double error() {
    return predictedUs / measurement.timeUs() - 1;
  }

  /** Relative error of NCCL's own model. */
  public double ncclError() {
    return ncclUs / measurement.timeUs() - 1;
  }

  /** Summarizes the errors of the timing model. */
  public static Errors errors(List<ModelError> comparisons) {
    return Errors.of(comparisons, ModelError::error);
  }

  /** Summarizes the errors of NCCL's own model. */
  public static Errors ncclErrors(List<ModelError> comparisons) {
    return Errors.of(comparisons, ModelError::ncclError);
  }
}
