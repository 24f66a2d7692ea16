package dev.topo.simulator.pair;

import dev.topo.inspect.measured.HostRun;
import dev.topo.inspect.measured.HostRun.Rate;
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
 * The size at which the runs of a test are compared: the largest that nearly all of them have; else
 * the one that most have. A slow run may end before it. Its rate is then that of the largest size
 * that it has in common with the others, times what the others gain from there to the common size;
 * the rate of a larger call is compared as it is, as healthy rates do not fall with the size.
 *
 * @param bytes the size
 * @param gains by how much the rates of the runs that have it grow from another size to it, for the
 *     sizes that half of them have
 */
record CommonSize(long bytes, Map<Long, Double> gains) {
  /** The part of the runs of a test that has the size at which they are compared. */
  private static final double NEARLY_ALL = 0.9;

  /** Calls that reach less than this part of the common size's rate measure latency. */
  private static final double MOST_GAIN = 4;

  CommonSize {
    gains = Map.copyOf(gains);
  }

  /** The common size of each test. */
  static Map<String, CommonSize> of(List<HostRun> pairs) {
    Map<String, List<HostRun>> byTest = new LinkedHashMap<>();
    pairs.forEach(run -> byTest.computeIfAbsent(run.test(), t -> new ArrayList<>()).add(run));
    Map<String, CommonSize> sizes = new LinkedHashMap<>();
    byTest.forEach((test, runs) -> sizes.put(test, ofTest(runs)));
    return sizes;
  }

  private static CommonSize ofTest(List<HostRun> runs) {
    TreeMap<Long, Integer> counts = new TreeMap<>();
    runs.forEach(run -> sizes(run).forEach(bytes -> counts.merge(bytes, 1, Integer::sum)));
    int most = counts.values().stream().mapToInt(n -> n).max().orElseThrow();
    double enough = Math.min(most, NEARLY_ALL * runs.size());
    long common =
        counts.descendingMap().entrySet().stream()
            .filter(size -> size.getValue() >= enough)
            .findFirst()
            .orElseThrow()
            .getKey();
    List<HostRun> whole = runs.stream().filter(run -> has(run, common)).toList();
    return new CommonSize(common, whole.size() == runs.size() ? Map.of() : gains(whole, common));
  }

  private static Map<Long, Double> gains(List<HostRun> whole, long common) {
    Map<Long, List<Double>> ofSize = new HashMap<>();
    for (HostRun run : whole) {
      double rate = median(run, common);
      sizes(run)
          .forEach(
              size ->
                  ofSize
                      .computeIfAbsent(size, s -> new ArrayList<>())
                      .add(rate / median(run, size)));
    }
    Map<Long, Double> gains = new HashMap<>();
    ofSize.forEach(
        (size, all) -> {
          if (2 * all.size() >= whole.size()) {
            gains.put(size, Quantiles.median(all));
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

  boolean isIn(HostRun run) {
    return has(run, bytes);
  }

  /** The size of a run whose rate is compared; empty if it has none that can be. */
  OptionalLong sizeOf(HostRun run) {
    if (isIn(run)) {
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

  /** True if a run ended at sizes that the others have, too, and before any that counts. */
  boolean endsEarly(HostRun run) {
    return shared(run).isPresent() && sizeOf(run).isEmpty();
  }

  /** The largest size of a run that half of the others have. */
  private OptionalLong shared(HostRun run) {
    for (long size : sizes(run).descendingSet()) {
      if (gains.containsKey(size)) {
        return OptionalLong.of(size);
      }
    }
    return OptionalLong.empty();
  }

  /** The rates of a run at the common size, in GB/s; none if it cannot be compared. */
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
