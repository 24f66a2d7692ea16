package dev.topo.advice;

import dev.topo.advice.lever.SetupPredictor;
import java.util.List;

/**
 * The few changes that are best for all calls together.
 *
 * @param predictor the job with them
 * @param calls each call with them
 */
public record Plan(SetupPredictor predictor, List<CallAdvice> calls) {
  public Plan {
    calls = List.copyOf(calls);
  }

  /** Whether anything is to be changed. */
  public boolean isAdvised() {
    return calls.stream().anyMatch(CallAdvice::isAdvised);
  }

  /** Whether the tuner plugin has to choose for some calls. */
  public boolean usesTuner() {
    return calls.stream().anyMatch(call -> call.best().forced().isPresent());
  }

  /** The mean gain of all calls, as the logarithm of the ratio of times at the lower end. */
  double score() {
    return calls.stream()
        .mapToDouble(call -> call.isAdvised() ? Math.log(call.gain().least()) : 0)
        .average()
        .orElse(0);
  }

  /** How much work it is for a user. */
  int effort() {
    return calls.stream().mapToInt(call -> call.best().effort()).max().orElse(0);
  }
}
