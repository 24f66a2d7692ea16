package dev.topo.simulator.pair;

import dev.topo.model.Quantiles;
import dev.topo.simulator.pair.PairCause.Kind;
import dev.topo.simulator.pair.PairMatrix.Failed;
import dev.topo.simulator.pair.PairMatrix.Run;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Finds hosts, network ports and rails with many more pairs without a result than the others have.
 * A pair is bad if it has no result, or if it is slow and no part explains it. A likelihood ratio
 * of two binomial distributions compares the bad pairs of a part with those of all others; an
 * accusation has the same price as a slow part. Parts are accused one by one, each without the
 * pairs of those before. Evenly missing pairs lead to no accusation. The run time for each part is
 * linear in the number of pairs.
 */
final class FailingParts {
  /**
   * Least number of an accused part's pairs without a result; single pairs are listed on their own.
   */
  private static final int LEAST_MISSING = 2;

  /**
   * Largest confidence for a part whose bad pairs are all just absent: they may not have been run.
   */
  private static final double MOST_CONFIDENCE_OF_ABSENT = 0.9;

  /** Extra price, in nats, of accusing a part none of whose runs failed. */
  private static final double PRICE_OF_ABSENT = 5;

  private static final String CONFIRM =
      "run some of these pairs again with NCCL_DEBUG=WARN: a host or port whose runs hang or fail leaves no result";

  /** A pair of hosts on a rail; the index of the first host is the smaller one. */
  private record Cell(int first, int second, String rail) {
    static Cell of(int one, int other, String rail) {
      return new Cell(Math.min(one, other), Math.max(one, other), rail);
    }

    boolean has(int host) {
      return first == host || second == host;
    }
  }

  /**
   * State of a pair.
   *
   * @param slower slowdown that the accused parts do not explain; 0 if healthy
   */
  private record State(Cell cell, boolean hasResult, boolean hasFailed, double slower) {
    boolean isBad() {
      return !hasResult || slower > 0;
    }
  }

  /**
   * A part that may be failing.
   *
   * @param countOfKind number of parts of its kind
   * @param uses accepts its pairs
   */
  private record Candidate(Kind kind, String name, int countOfKind, Predicate<Cell> uses) {}

  /**
   * An accusation.
   *
   * @param cause the accused part
   * @param states its pairs
   * @param gain the evidence minus its price, in nats
   */
  private record Accusation(PairCause cause, Collection<State> states, double gain) {}

  private final PairMatrix matrix;
  private final PairFit fit;
  private final boolean isByRail;
  private final List<String> rails;

  FailingParts(PairMatrix matrix, PairFit fit) {
    this.matrix = matrix;
    this.fit = fit;
    Set<String> names = new TreeSet<>();
    matrix.runs().forEach(run -> names.addAll(List.of(run.firstNic(), run.secondNic())));
    matrix.failed().forEach(run -> names.addAll(List.of(run.firstNic(), run.secondNic())));
    boolean isSameNic =
        matrix.runs().stream().allMatch(run -> run.firstNic().equals(run.secondNic()));
    this.isByRail = isSameNic && names.size() > 1 && !names.contains("");
    this.rails = isByRail ? List.copyOf(names) : List.of("");
  }

  /**
   * Finds the failing parts.
   *
   * @param accused hosts that are already accused; their pairs are no evidence against others
   */
  List<PairCause> find(Collection<String> accused) {
    List<State> remaining = new ArrayList<>(states());
    remaining.removeIf(
        state ->
            accused.contains(matrix.hosts().get(state.cell.first))
                || accused.contains(matrix.hosts().get(state.cell.second)));
    List<PairCause> causes = new ArrayList<>();
    Optional<Accusation> next = best(remaining);
    while (next.isPresent()) {
      causes.add(next.get().cause);
      remaining.removeAll(new HashSet<>(next.get().states));
      next = best(remaining);
    }
    return causes;
  }

  /** Counts the pairs of a host without a result. */
  int missing(String host) {
    int index = matrix.hosts().indexOf(host);
    return (int)
        states().stream().filter(state -> !state.hasResult && state.cell.has(index)).count();
  }

  /** Counts the pairs between groups of hosts without a result. */
  int missing(HostPartition groups) {
    return (int)
        states().stream()
            .filter(state -> !state.hasResult && !isWithin(groups, state.cell))
            .count();
  }

  private static boolean isWithin(HostPartition groups, Cell cell) {
    return groups.isWithin(cell.first, cell.second);
  }

  /** Finds two halves of the hosts between which runs fail; absent pairs do not count. */
  Optional<PairCause> betweenHalves() {
    return HostHalves.ofFailures(matrix).flatMap(this::between);
  }

  private Optional<PairCause> between(HostPartition halves) {
    List<State> states = states();
    List<State> between = states.stream().filter(state -> !isWithin(halves, state.cell)).toList();
    int failed =
        (int) between.stream().filter(state -> state.hasFailed && !state.hasResult).count();
    int missing = (int) between.stream().filter(state -> !state.hasResult).count();
    int badWithin =
        (int)
            states.stream().filter(state -> isWithin(halves, state.cell) && state.isBad()).count();
    double gain =
        logLikelihoodRatio(failed, between.size(), badWithin, states.size() - between.size())
            - halves.price();
    return failed < LEAST_MISSING || gain <= 0
        ? Optional.empty()
        : Optional.of(
            new PairCause(
                Kind.BETWEEN,
                halves.names(matrix),
                0,
                between.size() - missing,
                0,
                missing,
                1 / (1 + Math.exp(-gain)),
                Kind.BETWEEN.confirm()));
  }

  private List<State> states() {
    int n = matrix.nHosts();
    Set<Cell> failed = new TreeSet<>(ORDER);
    for (Failed run : matrix.failed()) {
      failed.add(Cell.of(run.first(), run.second(), isByRail ? run.firstNic() : ""));
    }
    Map<Cell, Double> slower = new TreeMap<>(ORDER);
    for (int i = 0; i < matrix.runs().size(); i++) {
      Run run = matrix.runs().get(i);
      boolean isSlow = fit.isStray(i) && fit.rest(i) < -PairFit.LEAST_DEPTH;
      slower.merge(
          Cell.of(run.first(), run.second(), isByRail ? run.firstNic() : ""),
          isSlow ? -fit.rest(i) : 0,
          Math::max);
    }
    List<State> states = new ArrayList<>();
    for (int first = 0; first < n; first++) {
      for (int second = first + 1; second < n; second++) {
        for (String rail : rails) {
          Cell cell = new Cell(first, second, rail);
          Optional<Double> rate = Optional.ofNullable(slower.get(cell));
          states.add(new State(cell, rate.isPresent(), failed.contains(cell), rate.orElse(0.0)));
        }
      }
    }
    return states;
  }

  private static final Comparator<Cell> ORDER =
      Comparator.comparingInt(Cell::first).thenComparingInt(Cell::second).thenComparing(Cell::rail);

  private List<Candidate> candidates() {
    int n = matrix.nHosts();
    List<Candidate> found = new ArrayList<>();
    for (int host = 0; host < n; host++) {
      int h = host;
      found.add(new Candidate(Kind.HOST, matrix.hosts().get(h), n, cell -> cell.has(h)));
    }
    if (isByRail) {
      for (String rail : rails) {
        found.add(new Candidate(Kind.RAIL, rail, rails.size(), cell -> cell.rail.equals(rail)));
        for (int host = 0; host < n; host++) {
          int h = host;
          found.add(
              new Candidate(
                  Kind.NIC,
                  rail + " of " + matrix.hosts().get(h),
                  n * rails.size(),
                  cell -> cell.rail.equals(rail) && cell.has(h)));
        }
      }
    }
    return found;
  }

  private Optional<Accusation> best(List<State> remaining) {
    Optional<Accusation> best = Optional.empty();
    for (Candidate candidate : candidates()) {
      Optional<Accusation> accusation = accusation(candidate, remaining);
      if (accusation.isPresent()
          && accusation.get().gain > best.map(Accusation::gain).orElse(0.0)) {
        best = accusation;
      }
    }
    return best;
  }

  private static Optional<Accusation> accusation(Candidate candidate, List<State> remaining) {
    List<State> states =
        remaining.stream().filter(state -> candidate.uses.test(state.cell)).toList();
    int missing = (int) states.stream().filter(state -> !state.hasResult).count();
    int others = remaining.size() - states.size();
    if (missing < LEAST_MISSING || others == 0) {
      return Optional.empty();
    }
    int bad = (int) states.stream().filter(State::isBad).count();
    int badOthers = (int) remaining.stream().filter(State::isBad).count() - bad;
    double gain =
        logLikelihoodRatio(bad, states.size(), badOthers, others)
            - (states.stream().anyMatch(State::hasFailed) ? 0 : PRICE_OF_ABSENT)
            - Suspect.PRICE
            - Math.log(candidate.countOfKind)
            - 0.5 * Math.log(states.size());
    return gain > 0
        ? Optional.of(new Accusation(cause(candidate, states, missing, gain), states, gain))
        : Optional.empty();
  }

  private static double logLikelihoodRatio(int bad, int total, int badOthers, int others) {
    double rateOfOthers = (badOthers + 0.5) / (others + 1);
    double ratio = (double) bad / total;
    if (ratio <= rateOfOthers) {
      return 0;
    }
    double good = bad == total ? 0 : (total - bad) * Math.log((1 - ratio) / (1 - rateOfOthers));
    return bad * Math.log(ratio / rateOfOthers) + good;
  }

  private static PairCause cause(Candidate part, List<State> states, int missing, double gain) {
    double[] slower = states.stream().mapToDouble(State::slower).filter(slow -> slow > 0).toArray();
    boolean isAbsentOnly = slower.length == 0 && states.stream().noneMatch(State::hasFailed);
    double confidence = 1 / (1 + Math.exp(-gain));
    return new PairCause(
        part.kind,
        List.of(part.name),
        slower.length == 0 ? 0 : 100 * -Math.expm1(-Quantiles.median(slower)),
        states.size() - missing,
        slower.length,
        missing,
        isAbsentOnly ? Math.min(MOST_CONFIDENCE_OF_ABSENT, confidence) : confidence,
        CONFIRM);
  }
}
