package dev.topo.simulator.pair;

import dev.topo.inspect.measured.HostRun;
import dev.topo.inspect.measured.HostRun.Rate;
import dev.topo.model.Alike;
import dev.topo.model.Quantiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The size at which the runs of a test are compared: the largest one that nearly all of them have
 * or, if there is none, the largest of the most frequent ones. A run without this size, such as a
 * slow one that ended early, is compared at the largest size that it shares with the others: its
 * rate there is multiplied by the median gain of the others from that size to the common one. If it
 * shares none, its rate at the smallest larger size is compared unchanged, as healthy rates do not
 * fall with the size.
 *
 * @param bytes the size
 * @param gains median factor by which rates grow from another size to the common one, for the sizes
 *     that at least half of the runs with the common size have; empty if all runs have the common
 *     size
 */
record CommonSize(long bytes, Map<Long, Double> gains) {
  /** Fraction of the runs of a test that must have the common size. */
  private static final double NEARLY_ALL = 0.9;

  /**
   * Largest gain by which a rate is extrapolated; at sizes with a larger gain, calls measure
   * latency.
   */
  private static final double MOST_GAIN = 4;

  CommonSize {
    gains = Map.copyOf(gains);
  }

  /** Determines the common size of each test. */
  static Map<String, CommonSize> of(List<HostRun> pairs) {
    Map<String, CommonSize> sizes = new LinkedHashMap<>();
    Alike.by(pairs, HostRun::test).forEach((test, runs) -> sizes.put(test, ofTest(runs)));
    return sizes;
  }

  private static CommonSize ofTest(List<HostRun> runs) {
    TreeMap<Long, Integer> counts = new TreeMap<>();
    runs.forEach(run -> sizes(run).forEach(bytes -> counts.merge(bytes, 1, Integer::sum)));
    int most = counts.values().stream().mapToInt(n -> n).max().orElseThrow();
    double leastCount = Math.min(most, NEARLY_ALL * runs.size());
    long common =
        counts.descendingMap().entrySet().stream()
            .filter(size -> size.getValue() >= leastCount)
            .findFirst()
            .orElseThrow()
            .getKey();
    List<HostRun> complete = runs.stream().filter(run -> has(run, common)).toList();
    return new CommonSize(
        common, complete.size() == runs.size() ? Map.of() : gains(complete, common));
  }

  private static Map<Long, Double> gains(List<HostRun> complete, long common) {
    Map<Long, List<Double>> ratiosOfSize = new HashMap<>();
    for (HostRun run : complete) {
      double rate = median(run, common);
      sizes(run)
          .forEach(
              size ->
                  ratiosOfSize
                      .computeIfAbsent(size, s -> new ArrayList<>())
                      .add(rate / median(run, size)));
    }
    Map<Long, Double> gains = new HashMap<>();
    ratiosOfSize.forEach(
        (size, ratios) -> {
          if (2 * ratios.size() >= complete.size()) {
            gains.put(size, Quantiles.median(ratios));
          }
        });
    return gains;
  }

  private static TreeSet<Long> sizes(HostRun run) {
    TreeSet<Long> sizes = new TreeSet<>();
    run.rates().forEach(rate -> sizes.add(rate.bytes()));
    return sizes;
  }

  private static boolean has(HostRun run, long size) {
    return run.rates().stream().anyMatch(rate -> rate.bytes() == size);
  }

  /** True if a run has the common size. */
  boolean isSizeOf(HostRun run) {
    return has(run, bytes);
  }

  /** The size at which a run is compared; empty if there is none. */
  OptionalLong sizeOf(HostRun run) {
    if (isSizeOf(run)) {
      return OptionalLong.of(bytes);
    }
    OptionalLong shared = shared(run);
    if (shared.isPresent()) {
      return gains.getOrDefault(shared.getAsLong(), 1.0) <= MOST_GAIN
          ? shared
          : OptionalLong.empty();
    }
    SortedSet<Long> larger = sizes(run).tailSet(bytes);
    return larger.isEmpty() ? OptionalLong.empty() : OptionalLong.of(larger.first());
  }

  /**
   * True if a run shares sizes with the others, but ended before any at which it can be compared.
   */
  boolean endsEarly(HostRun run) {
    return shared(run).isPresent() && sizeOf(run).isEmpty();
  }

  /** The largest size of a run for which there is a gain. */
  private OptionalLong shared(HostRun run) {
    for (long size : sizes(run).descendingSet()) {
      if (gains.containsKey(size)) {
        return OptionalLong.of(size);
      }
    }
    return OptionalLong.empty();
  }

  /**
   * Rates of a run at the common size, in GB/s, extrapolated if necessary; empty if it cannot be
   * compared.
   */
  List<Double> gbps(HostRun run) {
    OptionalLong at = sizeOf(run);
    if (at.isEmpty()) {
      return List.of();
    }
    double gain = gains.getOrDefault(at.getAsLong(), 1.0);
    return run.rates().stream()
        .filter(rate -> rate.bytes() == at.getAsLong())
        .map(rate -> gain * rate.gbps())
        .toList();
  }

  private static double median(HostRun run, long size) {
    double[] rates =
        run.rates().stream().filter(rate -> rate.bytes() == size).mapToDouble(Rate::gbps).toArray();
    return Quantiles.median(rates);
  }
}
