package dev.topo.simulator.accuracy;

import dev.topo.model.collective.Collective;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.MeasuredSet;
import dev.topo.simulator.calibration.Measurement;
import dev.topo.simulator.calibration.Measurement.Pair;
import dev.topo.simulator.timing.Calibration;
import dev.topo.simulator.timing.TimingModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.BiFunction;

/**
 * What it costs to follow somebody's choice of algorithm and protocol: how much longer the chosen
 * pair took than the best, both as measured. Where all pairs wait for the launch of kernels, this
 * is the scatter of single measurements.
 *
 * @param cases number of collectives and sizes
 * @param within2Percent in how many the chosen was within 2 % of the best
 * @param withinScatter in how many it was within 2 %, or within what out of place and in place of
 *     the chosen or the best pair differ by
 * @param mean mean of the excess, as a part of the best time
 * @param worst the largest excess
 */
public record ChoiceRegret(
    int cases, int within2Percent, int withinScatter, double mean, double worst) {
  private static final double CLOSE = 0.02;

  private record Case(Collective collective, long sizeBytes) {}

  /** The regret of NCCL's own choice. */
  public static ChoiceRegret ofNccl(MeasuredSet set) {
    return of(
        set,
        (call, predictor) -> {
          Prediction chosen = predictor.predict(call, false).orElseThrow();
          return new Pair(chosen.algorithm(), chosen.protocol());
        },
        new TimingModel(Calibration.typical()));
  }

  /** The regret of following the timing model. */
  public static ChoiceRegret ofModel(MeasuredSet set, TimingModel model) {
    return of(
        set,
        (call, predictor) -> {
          Prediction best = predictor.best(call, false).orElseThrow();
          return new Pair(best.algorithm(), best.protocol());
        },
        model);
  }

  private static ChoiceRegret of(
      MeasuredSet set, BiFunction<CollectiveCall, Predictor, Pair> choose, TimingModel model) {
    Predictor predictor = new Predictor(set.planner(OptionalInt.empty()), model);
    List<Double> excess = new ArrayList<>();
    int close = 0;
    int scattered = 0;
    for (Map.Entry<Case, Map<Pair, Measurement>> entry : cases(set).entrySet()) {
      Map<Pair, Measurement> pairs = entry.getValue();
      CollectiveCall call =
          CollectiveCall.of(entry.getKey().collective(), entry.getKey().sizeBytes());
      Measurement chosen = Objects.requireNonNull(pairs.get(choose.apply(call, predictor)));
      Measurement best = chosen;
      for (Measurement pair : pairs.values()) {
        best = pair.timeUs() < best.timeUs() ? pair : best;
      }
      double more = chosen.timeUs() / best.timeUs() - 1;
      excess.add(more);
      close += more <= CLOSE ? 1 : 0;
      scattered += more <= Math.max(CLOSE, Math.max(scatter(chosen), scatter(best))) ? 1 : 0;
    }
    return new ChoiceRegret(
        excess.size(),
        close,
        scattered,
        excess.stream().mapToDouble(Double::doubleValue).average().orElse(0),
        excess.stream().mapToDouble(Double::doubleValue).max().orElse(0));
  }

  private static double scatter(Measurement measurement) {
    return Math.abs(measurement.inPlaceTimeUs() / measurement.timeUs() - 1);
  }

  private static Map<Case, Map<Pair, Measurement>> cases(MeasuredSet set) {
    Map<Case, Map<Pair, Measurement>> cases = new LinkedHashMap<>();
    for (Measurement measurement : set.measurements()) {
      if (measurement.forced().isPresent() && measurement.channels().isEmpty()) {
        cases
            .computeIfAbsent(
                new Case(measurement.collective(), measurement.sizeBytes()),
                key -> new LinkedHashMap<>())
            .put(measurement.forced().get(), measurement);
      }
    }
    return cases;
  }
}
