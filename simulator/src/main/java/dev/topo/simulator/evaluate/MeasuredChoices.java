package dev.topo.simulator.evaluate;

import dev.topo.inspect.measured.JobMeasurements;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.simulator.evaluate.PredictedCall.ChoiceComparison;
import dev.topo.simulator.evaluate.RecommendedRules.Recommendation;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The fastest pairs as measured: at each measured size the pair with the least total time out of
 * place and in place, if it beat NCCL's choice in both by more than the scatter of single
 * measurements. Other sizes take the nearest measured size; beyond the measured range NCCL's choice
 * is kept.
 */
public final class MeasuredChoices implements Recommendation {
  private static final double HALF_AN_OCTAVE = Math.sqrt(2);

  private final Tuner tuner;
  private final Map<Collective, TreeMap<Long, Map<Pair, Measurement>>> times =
      new EnumMap<>(Collective.class);

  /**
   * The fastest of measured pairs.
   *
   * @param tuner computes NCCL's choice
   * @param measurements only those with a forced pair are used
   */
  public MeasuredChoices(Tuner tuner, List<Measurement> measurements) {
    this.tuner = tuner;
    for (Measurement measurement : measurements) {
      if (measurement.forced().isPresent() && measurement.channels().isEmpty()) {
        times
            .computeIfAbsent(measurement.collective(), key -> new TreeMap<>())
            .computeIfAbsent(measurement.sizeBytes(), key -> new LinkedHashMap<>())
            .merge(measurement.forced().get(), measurement, MeasuredChoices::faster);
      }
    }
  }

  /**
   * The fastest pairs of a run of a job.
   *
   * @throws TopologyFormatException if the run is not of the job, or has no forced pairs
   */
  public static MeasuredChoices of(MeasuredRun run, Communicator communicator) {
    JobMeasurements.check(run, communicator.job());
    MeasuredChoices choices =
        new MeasuredChoices(communicator.tuner(), JobMeasurements.of(run, communicator.nRanks()));
    if (!choices.hasAny()) {
      throw new TopologyFormatException(
          SourceLocation.of(run.file()),
          "has no measurement with a forced algorithm and protocol to compare");
    }
    return choices;
  }

  /** True if pairs of some call were measured. */
  private boolean hasAny() {
    return !times.isEmpty();
  }

  @Override
  public Optional<Pair> instead(CollectiveCall call) {
    TreeMap<Long, Map<Pair, Measurement>> sizes = times.get(call.collective());
    if (sizes == null) {
      return Optional.empty();
    }
    Optional<Long> nearest = nearest(sizes, call.sizeBytes());
    return nearest.flatMap(
        size ->
            better(sizes.getOrDefault(size, Map.of()), tuner.decide(call.withSize(size)).choice()));
  }

  private static Optional<Long> nearest(TreeMap<Long, Map<Pair, Measurement>> sizes, long size) {
    Long below = sizes.floorKey(size);
    Long above = sizes.ceilingKey(size);
    if (below == null || above == null) {
      Long end = below == null ? above : below;
      boolean isNear = end != null && size >= end / HALF_AN_OCTAVE && size <= end * HALF_AN_OCTAVE;
      return isNear ? Optional.ofNullable(end) : Optional.empty();
    }
    return Optional.of((double) size * size < (double) below * above ? below : above);
  }

  private static Optional<Pair> better(Map<Pair, Measurement> measured, Optional<Choice> choice) {
    Optional<Measurement> chosen = choice.map(Choice::pair).map(measured::get);
    if (chosen.isEmpty()) {
      return Optional.empty();
    }
    return measured.values().stream()
        .reduce(MeasuredChoices::faster)
        .filter(best -> beats(best, chosen.get(), false) && beats(best, chosen.get(), true))
        .flatMap(Measurement::forced);
  }

  private static boolean beats(Measurement best, Measurement chosen, boolean inPlace) {
    return best.timeUs(inPlace) * (1 + ChoiceComparison.WORTH_CHANGING) < chosen.timeUs(inPlace);
  }

  private static Measurement faster(Measurement a, Measurement b) {
    return b.timeUs() + b.inPlaceTimeUs() < a.timeUs() + a.inPlaceTimeUs() ? b : a;
  }
}
