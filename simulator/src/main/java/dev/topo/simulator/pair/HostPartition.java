package dev.topo.simulator.pair;

import dev.topo.model.Alike;
import dev.topo.simulator.pair.PairMatrix.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.graph.DefaultEdge;

/**
 * Groups of hosts that are faster among themselves, such as those below the leaf switches of a
 * tapered network, for use without a switch map. They are the components of the graph of the fast
 * pairs, provided that the components are nearly cliques and that nearly all hosts are in one with
 * several hosts.
 *
 * @param groupOfHost index of the group of each host
 */
record HostPartition(List<Integer> groupOfHost) {
  private static final double LEAST_GAP = 0.04;
  private static final double LEAST_FAST_WITHIN = 0.75;
  private static final double LEAST_COVERED = 0.8;

  /**
   * Largest slowdown, as a logarithm, between groups of a healthy tapered network: half as many
   * uplinks as ports are common.
   */
  private static final double MOST_TAPER = -Math.log(0.45);

  /** Finds the partitions that the rates suggest, with and without the slowest runs. */
  static List<HostPartition> of(PairMatrix matrix) {
    double[] logs = matrix.logs();
    double level = bestThreshold(logs);
    double faster = bestThreshold(Arrays.stream(logs).filter(log -> log > level).toArray());
    return Stream.concat(
            Stream.of(level, faster).flatMap(b -> of(matrix, logs, b).stream()),
            HostHalves.ofRates(matrix, logs, level).stream())
        .filter(partition -> partition.hasBoth(matrix))
        .distinct()
        .toList();
  }

  private static Optional<HostPartition> of(PairMatrix matrix, double[] logs, double between) {
    Graph<Integer, DefaultEdge> fast = matrix.graph(run -> logs[run] > between);
    dropStrays(fast, matrix);
    List<Set<Integer>> sets = new ConnectivityInspector<>(fast).connectedSets();
    int covered = sets.stream().filter(set -> set.size() > 1).mapToInt(Set::size).sum();
    long several = sets.stream().filter(set -> set.size() > 1).count();
    if (several < 2 || covered < LEAST_COVERED * matrix.nHosts()) {
      return Optional.empty();
    }
    Integer[] group = new Integer[matrix.nHosts()];
    for (int i = 0; i < sets.size(); i++) {
      for (int host : sets.get(i)) {
        group[host] = i;
      }
    }
    int[] sizes = sets.stream().mapToInt(Set::size).toArray();
    for (int host = 0; host < group.length; host++) {
      if (sizes[group[host]] == 1) {
        group[host] =
            nearest(host, group, sizes, matrix, logs, gap(logs, between)).orElse(group[host]);
      }
    }
    HostPartition partition = new HostPartition(Arrays.asList(group));
    long within = matrix.runs().stream().filter(partition::isWithin).count();
    long fastWithin = 0;
    for (int i = 0; i < logs.length; i++) {
      fastWithin += logs[i] > between && partition.isWithin(matrix.runs().get(i)) ? 1 : 0;
    }
    return fastWithin >= LEAST_FAST_WITHIN * within ? Optional.of(partition) : Optional.empty();
  }

  private static double gap(double[] logs, double between) {
    return Arrays.stream(logs).filter(log -> log > between).average().orElse(0)
        - Arrays.stream(logs).filter(log -> log <= between).average().orElse(0);
  }

  /**
   * Finds the group within which a slow host is less slow than with the other groups; none of its
   * pairs is fast. Empty if no group stands out.
   */
  private static Optional<Integer> nearest(
      int host, Integer[] group, int[] sizes, PairMatrix matrix, double[] logs, double gap) {
    double[] total = new double[sizes.length];
    int[] count = new int[sizes.length];
    for (int i = 0; i < logs.length; i++) {
      Run run = matrix.runs().get(i);
      if (run.has(host)) {
        int other = group[run.first() == host ? run.second() : run.first()];
        total[other] += logs[i];
        count[other]++;
      }
    }
    double most = Double.NEGATIVE_INFINITY;
    double second = Double.NEGATIVE_INFINITY;
    Optional<Integer> found = Optional.empty();
    for (int g = 0; g < sizes.length; g++) {
      if (sizes[g] > 1 && count[g] > 1) {
        double mean = total[g] / count[g];
        second = Math.max(second, Math.min(most, mean));
        if (mean > most) {
          most = mean;
          found = Optional.of(g);
        }
      }
    }
    return most > second + Math.max(LEAST_GAP, gap / 2) ? found : Optional.empty();
  }

  /**
   * Drops fast pairs that are likely to be between groups: the two hosts of a pair within a group
   * are fast to mostly the same other hosts, as far as measured.
   */
  private static void dropStrays(Graph<Integer, DefaultEdge> fast, PairMatrix matrix) {
    int n = matrix.nHosts();
    boolean[][] isMeasured = new boolean[n][n];
    boolean[][] isFast = new boolean[n][n];
    for (Run run : matrix.runs()) {
      isMeasured[run.first()][run.second()] = true;
      isMeasured[run.second()][run.first()] = true;
    }
    for (DefaultEdge edge : fast.edgeSet()) {
      isFast[fast.getEdgeSource(edge)][fast.getEdgeTarget(edge)] = true;
      isFast[fast.getEdgeTarget(edge)][fast.getEdgeSource(edge)] = true;
    }
    List<DefaultEdge> strays = new ArrayList<>();
    for (DefaultEdge edge : fast.edgeSet()) {
      int a = fast.getEdgeSource(edge);
      int b = fast.getEdgeTarget(edge);
      int both = 0;
      int one = 0;
      for (int c = 0; c < n; c++) {
        if (c != a && c != b && isMeasured[a][c] && isMeasured[b][c]) {
          both += isFast[a][c] && isFast[b][c] ? 1 : 0;
          one += isFast[a][c] != isFast[b][c] ? 1 : 0;
        }
      }
      if (one > both) {
        strays.add(edge);
      }
    }
    fast.removeAllEdges(strays);
  }

  /**
   * Finds the threshold that divides the values into two sets with the least squared deviations
   * from their means (Otsu); infinite if no gap between the means is large enough.
   */
  private static double bestThreshold(double[] logs) {
    double[] sorted = logs.clone();
    Arrays.sort(sorted);
    double total = Arrays.stream(sorted).sum();
    double below = 0;
    double most = 0;
    double found = Double.POSITIVE_INFINITY;
    for (int i = 1; i < sorted.length; i++) {
      below += sorted[i - 1];
      double gap = (total - below) / (sorted.length - i) - below / i;
      double betweenVariance = gap * gap * i * (sorted.length - i);
      if (gap > LEAST_GAP && betweenVariance > most) {
        most = betweenVariance;
        found = (sorted[i - 1] + sorted[i]) / 2;
      }
    }
    return found;
  }

  private boolean isWithin(Run run) {
    return isWithin(run.first(), run.second());
  }

  /** True if two hosts are in the same group. */
  boolean isWithin(int first, int second) {
    return groupOfHost.get(first).equals(groupOfHost.get(second));
  }

  /**
   * True if every level has runs within a group and between groups, as both need a rate of healthy
   * runs.
   */
  private boolean hasBoth(PairMatrix matrix) {
    return IntStream.range(0, matrix.levels().size())
        .allMatch(
            level ->
                matrix.runs().stream()
                        .filter(run -> run.level() == level)
                        .map(this::isWithin)
                        .distinct()
                        .count()
                    == 2);
  }

  /**
   * Cost of describing the groups, in nats: twice the price of an accusation plus the logarithm of
   * the number of ways to divide the hosts into groups of these sizes.
   */
  double price() {
    double logWays = 0;
    for (int i = 2; i <= groupOfHost.size(); i++) {
      logWays += Math.log(i);
    }
    for (long size : sizes()) {
      for (int i = 2; i <= size; i++) {
        logWays -= Math.log(i);
      }
    }
    return 2 * Suspect.PRICE + logWays;
  }

  private List<Long> sizes() {
    return List.copyOf(
        groupOfHost.stream()
            .collect(Collectors.groupingBy(group -> group, Collectors.counting()))
            .values());
  }

  /** Returns the matrix with separate levels for pairs within a group and between groups. */
  PairMatrix split(PairMatrix matrix) {
    List<String> names = new ArrayList<>();
    for (String level : matrix.levels()) {
      names.add(level + " within a group");
      names.add(level + " between groups");
    }
    int[] levels =
        matrix.runs().stream().mapToInt(run -> 2 * run.level() + (isWithin(run) ? 0 : 1)).toArray();
    return matrix.withLevels(levels, names);
  }

  /** Names the hosts of each group that has several, in the order of the first hosts. */
  List<String> names(PairMatrix matrix) {
    return Alike.by(groupOfHost.size(), groupOfHost::get).values().stream()
        .filter(group -> group.size() > 1)
        .map(group -> names(group, matrix.hosts()))
        .toList();
  }

  /** Names the hosts of a group; consecutive ones by the first and the last. */
  private static String names(List<Integer> group, List<String> hosts) {
    StringBuilder words = new StringBuilder();
    for (int from = 0; from < group.size(); ) {
      int to = from;
      while (to + 1 < group.size() && group.get(to + 1) == group.get(to) + 1) {
        to++;
      }
      words.append(from == 0 ? "" : " ").append(hosts.get(group.get(from)));
      if (to > from) {
        words.append(to > from + 1 ? " to " : " ").append(hosts.get(group.get(to)));
      }
      from = to + 1;
    }
    return words.toString();
  }

  /** Returns a remark about the groups for the user. */
  String remark(PairMatrix matrix) {
    List<String> names = names(matrix);
    return names.size()
        + " groups of hosts are faster among themselves, as below leaf switches: "
        + String.join("; ", names)
        + "; name the switches (--fabric)";
  }

  /**
   * The cause if pairs between groups are slower than a tapered network explains; otherwise empty.
   *
   * @param split the matrix with two levels for each of the original
   * @param missing number of pairs between the groups without a result
   * @param evidence evidence for the groups in nats: the cost without them minus the cost with them
   */
  Optional<PairCause> cause(PairMatrix split, PairFit fit, int missing, double evidence) {
    double slower = 0;
    int slow = 0;
    int between = 0;
    for (int i = 0; i < split.runs().size(); i++) {
      Run run = split.runs().get(i);
      if (!isWithin(run)) {
        double within = fit.level(run.level() - 1);
        between++;
        slower += within - fit.level(run.level());
        slow += Math.log(run.gbps()) < within - 2 * fit.noise() ? 1 : 0;
      }
    }
    return slower / between <= MOST_TAPER
        ? Optional.empty()
        : Optional.of(
            new PairCause(
                PairCause.Kind.BETWEEN,
                names(split),
                100 * -Math.expm1(-slower / between),
                between,
                slow,
                missing,
                1 / (1 + Math.exp(-evidence)),
                PairCause.Kind.BETWEEN.confirm()));
  }
}
