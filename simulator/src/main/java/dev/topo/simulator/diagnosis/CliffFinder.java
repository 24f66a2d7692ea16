package dev.topo.simulator.diagnosis;

import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.TunerRule;
import dev.topo.simulator.diagnosis.Cliff.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds sizes at which NCCL's choice measurably loses: a larger call is faster (the call could be
 * padded), or a forced algorithm and protocol is faster at this or a larger size. The alternative
 * has to be faster both out of place and in place, by more than the noise of the measurements. Uses
 * no timing model.
 */
final class CliffFinder {
  /**
   * A difference of this many standard deviations is not noise, even with many sizes to choose
   * from.
   */
  private static final double DEVIATIONS = 4;

  /** Least gain of a cliff, as the logarithm of the ratio of times. */
  private static final double LEAST_GAIN = 0.03;

  /** Largest factor by which a message may be padded. */
  private static final double MOST_PADDING = 16.5;

  /** Looks up NCCL's choice for a call, if a model of the machine is available. */
  @FunctionalInterface
  public interface KnownChoice {
    /** No known choice. */
    KnownChoice NONE = (collective, bytes) -> Optional.empty();

    /** Returns the algorithm and protocol that NCCL chooses; empty if unknown. */
    Optional<Pair> of(Collective collective, long bytes);
  }

  /** Calls of one collective on a number of ranks. */
  private record Calls(int ranks, Collective collective) {}

  private final TimeNoise noise;
  private final KnownChoice choice;
  private final OptionalInt nodes;
  private final Map<Calls, TimeSeries> own =
      new TreeMap<>(Comparator.comparing(Calls::collective).thenComparing(Calls::ranks));
  private final Map<Calls, Map<Pair, TimeSeries>> forced = new LinkedHashMap<>();

  private CliffFinder(List<MeasuredRun> runs, KnownChoice choice) {
    this.choice = choice;
    for (MeasuredRun run : runs) {
      run.measurements().stream()
          .filter(measurement -> measurement.channels().isEmpty())
          .forEach(this::add);
    }
    List<Integer> nodeCounts =
        runs.stream().flatMap(run -> run.nodes().stream().boxed()).distinct().toList();
    nodes = nodeCounts.size() == 1 ? OptionalInt.of(nodeCounts.get(0)) : OptionalInt.empty();
    noise =
        TimeNoise.of(
            Stream.concat(
                    own.values().stream(),
                    forced.values().stream().flatMap(pairs -> pairs.values().stream()))
                .toList());
  }

  /** Finds cliffs in runs of one job, with rules that avoid them. */
  static CliffReport find(List<MeasuredRun> runs, KnownChoice choice) {
    return new CliffFinder(runs, choice).report();
  }

  private void add(Measurement measurement) {
    Calls calls = new Calls(measurement.nGpus(), measurement.collective());
    if (measurement.forced().isEmpty()) {
      own.computeIfAbsent(calls, c -> new TimeSeries()).add(measurement);
    } else {
      forced
          .computeIfAbsent(calls, c -> new LinkedHashMap<>())
          .computeIfAbsent(measurement.forced().get(), pair -> new TimeSeries())
          .add(measurement);
    }
  }

  private CliffReport report() {
    List<Cliff> cliffs = new ArrayList<>();
    List<Cliff> unconfirmed = new ArrayList<>();
    List<TunerRule> rules = new ArrayList<>();
    own.forEach(
        (calls, series) -> {
          List<Cliff> all =
              series.sizes().stream()
                  .flatMap(bytes -> cliff(calls, series, bytes).stream())
                  .toList();
          List<Cliff> confirmed =
              all.stream().filter(cliff -> isConfirmed(calls, series, cliff, all)).toList();
          cliffs.addAll(confirmed);
          unconfirmed.addAll(all.stream().filter(cliff -> !confirmed.contains(cliff)).toList());
          rules.addAll(rules(series.sizes(), confirmed));
        });
    return new CliffReport(
        cliffs,
        unconfirmed,
        rules,
        new CliffReport.Noise(100 * noise.small(), 100 * noise.large()),
        noise.origin());
  }

  /**
   * True if a loss does not rest on a single pair of times. Below 1 MiB, processes differ by up to
   * 40 % (two H200, 2026-11). There, both times must have been repeated or, if the alternative is a
   * larger size, a neighbouring size must lose in the same way.
   */
  private boolean isConfirmed(Calls calls, TimeSeries series, Cliff cliff, List<Cliff> cliffs) {
    boolean isOwn = cliff.reason() == Reason.LARGER_IS_FASTER;
    int other =
        isOwn
            ? series.count(cliff.insteadBytes())
            : cliff
                .pair()
                .map(pair -> forced.getOrDefault(calls, Map.of()).get(pair))
                .map(times -> times.count(cliff.insteadBytes()))
                .orElse(0);
    int at = series.sizes().indexOf(cliff.bytes());
    boolean hasNeighbour =
        cliffs.stream()
            .anyMatch(
                neighbour ->
                    neighbour.reason() == cliff.reason()
                        && Math.abs(series.sizes().indexOf(neighbour.bytes()) - at) == 1);
    return cliff.bytes() >= TimeNoise.LARGE
        || Math.min(series.count(cliff.bytes()), other) > 1
        || isOwn && hasNeighbour;
  }

  private Optional<Cliff> cliff(Calls calls, TimeSeries series, long bytes) {
    List<Cliff> found = new ArrayList<>();
    for (long larger : series.sizes()) {
      if (larger > bytes && larger <= MOST_PADDING * bytes) {
        Optional<Pair> pair = ownPair(calls, larger).filter(p -> isOtherThanOwn(calls, p, bytes));
        compare(calls, series, bytes, series, larger, Reason.LARGER_IS_FASTER, pair)
            .ifPresent(found::add);
      }
    }
    forced
        .getOrDefault(calls, Map.of())
        .forEach(
            (pair, times) -> {
              for (long size : times.sizes()) {
                boolean isSame = size == bytes;
                if (isSame || size > bytes && size <= MOST_PADDING * bytes && !times.has(bytes)) {
                  Reason reason =
                      isSame ? Reason.OTHER_PAIR_IS_FASTER : Reason.OTHER_PAIR_OF_LARGER_IS_FASTER;
                  Optional<Cliff> cliff =
                      compare(calls, series, bytes, times, size, reason, Optional.of(pair));
                  cliff.filter(c -> isOtherThanOwn(calls, pair, bytes)).ifPresent(found::add);
                }
              }
            });
    // A known pair gives a rule; among those, the fastest one wins.
    return found.stream()
        .min(
            Comparator.comparing((Cliff cliff) -> cliff.pair().isEmpty())
                .thenComparingDouble(Cliff::insteadTimeUs));
  }

  private Optional<Cliff> compare(
      Calls calls,
      TimeSeries series,
      long bytes,
      TimeSeries other,
      long otherBytes,
      Reason reason,
      Optional<Pair> pair) {
    double varianceFactor = 1.0 / series.count(bytes) + 1.0 / other.count(otherBytes);
    double deviation = Math.max(noise.of(bytes), noise.of(otherBytes));
    double needed = Math.max(LEAST_GAIN, DEVIATIONS * deviation * Math.sqrt(varianceFactor));
    boolean isFaster =
        Stream.of(true, false)
            .allMatch(
                inPlace ->
                    Math.log(series.timeUs(bytes, inPlace) / other.timeUs(otherBytes, inPlace))
                        > needed);
    return isFaster
        ? Optional.of(
            new Cliff(
                calls.collective,
                calls.ranks,
                bytes,
                series.timeUs(bytes, false),
                reason,
                pair,
                otherBytes,
                other.timeUs(otherBytes, false),
                100 * -Math.expm1(-needed)))
        : Optional.empty();
  }

  /** True if NCCL does not choose this pair at a size, or its choice is unknown. */
  private boolean isOtherThanOwn(Calls calls, Pair pair, long bytes) {
    return ownPair(calls, bytes).map(chosen -> !chosen.equals(pair)).orElse(true);
  }

  /**
   * NCCL's choice: from the model or, without one, the only forced pair that takes the same time.
   */
  private Optional<Pair> ownPair(Calls calls, long bytes) {
    Optional<Pair> known = choice.of(calls.collective, bytes);
    TimeSeries series = own.get(calls);
    if (known.isPresent() || series == null) {
      return known;
    }
    double allowed = DEVIATIONS / 2 * noise.of(bytes);
    List<Pair> alike =
        forced.getOrDefault(calls, Map.of()).entrySet().stream()
            .filter(entry -> entry.getValue().has(bytes))
            .filter(
                entry ->
                    Math.abs(
                            Math.log(
                                series.timeUs(bytes, false)
                                    / entry.getValue().timeUs(bytes, false)))
                        < allowed)
            .map(Map.Entry::getKey)
            .toList();
    return alike.size() == 1 ? Optional.of(alike.get(0)) : Optional.empty();
  }

  /**
   * Rules that avoid the cliffs. A rule extends from its size halfway (geometrically) to the
   * neighbouring sizes; neighbours with the same pair share a rule.
   */
  private List<TunerRule> rules(List<Long> sizes, List<Cliff> cliffs) {
    List<TunerRule> rules = new ArrayList<>();
    for (Cliff cliff : cliffs) {
      if (cliff.pair().isEmpty()) {
        continue;
      }
      int at = sizes.indexOf(cliff.bytes());
      long min = at == 0 ? cliff.bytes() : halfway(sizes.get(at - 1), cliff.bytes()) + 1;
      long max = at == sizes.size() - 1 ? cliff.bytes() : halfway(cliff.bytes(), sizes.get(at + 1));
      TunerRule rule = rule(cliff, min, max);
      int last = rules.size() - 1;
      if (last >= 0
          && rules.get(last).maxBytes() + 1 == min
          && rules.get(last).algorithm() == rule.algorithm()
          && rules.get(last).protocol() == rule.protocol()) {
        rules.set(last, rule(cliff, rules.get(last).minBytes(), max));
      } else {
        rules.add(rule);
      }
    }
    return rules;
  }

  private static long halfway(long below, long above) {
    return (long) Math.sqrt((double) below * above);
  }

  private TunerRule rule(Cliff cliff, long min, long max) {
    Pair pair = cliff.pair().orElseThrow();
    return new TunerRule(
        cliff.collective(),
        min,
        max,
        pair.algorithm(),
        pair.protocol(),
        TunerRule.OWN_CHANNELS,
        nodes.orElse(TunerRule.ANY),
        cliff.ranks(),
        TunerRule.ANY,
        TunerRule.ANY);
  }
}
