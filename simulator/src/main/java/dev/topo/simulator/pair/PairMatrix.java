package dev.topo.simulator.pair;

import dev.topo.inspect.measured.HostRun;
import dev.topo.model.Quantiles;
import dev.topo.model.QuantityFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;

/**
 * The comparable runs of a matrix of pairs, at the {@link CommonSize} of each test. Repeated runs
 * of a pair are merged into their median.
 *
 * @param hosts names of the hosts, sorted, including those whose runs all failed
 * @param failed the runs without a result
 * @param levels description of each level of healthy runs, by {@link Run#level}
 * @param remarks omitted runs, a sentence each
 */
record PairMatrix(
    List<String> hosts,
    List<Run> runs,
    List<Failed> failed,
    List<String> levels,
    List<String> remarks) {
  private static final int SHOWN_NAMES = 8;

  /**
   * A run of two hosts.
   *
   * @param first index of the host of the first rank
   * @param second index of the other host
   * @param firstNic port of the first host; empty if unknown
   * @param secondNic port of the second host
   * @param level index of its healthy level
   */
  record Run(int first, int second, String firstNic, String secondNic, int level, double gbps) {
    boolean has(int host) {
      return first == host || second == host;
    }
  }

  /**
   * A run of two hosts without a result.
   *
   * @param first index of the host of the first rank
   * @param second index of the other host
   * @param firstNic port of the first host; empty if unknown
   * @param secondNic port of the second host
   */
  record Failed(int first, int second, String firstNic, String secondNic) {}

  /**
   * The properties by which runs are grouped; runs with the same key are merged into their median.
   */
  private record Key(
      String first, String second, String firstNic, String secondNic, String level) {}

  int nHosts() {
    return hosts.size();
  }

  static PairMatrix of(List<HostRun> runs, PairRoutes routes) {
    List<String> remarks = new ArrayList<>();
    List<HostRun> pairs = ofTwoHosts(runs, remarks);
    Map<String, CommonSize> sizes =
        CommonSize.of(pairs.stream().filter(run -> !run.rates().isEmpty()).toList());
    Map<Key, List<Double>> rates = new LinkedHashMap<>();
    List<HostRun> failed = new ArrayList<>();
    List<HostRun> others = new ArrayList<>();
    int withoutCommonSize = 0;
    for (HostRun run : pairs) {
      if (run.rates().isEmpty()) {
        failed.add(run);
        continue;
      }
      CommonSize size = Objects.requireNonNull(sizes.get(run.test()));
      List<Double> gbps = size.gbps(run);
      if (gbps.isEmpty()) {
        (size.endsEarly(run) ? failed : others).add(run);
        continue;
      }
      withoutCommonSize += size.isSizeOf(run) ? 0 : 1;
      rates.computeIfAbsent(key(run, size.bytes(), routes), k -> new ArrayList<>()).addAll(gbps);
    }
    if (withoutCommonSize > 0) {
      remarks.add(
          QuantityFormat.count(withoutCommonSize, "run")
              + " without the common size: compared at another size that they have");
    }
    if (!others.isEmpty()) {
      remarks.add("left out, as no size is that of the others: " + names(others));
    }
    if (!failed.isEmpty()) {
      remarks.add("without a result: " + names(failed));
    }
    return of(hosts(pairs), rates, failed, remarks);
  }

  private static Key key(HostRun run, long size, PairRoutes routes) {
    String first = run.hosts().get(0);
    String second = run.hosts().get(1);
    return new Key(
        first,
        second,
        run.nic(0),
        run.nic(1),
        level(run.test(), size, routes.distance(first, run.nic(0), second, run.nic(1))));
  }

  private static List<String> hosts(List<HostRun> pairs) {
    return pairs.stream()
        .flatMap(run -> run.hosts().stream())
        .distinct()
        .sorted(new HostOrder())
        .toList();
  }

  private static PairMatrix of(
      List<String> hosts,
      Map<Key, List<Double>> rates,
      List<HostRun> failed,
      List<String> remarks) {
    Map<String, Integer> indices = new LinkedHashMap<>();
    hosts.forEach(host -> indices.put(host, indices.size()));
    List<String> levels = rates.keySet().stream().map(Key::level).distinct().toList();
    List<Run> runs =
        rates.entrySet().stream()
            .map(
                entry ->
                    new Run(
                        indices.getOrDefault(entry.getKey().first, 0),
                        indices.getOrDefault(entry.getKey().second, 0),
                        entry.getKey().firstNic,
                        entry.getKey().secondNic,
                        levels.indexOf(entry.getKey().level),
                        Quantiles.median(entry.getValue())))
            .sorted(
                Comparator.comparingInt(Run::first)
                    .thenComparingInt(Run::second)
                    .thenComparing(Run::firstNic)
                    .thenComparing(Run::secondNic)
                    .thenComparingInt(Run::level))
            .toList();
    List<Failed> withoutResult =
        failed.stream()
            .map(
                run ->
                    new Failed(
                        indices.getOrDefault(run.hosts().get(0), 0),
                        indices.getOrDefault(run.hosts().get(1), 0),
                        run.nic(0),
                        run.nic(1)))
            .toList();
    return new PairMatrix(hosts, runs, withoutResult, levels, remarks);
  }

  private static String names(List<HostRun> runs) {
    List<String> names =
        runs.stream().map(run -> String.join(" and ", run.hosts())).distinct().toList();
    return String.join(", ", names.subList(0, Math.min(SHOWN_NAMES, names.size())))
        + (names.size() > SHOWN_NAMES ? " and " + (names.size() - SHOWN_NAMES) + " more" : "");
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

  private static List<HostRun> ofTwoHosts(List<HostRun> runs, List<String> remarks) {
    List<HostRun> pairs = runs.stream().filter(run -> run.hosts().size() == 2).toList();
    List<HostRun> wrong = runs.stream().filter(run -> run.wrong() > 0).toList();
    if (pairs.size() < runs.size()) {
      remarks.add(
          QuantityFormat.count(runs.size() - pairs.size(), "run") + " not of two hosts: left out");
    }
    if (!wrong.isEmpty()) {
      remarks.add("with wrong results (#wrong), which are left out: " + names(wrong));
    }
    return pairs;
  }

  /** Logarithms of the rates. */
  double[] logs() {
    return runs.stream().mapToDouble(run -> Math.log(run.gbps)).toArray();
  }

  /** Index of the level of each run. */
  int[] levelOfRun() {
    return runs.stream().mapToInt(Run::level).toArray();
  }

  /**
   * Returns the graph of the hosts, by index, with an edge for each pair that has a run that
   * fulfils a condition.
   */
  Graph<Integer, DefaultEdge> graph(IntPredicate condition) {
    Graph<Integer, DefaultEdge> graph = new SimpleGraph<>(DefaultEdge.class);
    for (int host = 0; host < hosts.size(); host++) {
      graph.addVertex(host);
    }
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      if (condition.test(i) && run.first != run.second) {
        graph.addEdge(run.first, run.second);
      }
    }
    return graph;
  }

  /** Returns this matrix with other levels. */
  PairMatrix withLevels(int[] levelOfRun, List<String> names) {
    List<Run> changed = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      changed.add(
          new Run(run.first, run.second, run.firstNic, run.secondNic, levelOfRun[i], run.gbps));
    }
    return new PairMatrix(hosts, changed, failed, names, remarks);
  }

  /** Orders names so that numbers in them compare by value. */
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
