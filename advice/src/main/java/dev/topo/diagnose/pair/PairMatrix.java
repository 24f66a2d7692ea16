package dev.topo.diagnose.pair;

import dev.topo.measured.host.HostRun;
import dev.topo.measured.host.HostRun.Rate;
import dev.topo.model.QuantityFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The comparable runs of a matrix: of each test the largest size that nearly all of its runs have;
 * repeated runs of a pair are taken together by their median.
 *
 * @param hosts names of the hosts, sorted
 * @param runs the runs
 * @param levels what the runs of one healthy level have in common, by {@link Run#level}
 * @param remarks what was left out, a sentence each
 */
record PairMatrix(List<String> hosts, List<Run> runs, List<String> levels, List<String> remarks) {
  /** The part of the runs of a test that has the size at which they are compared. */
  private static final double NEARLY_ALL = 0.9;

  /**
   * A run of two hosts.
   *
   * @param first index of the host of the first rank
   * @param second index of the other host
   * @param firstNic port of the first host; empty if not known
   * @param secondNic port of the second host
   * @param level index of the level that it has when healthy
   * @param gbps the rate in GB/s
   */
  record Run(int first, int second, String firstNic, String secondNic, int level, double gbps) {
    boolean has(int host) {
      return first == host || second == host;
    }
  }

  /** What makes runs comparable: their medians are taken where all of it is equal. */
  private record Key(
      String first, String second, String firstNic, String secondNic, String level) {}

  static PairMatrix of(List<HostRun> all, PairRoutes routes) {
    List<String> remarks = new ArrayList<>();
    List<HostRun> pairs = usable(all, remarks);
    Map<String, Long> sizes = sizes(pairs);
    Map<Key, List<Double>> rates = new LinkedHashMap<>();
    Set<String> names = new LinkedHashSet<>();
    int other = 0;
    for (HostRun run : pairs) {
      long size = Objects.requireNonNull(sizes.get(run.test()));
      List<Rate> ofSize = run.rates().stream().filter(rate -> rate.bytes() == size).toList();
      if (ofSize.isEmpty()) {
        other++;
        continue;
      }
      String first = run.hosts().get(0);
      String second = run.hosts().get(1);
      names.addAll(run.hosts());
      Key key =
          new Key(
              first,
              second,
              run.nic(0),
              run.nic(1),
              level(run.test(), size, routes.distance(first, run.nic(0), second, run.nic(1))));
      ofSize.forEach(rate -> rates.computeIfAbsent(key, k -> new ArrayList<>()).add(rate.gbps()));
    }
    if (other > 0) {
      remarks.add(QuantityFormat.count(other, "run") + " without the common size: left out");
    }
    List<String> hosts = names.stream().sorted(new HostOrder()).toList();
    Map<String, Integer> indices = new LinkedHashMap<>();
    hosts.forEach(host -> indices.put(host, indices.size()));
    Set<String> levels = new LinkedHashSet<>();
    rates.keySet().forEach(key -> levels.add(key.level));
    List<String> levelList = List.copyOf(levels);
    List<Run> runs =
        rates.entrySet().stream()
            .map(
                entry ->
                    new Run(
                        indices.getOrDefault(entry.getKey().first, 0),
                        indices.getOrDefault(entry.getKey().second, 0),
                        entry.getKey().firstNic,
                        entry.getKey().secondNic,
                        levelList.indexOf(entry.getKey().level),
                        median(entry.getValue())))
            .sorted(
                Comparator.comparingInt(Run::first)
                    .thenComparingInt(Run::second)
                    .thenComparing(Run::firstNic)
                    .thenComparing(Run::secondNic)
                    .thenComparingInt(Run::level))
            .toList();
    return new PairMatrix(hosts, runs, levelList, remarks);
  }

  private static String level(String test, long size, Optional<String> distance) {
    return Stream.of(
            test.isEmpty() ? "pairs" : test,
            size == 0 ? "" : "of " + QuantityFormat.size(size),
            distance.orElse(""))
        .filter(part -> !part.isEmpty())
        .reduce((a, b) -> a + " " + b)
        .orElseThrow();
  }

  private static List<HostRun> usable(List<HostRun> all, List<String> remarks) {
    List<HostRun> pairs = new ArrayList<>();
    Set<String> failed = new LinkedHashSet<>();
    Set<String> wrong = new LinkedHashSet<>();
    int others = 0;
    for (HostRun run : all) {
      if (run.wrong() > 0) {
        wrong.add(String.join(" and ", run.hosts()));
      }
      if (run.hosts().size() != 2) {
        others++;
      } else if (run.rates().isEmpty()) {
        failed.add(String.join(" and ", run.hosts()));
      } else {
        pairs.add(run);
      }
    }
    if (others > 0) {
      remarks.add(QuantityFormat.count(others, "run") + " not of two hosts: left out");
    }
    if (!failed.isEmpty()) {
      remarks.add("without a result: " + String.join(", ", failed));
    }
    if (!wrong.isEmpty()) {
      remarks.add("with wrong results (#wrong), which are left out: " + String.join(", ", wrong));
    }
    return pairs;
  }

  /** The largest size of each test that nearly all runs have; else the one that most have. */
  private static Map<String, Long> sizes(List<HostRun> pairs) {
    Map<String, TreeMap<Long, Integer>> counts = new LinkedHashMap<>();
    Map<String, Integer> runs = new LinkedHashMap<>();
    for (HostRun run : pairs) {
      runs.merge(run.test(), 1, Integer::sum);
      TreeMap<Long, Integer> ofTest = counts.computeIfAbsent(run.test(), t -> new TreeMap<>());
      run.rates().stream()
          .map(Rate::bytes)
          .distinct()
          .forEach(bytes -> ofTest.merge(bytes, 1, Integer::sum));
    }
    Map<String, Long> sizes = new LinkedHashMap<>();
    counts.forEach(
        (test, ofTest) -> {
          int most = ofTest.values().stream().mapToInt(n -> n).max().orElseThrow();
          double enough = Math.min(most, NEARLY_ALL * runs.getOrDefault(test, 0));
          ofTest.forEach(
              (bytes, count) -> {
                if (count >= enough) {
                  sizes.put(test, bytes);
                }
              });
        });
    return sizes;
  }

  private static double median(List<Double> values) {
    return PairFit.median(values.stream().mapToDouble(v -> v).toArray(), values.size());
  }

  /** The logarithms of the rates. */
  double[] logs() {
    return runs.stream().mapToDouble(run -> Math.log(run.gbps)).toArray();
  }

  /** The level of each run. */
  int[] levelOfRun() {
    return runs.stream().mapToInt(Run::level).toArray();
  }

  /** The same with other levels. */
  PairMatrix withLevels(int[] levelOfRun, List<String> names) {
    List<Run> changed = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      changed.add(
          new Run(run.first, run.second, run.firstNic, run.secondNic, levelOfRun[i], run.gbps));
    }
    return new PairMatrix(hosts, changed, names, remarks);
  }

  /** Names with numbers in the order of the numbers. */
  private static final class HostOrder implements Comparator<String> {
    @Override
    public int compare(String a, String b) {
      int byNumber = Arrays.compare(parts(a), parts(b), HostOrder::part);
      return byNumber != 0 ? byNumber : a.compareTo(b);
    }

    private static String[] parts(String name) {
      return name.split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)");
    }

    private static int part(String a, String b) {
      boolean areNumbers = a.matches("\\d{1,18}") && b.matches("\\d{1,18}");
      return areNumbers ? Long.compare(Long.parseLong(a), Long.parseLong(b)) : a.compareTo(b);
    }
  }
}
