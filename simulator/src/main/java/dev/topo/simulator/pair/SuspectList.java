package dev.topo.simulator.pair;

import dev.topo.simulator.pair.PairCause.Kind;
import dev.topo.simulator.pair.PairMatrix.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** All parts that the runs of a matrix can tell apart. */
final class SuspectList {
  /**
   * Largest fraction of the runs that use a part: beyond it the part cannot be told from the level
   * of all runs.
   */
  private static final double MOST = 0.85;

  /**
   * Extra price of a group of two hosts, in nats: two slow hosts are likelier than an unknown
   * switch.
   */
  private static final double GROUP = 4;

  /** Fraction of pairs measured in both orders from which on the order counts. */
  private static final double BOTH_ORDERS = 0.3;

  private final PairMatrix matrix;
  private final PairRoutes routes;
  private final List<Suspect> all = new ArrayList<>();

  private SuspectList(PairMatrix matrix, PairRoutes routes) {
    this.matrix = matrix;
    this.routes = routes;
  }

  static List<Suspect> of(PairMatrix matrix, PairRoutes routes) {
    SuspectList list = new SuspectList(matrix, routes);
    list.hosts();
    list.nics();
    list.switches();
    return List.copyOf(list.all);
  }

  /** Group of hosts against the others: the runs between them. */
  static Suspect group(PairMatrix matrix, Collection<Integer> members) {
    int n = matrix.hosts().size();
    TreeSet<Integer> sorted = new TreeSet<>(members);
    double subsets = 0;
    for (int i = 0; i < Math.min(sorted.size(), n - sorted.size()); i++) {
      subsets += Math.log((n - i) / (i + 1.0));
    }
    return new Suspect(
        Kind.GROUP,
        sorted.stream().map(matrix.hosts()::get).toList(),
        runs(matrix, run -> sorted.contains(run.first()) != sorted.contains(run.second())),
        2 * Suspect.PRICE + GROUP + subsets);
  }

  private static int[] runs(PairMatrix matrix, Predicate<Run> uses) {
    List<Run> runs = matrix.runs();
    int[] found = new int[runs.size()];
    int n = 0;
    for (int i = 0; i < found.length; i++) {
      if (uses.test(runs.get(i))) {
        found[n++] = i;
      }
    }
    return Arrays.copyOf(found, n);
  }

  private void hosts() {
    int n = matrix.hosts().size();
    for (int host = 0; host < n; host++) {
      int h = host;
      add(Kind.HOST, matrix.hosts().get(h), n, run -> run.has(h));
    }
    if (isOrdered()) {
      for (int host = 0; host < n; host++) {
        int h = host;
        add(Kind.FIRST, matrix.hosts().get(h), 2 * n, run -> run.first() == h);
        add(Kind.SECOND, matrix.hosts().get(h), 2 * n, run -> run.second() == h);
      }
    }
  }

  private boolean isOrdered() {
    TreeSet<Long> orders = new TreeSet<>();
    matrix.runs().forEach(run -> orders.add(order(run.first(), run.second())));
    long both =
        matrix.runs().stream()
            .filter(run -> orders.contains(order(run.second(), run.first())))
            .count();
    return both > BOTH_ORDERS * matrix.runs().size();
  }

  private static long order(int first, int second) {
    return ((long) first << Integer.SIZE) + second;
  }

  private void nics() {
    TreeSet<String> rails = new TreeSet<>();
    for (Run run : matrix.runs()) {
      rails.add(run.firstNic());
      rails.add(run.secondNic());
    }
    rails.remove("");
    if (rails.size() < 2) {
      return;
    }
    for (String rail : rails) {
      add(
          Kind.RAIL,
          rail,
          rails.size(),
          run -> run.firstNic().equals(rail) || run.secondNic().equals(rail));
      for (int host = 0; host < matrix.hosts().size(); host++) {
        int h = host;
        add(
            Kind.NIC,
            rail + " of " + matrix.hosts().get(h),
            rails.size() * matrix.hosts().size(),
            run ->
                run.first() == h && run.firstNic().equals(rail)
                    || run.second() == h && run.secondNic().equals(rail));
      }
    }
  }

  private void switches() {
    Map<String, TreeSet<Integer>> below = new TreeMap<>();
    Map<String, TreeSet<Integer>> leaving = new TreeMap<>();
    Map<String, TreeSet<Integer>> links = new TreeMap<>();
    for (int i = 0; i < matrix.runs().size(); i++) {
      Run run = matrix.runs().get(i);
      List<String> one = routes.up(matrix.hosts().get(run.first()), run.firstNic());
      List<String> other = routes.up(matrix.hosts().get(run.second()), run.secondNic());
      if (one.isEmpty() || other.isEmpty()) {
        continue;
      }
      for (List<String> side : List.of(one, other)) {
        List<String> opposite = side == one ? other : one;
        for (String name : side) {
          below.computeIfAbsent(name, n -> new TreeSet<>()).add(i);
          if (!opposite.contains(name)) {
            leaving.computeIfAbsent(name, n -> new TreeSet<>()).add(i);
          }
        }
      }
      if (!one.get(0).equals(other.get(0))) {
        TreeSet<String> ends = new TreeSet<>(List.of(one.get(0), other.get(0)));
        links.computeIfAbsent(ends.first() + " to " + ends.last(), n -> new TreeSet<>()).add(i);
      }
    }
    below.forEach((name, runs) -> add(Kind.SWITCH, name, below.size(), runs));
    leaving.forEach((name, runs) -> add(Kind.UPLINK, name, leaving.size(), runs));
    links.forEach((name, runs) -> add(Kind.LINK, name, links.size(), runs));
  }

  private void add(Kind kind, String name, int nOfKind, Predicate<Run> uses) {
    add(Suspect.of(kind, name, runs(matrix, uses), nOfKind));
  }

  private void add(Kind kind, String name, int nOfKind, Collection<Integer> runs) {
    add(Suspect.of(kind, name, runs.stream().mapToInt(i -> i).toArray(), nOfKind));
  }

  /** Adds a part unless there is one with the same runs. */
  private void add(Suspect suspect) {
    int[] runs = suspect.runs();
    if (runs.length > 0
        && runs.length <= MOST * matrix.runs().size()
        && all.stream().noneMatch(other -> Arrays.equals(other.runs(), runs))) {
      all.add(suspect);
    }
  }
}
