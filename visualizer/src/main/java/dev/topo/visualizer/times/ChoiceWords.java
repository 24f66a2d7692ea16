package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.evaluate.PredictedCall.ChoiceComparison;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import java.util.ArrayList;
import java.util.List;

/** NCCL's choice beside other pairs, in words. */
public final class ChoiceWords {
  private ChoiceWords() {}

  /**
   * The pair that would be faster than NCCL's choice, and those that cannot be compared with it.
   */
  public static String faster(ChoiceComparison comparison) {
    List<String> parts = new ArrayList<>();
    comparison.better().map(ChoiceWords::timed).ifPresent(parts::add);
    if (comparison.chosen().isPresent() && !comparison.isComparable()) {
      parts.add(
          comparison.notComparable().stream()
              .findFirst()
              .map(other -> "not comparable: " + timed(other))
              .orElse("not comparable"));
    }
    return String.join("; ", parts);
  }

  private static String timed(CollectivePrediction prediction) {
    return prediction.algorithm().label()
        + "/"
        + prediction.protocol().label()
        + ", "
        + QuantityFormat.time(prediction.timeUs());
  }
}
