package dev.topo.simulator.advice;

import dev.topo.model.operation.Operation;
import dev.topo.search.kernel.CallPaths.Buffers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * The changes that are best for all calls together: settings of all processes, a file for the tuner
 * plugin, and one kind of buffers for each operation.
 *
 * @param predictors predictor for the job with the changes, by operation
 * @param calls each call with the changes
 */
public record Plan(Map<Operation, SetupPredictor> predictors, List<CallAdvice> calls) {
  public Plan {
    predictors = Collections.unmodifiableMap(new LinkedHashMap<>(predictors));
    calls = List.copyOf(calls);
  }

  /** True if a change is advised for a call. */
  public boolean isAdvised() {
    return calls.stream().anyMatch(CallAdvice::isAdvised);
  }

  /** True if the tuner plugin must choose for some calls. */
  public boolean usesTuner() {
    return calls.stream().anyMatch(call -> call.best().forced().isPresent());
  }

  /** The settings, with plain buffers; empty without calls. */
  public Optional<Setup> settings() {
    return predictors.values().stream()
        .findFirst()
        .map(predictor -> new Setup(predictor.setup().settings(), Buffers.PLAIN));
  }

  /** The operations whose buffers must be of a kind. */
  public List<Operation> operations(Buffers buffers) {
    return predictors.entrySet().stream()
        .filter(entry -> entry.getValue().setup().buffers() == buffers)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The geometric mean of the gains of all calls, minus 1, at the lower ends of their ranges. */
  double least() {
    return mean(calls.stream().mapToDouble(call -> call.isAdvised() ? call.gain().least() : 1));
  }

  /** The geometric mean of the gains of all calls, minus 1. */
  public double gain() {
    return mean(calls.stream().mapToDouble(call -> call.gain().ratio()));
  }

  private static double mean(DoubleStream ratios) {
    return Math.exp(ratios.map(Math::log).average().orElse(0)) - 1;
  }

  int effort() {
    return calls.stream().mapToInt(call -> call.best().effort()).max().orElse(0);
  }
}
