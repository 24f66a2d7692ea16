package dev.topo.diagnose.pair;

import dev.topo.diagnose.pair.PairCause.Kind;
import dev.topo.diagnose.pair.PairMatrix.Run;
import dev.topo.diagnose.pair.PairReport.Level;
import dev.topo.diagnose.pair.PairReport.SlowRun;
import dev.topo.measured.host.HostRun;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.fabric.SwitchMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Explains the slow runs of a matrix of pairs by as few parts as possible: hosts, network ports,
 * rails and switches. The rate of healthy pairs and the noise come from the runs themselves; pairs
 * of different distance have levels of their own where a map of the switches is given.
 */
public final class PairDiagnosis {
  private static final int FEWEST_HOSTS = 3;
  private static final double SHARE_TOLERANCE = 0.03;

  private PairDiagnosis() {}

  /**
   * The parts at fault.
   *
   * @param runs runs of two hosts each; others are left out
   * @param switches the switches of the hosts, where known
   * @throws TopologyFormatException if they are fewer than three runs or hosts
   */
  public static PairReport of(List<HostRun> runs, Optional<SwitchMap> switches) {
    return of(new PairFiles(runs, List.of()), switches);
  }

  /** The parts at fault in files. */
  public static PairReport of(PairFiles files, Optional<SwitchMap> switches) {
    List<HostRun> runs = files.runs();
    PairRoutes routes = PairRoutes.of(switches);
    PairMatrix original = PairMatrix.of(runs, routes);
    PairMatrix matrix = original;
    if (matrix.hosts().size() < FEWEST_HOSTS || matrix.runs().size() < FEWEST_HOSTS) {
      throw new TopologyFormatException(
          SourceLocation.of(runs.isEmpty() ? "pairs" : runs.get(0).source()),
          "a matrix of pairs of %2$d hosts with %1$d runs: expected at least 3 hosts and 3 runs of two hosts"
              .formatted(matrix.runs().size(), matrix.hosts().size()));
    }
    PairSearch search = new PairSearch(matrix, routes);
    PairFit fit = search.run();
    Optional<String> remark = Optional.empty();
    double cost = fit.cost();
    for (HostPartition partition :
        switches.isEmpty() ? HostPartition.of(original) : List.<HostPartition>of()) {
      PairMatrix split = partition.split(original);
      PairSearch splitSearch = new PairSearch(split, routes);
      PairFit splitFit = splitSearch.run();
      if (splitFit.cost() + partition.price() < cost) {
        cost = splitFit.cost() + partition.price();
        matrix = split;
        search = splitSearch;
        fit = splitFit;
        remark = Optional.of(partition.remark());
      }
    }
    List<String> remarks = new ArrayList<>(files.remarks());
    remarks.addAll(original.remarks());
    remark.ifPresent(remarks::add);
    return report(matrix, search, fit, remarks);
  }

  private static PairReport report(
      PairMatrix matrix, PairSearch search, PairFit fit, List<String> remarks) {
    List<PairCause> causes = new ArrayList<>();
    for (int i = 0; i < fit.accused().size(); i++) {
      causes.add(cause(search, fit, i));
    }
    causes.sort(
        Comparator.comparingDouble((PairCause cause) -> -cause.slowRuns() * cause.slowerPercent())
            .thenComparing(PairCause::what));
    List<Level> levels = new ArrayList<>();
    for (int level = 0; level < matrix.levels().size(); level++) {
      int l = level;
      int n = (int) matrix.runs().stream().filter(run -> run.level() == l).count();
      levels.add(new Level(matrix.levels().get(level), Math.exp(fit.level(level)), n));
    }
    List<SlowRun> unexplained = new ArrayList<>();
    for (int i = 0; i < matrix.runs().size(); i++) {
      if (fit.isStray(i) && fit.rest(i) < -PairFit.LEAST_DEPTH) {
        unexplained.add(slow(matrix, fit, i));
      }
    }
    unexplained.sort(Comparator.comparingDouble(run -> run.gbps() / run.expectedGbps()));
    return new PairReport(
        matrix.hosts().size(),
        matrix.runs().size(),
        missing(matrix),
        levels,
        100 * fit.noise(),
        causes,
        unexplained,
        remarks);
  }

  private static PairCause cause(PairSearch search, PairFit fit, int index) {
    Suspect suspect = fit.accused().get(index);
    int slow =
        (int)
            Arrays.stream(suspect.runs()).filter(run -> fit.plain(run) < -2 * fit.noise()).count();
    double evidence = search.evidence(fit, index);
    return new PairCause(
        suspect.kind(),
        suspect.names(),
        100 * -Math.expm1(-fit.depth(index)),
        suspect.runs().length,
        slow,
        1 / (1 + Math.exp(-evidence)),
        portHint(suspect.kind(), -Math.expm1(-fit.depth(index))) + suspect.kind().confirm());
  }

  /** Runs over all ports of a host show a bad one by its share. */
  private static String portHint(Kind kind, double slower) {
    if (kind == Kind.HOST) {
      if (Math.abs(slower - 0.5) < SHARE_TOLERANCE) {
        return "half the rate is that of one port at half speed, or of two GPUs that share a port; ";
      }
      for (int ports : new int[] {4, 8}) {
        if (Math.abs(slower - 1.0 / ports) < SHARE_TOLERANCE / 2) {
          return "a loss of 1/%d is that of one of %d ports down; ".formatted(ports, ports);
        }
      }
    }
    return "";
  }

  private static SlowRun slow(PairMatrix matrix, PairFit fit, int index) {
    Run run = matrix.runs().get(index);
    return new SlowRun(
        matrix.hosts().get(run.first()),
        matrix.hosts().get(run.second()),
        run.firstNic().equals(run.secondNic())
            ? run.firstNic()
            : String.format(Locale.ROOT, "%s to %s", run.firstNic(), run.secondNic()),
        run.gbps(),
        run.gbps() * Math.exp(-fit.rest(index)));
  }

  private static int missing(PairMatrix matrix) {
    int n = matrix.hosts().size();
    Set<Integer> pairs = new HashSet<>();
    matrix
        .runs()
        .forEach(
            run ->
                pairs.add(
                    Math.min(run.first(), run.second()) * n + Math.max(run.first(), run.second())));
    return n * (n - 1) / 2 - pairs.size();
  }
}
