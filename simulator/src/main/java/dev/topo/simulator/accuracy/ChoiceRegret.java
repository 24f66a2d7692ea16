package dev.topo.simulator.accuracy;

import dev.topo.model.operation.Collective;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.Predictor;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.fit.MeasuredSet;
import dev.topo.simulator.measured.Measurement;
import dev.topo.simulator.measured.Measurement.Pair;
import dev.topo.simulator.timing.TimingModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What it costs to follow somebody's choice of algorithm and protocol: how much longer the chosen
 * pair took than the best, both as measured. Where all pairs wait for the launch of kernels, this
 * is the scatter of single measurements. Calls whose chosen pair was not measured do not count.
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

  /** The regret of NCCL's own choice, from a size on. */
  public static ChoiceRegret ofNccl(MeasuredSet set, long minBytes) {
    return of(
        set,
        minBytes,
        (call, predictor) -> {
          Prediction chosen = predictor.predict(call, false).orElseThrow();
          return new Pair(chosen.algorithm(), chosen.protocol());
        },
        new TimingModel(Calibration.typical()));
  }

  /** The regret of following the timing model, from a size on. */
  public static ChoiceRegret ofModel(MeasuredSet set, TimingModel model, long minBytes) {
    return of(
        set,
        minBytes,
        (call, predictor) -> {
          Prediction best = predictor.best(call, false).orElseThrow();
          return new Pair(best.algorithm(), best.protocol());
        },
        model);
  }

  /**
   * The regret of a predictor that has seen the pairs run once: what was fastest in place is
   * followed out of place. What a model is wrong by beyond this is its own fault.
   */
  public static ChoiceRegret ofRepeat(MeasuredSet set, long minBytes) {
    return of(
        set,
        minBytes,
        pairs ->
            pairs.values().stream().min(Comparator.comparingDouble(Measurement::inPlaceTimeUs)));
  }

  private static ChoiceRegret of(
      MeasuredSet set,
      long minBytes,
      BiFunction<CollectiveCall, Predictor, Pair> choose,
      TimingModel model) {
    Predictor predictor = new Predictor(set.planner(OptionalInt.empty()), model);
    return of(
        set,
        minBytes,
        pairs -> {
          Measurement any = pairs.values().iterator().next();
          CollectiveCall call = CollectiveCall.of(any.collective(), any.sizeBytes());
          return Optional.ofNullable(pairs.get(choose.apply(call, predictor)));
        });
  }

  private static ChoiceRegret of(
      MeasuredSet set,
      long minBytes,
      Function<Map<Pair, Measurement>, Optional<Measurement>> choose) {
    List<Double> excess = new ArrayList<>();
    int close = 0;
    int scattered = 0;
    for (Map<Pair, Measurement> pairs : cases(set, minBytes)) {
      Optional<Measurement> followed = choose.apply(pairs);
      if (followed.isEmpty()) {
        continue;
      }
      Measurement chosen = followed.get();
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

  private static Collection<Map<Pair, Measurement>> cases(MeasuredSet set, long minBytes) {
    Map<Case, Map<Pair, Measurement>> cases = new LinkedHashMap<>();
    for (Measurement measurement : set.measurements()) {
      if (measurement.forced().isPresent()
          && measurement.channels().isEmpty()
          && measurement.sizeBytes() >= minBytes) {
        cases
            .computeIfAbsent(
                new Case(measurement.collective(), measurement.sizeBytes()),
                key -> new LinkedHashMap<>())
            .put(measurement.forced().get(), measurement);
      }
    }
    return cases.values();
  }
}
