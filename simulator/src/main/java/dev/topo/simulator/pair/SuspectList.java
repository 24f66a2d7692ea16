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

/** Lists the parts that may be slow and that the runs of a matrix can tell apart. */
final class SuspectList {
  /**
   * Largest fraction of the runs that may use a suspect: a part that more runs use cannot be told
   * from the level of all runs.
   */
  private static final double MOST_USE = 0.85;

  /**
   * Extra price of a group of hosts, in nats: two slow hosts are likelier than an unknown switch.
   */
  private static final double GROUP_PRICE = 4;

  /**
   * If more than this fraction of the runs was also made in the opposite order, a host may be
   * suspect in one order only.
   */
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
    list.addHosts();
    list.addNics();
    list.addSwitches();
    return List.copyOf(list.all);
  }

  /** Creates the suspect of a group of hosts: the links between them and the other hosts. */
  static Suspect group(PairMatrix matrix, Collection<Integer> members) {
    int n = matrix.nHosts();
    TreeSet<Integer> sorted = new TreeSet<>(members);
    double logSubsets = 0;
    for (int i = 0; i < Math.min(sorted.size(), n - sorted.size()); i++) {
      logSubsets += Math.log((n - i) / (i + 1.0));
    }
    return new Suspect(
        Kind.GROUP,
        sorted.stream().map(matrix.hosts()::get).toList(),
        runs(matrix, run -> sorted.contains(run.first()) != sorted.contains(run.second())),
        2 * Suspect.PRICE + GROUP_PRICE + logSubsets);
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

  private void addHosts() {
    int n = matrix.nHosts();
    for (int host = 0; host < n; host++) {
      int h = host;
      add(Kind.HOST, matrix.hosts().get(h), n, run -> run.has(h));
    }
    if (hasBothOrders()) {
      for (int host = 0; host < n; host++) {
        int h = host;
        add(Kind.FIRST, matrix.hosts().get(h), 2 * n, run -> run.first() == h);
        add(Kind.SECOND, matrix.hosts().get(h), 2 * n, run -> run.second() == h);
      }
    }
  }

  private boolean hasBothOrders() {
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

  private void addNics() {
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
      for (int host = 0; host < matrix.nHosts(); host++) {
        int h = host;
        add(
            Kind.NIC,
            rail + " of " + matrix.hosts().get(h),
            rails.size() * matrix.nHosts(),
            run ->
                run.first() == h && run.firstNic().equals(rail)
                    || run.second() == h && run.secondNic().equals(rail));
      }
    }
  }

  private void addSwitches() {
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

  /**
   * Adds a part unless no runs or too many use it, or there is one with the same runs; hosts with
   * the same runs become one suspect.
   */
  private void add(Suspect suspect) {
    int[] runs = suspect.runs();
    if (runs.length == 0 || runs.length > MOST_USE * matrix.runs().size()) {
      return;
    }
    for (int i = 0; i < all.size(); i++) {
      Suspect same = all.get(i);
      if (Arrays.equals(same.runs(), runs)) {
        if (suspect.kind() == Kind.HOST) {
          List<String> names = new ArrayList<>(same.names());
          names.addAll(suspect.names());
          all.set(i, new Suspect(Kind.EITHER, names, runs, same.price() - Math.log(2)));
        }
        return;
      }
    }
    all.add(suspect);
  }
}
