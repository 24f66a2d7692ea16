package dev.topo.simulator.evaluate;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.SwitchPoints;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.TunerCsv;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.evaluate.PredictedCall.ChoiceComparison;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A recommendation as rules of NCCL's example tuner plugin, for all collectives and sizes: NCCL's
 * own choices, exact to the byte, where they are kept, and elsewhere the recommended pair on as
 * many channels as NCCL gives it at each size. The recommendation is evaluated at every power of
 * two, and by bisection between two of them where it changes.
 */
public record RecommendedRules(Communicator communicator, Recommendation recommendation) {
  /** A pair to run instead of NCCL's choice. */
  @FunctionalInterface
  public interface Recommendation {
    /** Least relative advantage of a pair in replays of CUDA graphs. */
    double REPLAY_MARGIN = 0.15;

    /** The pair to run for a call; empty to keep NCCL's choice. */
    Optional<Pair> instead(CollectiveCall call);

    /**
     * The fastest predicted pair, out of place, where NCCL's choice takes longer by more than the
     * calibration's own spread, or that of replays: a wrong rule costs more than a missing one.
     * Pairs that cannot be compared with NCCL's choice are never recommended, nor calls for which
     * no range is known.
     */
    static Recommendation of(CallPredictor predictor) {
      double margin =
          Math.max(
              predictor.calibration().map(Calibration::spread).orElse(1.0),
              predictor.planner().gpusPerProcess() == 0 ? REPLAY_MARGIN : 0);
      return call -> {
        ChoiceComparison comparison = predictor.compare(call);
        return comparison
            .better()
            .filter(best -> best.spread().isPresent())
            .filter(
                best -> best.timeUs() * (1 + margin) < comparison.chosen().orElseThrow().timeUs())
            .map(CollectivePrediction::pair);
      };
    }
  }

  /** Rules for some collectives. */
  public static TunerCsv of(
      Communicator communicator, List<Collective> collectives, Recommendation recommendation) {
    RecommendedRules rules = new RecommendedRules(communicator, recommendation);
    Map<Collective, List<SizeRange>> ranges = new LinkedHashMap<>();
    for (Collective collective : collectives) {
      ranges.put(collective, rules.ranges(CollectiveCall.of(collective, 0L).exact()));
    }
    return TunerCsv.of(ranges, communicator.facts());
  }

  /** The sizes at which some pairs cannot be compared with NCCL's choice, which is then kept. */
  public static List<Long> notComparable(
      CallPredictor predictor, Collective collective, List<Long> sizes) {
    return sizes.stream()
        .filter(
            size -> {
              ChoiceComparison comparison = predictor.compare(CollectiveCall.of(collective, size));
              return comparison.chosen().isPresent() && !comparison.isComparable();
            })
        .toList();
  }

  private List<SizeRange> ranges(CollectiveCall call) {
    List<SizeRange> ranges = new ArrayList<>();
    long from = 0;
    long alike = 0;
    Optional<Pair> pair = Optional.empty();
    for (long size = 1; size < TunerCsv.LARGEST_SWITCH; size *= 2) {
      Optional<Pair> next = recommendation.instead(call.withSize(size));
      // Between two powers of two there may be more than one change.
      while (!next.equals(pair)) {
        long change = change(call, alike, size, pair);
        ranges.addAll(ranges(call, from, change - 1, pair));
        from = change;
        alike = change;
        pair = recommendation.instead(call.withSize(change));
      }
      alike = size;
    }
    ranges.addAll(ranges(call, from, TunerCsv.LARGEST_SWITCH, pair));
    return ranges;
  }

  /**
   * A size at which a pair is no longer recommended, while the preceding size still recommends it.
   */
  private long change(CollectiveCall call, long alike, long unlike, Optional<Pair> pair) {
    long low = alike;
    long high = unlike;
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (recommendation.instead(call.withSize(middle)).equals(pair)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private List<SizeRange> ranges(CollectiveCall call, long min, long max, Optional<Pair> pair) {
    Tuner tuner =
        pair.map(
                forced ->
                    new Tuner(
                        communicator.facts(),
                        communicator
                            .job()
                            .settings()
                            .with(
                                NcclSettings.parse(
                                    List.of(
                                        "NCCL_ALGO=" + forced.algorithm().label(),
                                        "NCCL_PROTO=" + forced.protocol().label())))))
            .orElse(communicator.tuner());
    return new SwitchPoints(tuner).ranges(call, min, max);
  }
}
