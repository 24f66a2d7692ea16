package dev.topo.simulator.verdict;

import dev.topo.inspect.measured.Measurement;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.timing.TimingModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;

/**
 * The cost of choices of algorithm and protocol: by how much the measured time of the chosen pair
 * exceeds that of the best pair. For calls whose pairs all wait for kernel launches, this is only
 * the scatter of single measurements. Calls whose chosen pair was not measured are left out.
 *
 * @param cases number of calls (a collective and a size)
 * @param within2Percent calls whose chosen pair is within 2 % of the best
 * @param withinScatter calls whose chosen pair is within 2 % of the best, or within the difference
 *     between the times out of place and in place of either pair
 * @param mean mean relative excess over the best time
 * @param worst largest relative excess
 */
public record ChoiceRegret(
    int cases, int within2Percent, int withinScatter, double mean, double worst) {
  private static final double CLOSE = 0.02;

  /** Computes the regret of NCCL's own choice for calls of at least a given size. */
  public static ChoiceRegret ofNccl(MeasuredSet set, long minBytes) {
    CallPredictor predictor =
        new CallPredictor(set.planner(OptionalInt.empty()), new TimingModel(Calibration.typical()));
    return of(set, minBytes, (call, pairs) -> followed(pairs, predictor.predict(call, false)));
  }

  /** Computes the regret of following the timing model for calls of at least a given size. */
  public static ChoiceRegret ofModel(MeasuredSet set, TimingModel model, long minBytes) {
    CallPredictor predictor = new CallPredictor(set.planner(OptionalInt.empty()), model);
    return of(set, minBytes, (call, pairs) -> followed(pairs, predictor.compare(call).best()));
  }

  /**
   * Computes the regret of a predictor that knows one run of each pair: out of place, it chooses
   * the pair that is fastest in place. Only what a model exceeds this by is its error.
   */
  public static ChoiceRegret ofRepeat(MeasuredSet set, long minBytes) {
    return of(
        set,
        minBytes,
        (call, pairs) ->
            pairs.values().stream().min(Comparator.comparingDouble(Measurement::inPlaceTimeUs)));
  }

  private static Optional<Measurement> followed(
      Map<Pair, Measurement> pairs, Optional<CollectivePrediction> prediction) {
    return prediction.map(of -> pairs.get(of.pair()));
  }

  private static ChoiceRegret of(
      MeasuredSet set,
      long minBytes,
      BiFunction<CollectiveCall, Map<Pair, Measurement>, Optional<Measurement>> choose) {
    List<Double> excess = new ArrayList<>();
    int close = 0;
    int closeWithinScatter = 0;
    for (Map.Entry<CollectiveCall, Map<Pair, Measurement>> entry :
        cases(set, minBytes).entrySet()) {
      Optional<Measurement> followed = choose.apply(entry.getKey(), entry.getValue());
      if (followed.isEmpty()) {
        continue;
      }
      Measurement chosen = followed.get();
      Measurement best = chosen;
      for (Measurement pair : entry.getValue().values()) {
        best = pair.timeUs() < best.timeUs() ? pair : best;
      }
      double relativeExcess = chosen.timeUs() / best.timeUs() - 1;
      excess.add(relativeExcess);
      close += relativeExcess <= CLOSE ? 1 : 0;
      closeWithinScatter +=
          relativeExcess <= Math.max(CLOSE, Math.max(scatter(chosen), scatter(best))) ? 1 : 0;
    }
    return new ChoiceRegret(
        excess.size(),
        close,
        closeWithinScatter,
        excess.stream().mapToDouble(Double::doubleValue).average().orElse(0),
        excess.stream().mapToDouble(Double::doubleValue).max().orElse(0));
  }

  private static double scatter(Measurement measurement) {
    return Math.abs(measurement.inPlaceTimeUs() / measurement.timeUs() - 1);
  }

  private static Map<CollectiveCall, Map<Pair, Measurement>> cases(MeasuredSet set, long minBytes) {
    Map<CollectiveCall, Map<Pair, Measurement>> cases = new LinkedHashMap<>();
    for (Measurement measurement : set.measurements()) {
      if (measurement.forced().isPresent()
          && measurement.channels().isEmpty()
          && measurement.sizeBytes() >= minBytes) {
        cases
            .computeIfAbsent(measurement.call(), call -> new LinkedHashMap<>())
            .put(measurement.forced().get(), measurement);
      }
    }
    return cases;
  }
}
