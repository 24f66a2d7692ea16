package dev.topo.simulator.pair;

import dev.topo.inspect.measured.HostRun;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.nic.SwitchMap;
import dev.topo.simulator.pair.PairCause.Kind;
import dev.topo.simulator.pair.PairMatrix.Run;
import dev.topo.simulator.pair.PairReport.Level;
import dev.topo.simulator.pair.PairReport.SlowRun;
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
 * rails and switches. The rate of healthy pairs and the noise come from the runs themselves; with a
 * switch map, pairs at different distances have separate levels.
 */
public final class PairDiagnosis {
  private static final int FEWEST_HOSTS = 3;
  private static final double SHARE_TOLERANCE = 0.03;

  private PairDiagnosis() {}

  /**
   * Finds the parts at fault.
   *
   * @param files runs of two hosts each; other runs are left out
   * @param switches the switches of the hosts, where known
   * @throws TopologyFormatException if there are fewer than three runs or hosts
   */
  public static PairReport of(PairRuns files, Optional<SwitchMap> switches) {
    List<HostRun> runs = files.runs();
    PairRoutes routes = PairRoutes.of(switches);
    PairMatrix original = PairMatrix.of(runs, routes);
    if (original.hosts().size() < FEWEST_HOSTS || original.runs().size() < FEWEST_HOSTS) {
      throw new TopologyFormatException(
          runs.isEmpty() ? "pairs" : runs.get(0).source(),
          "a matrix of pairs of %2$s hosts with %1$s runs: expected at least 3 hosts and 3 runs of two hosts"
              .formatted(original.runs().size(), original.hosts().size()));
    }
    Explanation best = Explanation.of(original, routes, Optional.empty());
    double unsplitCost = best.cost;
    for (HostPartition partition :
        switches.isEmpty() ? HostPartition.of(original) : List.<HostPartition>of()) {
      Explanation split = Explanation.of(original, routes, Optional.of(partition));
      best = split.cost < best.cost ? split : best;
    }
    List<String> remarks = new ArrayList<>(files.remarks());
    remarks.addAll(original.remarks());
    best.partition.map(partition -> partition.remark(original)).ifPresent(remarks::add);
    return report(best, unsplitCost - best.cost, remarks);
  }

  /**
   * An explanation of the rates.
   *
   * @param matrix the runs, with separate levels where groups of hosts are faster
   * @param partition the groups of hosts; empty if all hosts are alike
   * @param cost total cost, in nats
   */
  private record Explanation(
      PairMatrix matrix,
      PairSearch search,
      PairFit fit,
      Optional<HostPartition> partition,
      double cost) {
    static Explanation of(
        PairMatrix original, PairRoutes routes, Optional<HostPartition> partition) {
      PairMatrix matrix = partition.map(groups -> groups.split(original)).orElse(original);
      PairSearch search = new PairSearch(matrix, routes);
      PairFit fit = search.run();
      double price = partition.map(HostPartition::price).orElse(0.0);
      return new Explanation(matrix, search, fit, partition, fit.cost() + price);
    }
  }

  private static PairReport report(Explanation best, double gain, List<String> remarks) {
    PairMatrix matrix = best.matrix;
    PairFit fit = best.fit;
    List<PairCause> causes = causes(best, gain);
    List<Level> levels = new ArrayList<>();
    for (int level = 0; level < matrix.levels().size(); level++) {
      int l = level;
      int n = (int) matrix.runs().stream().filter(run -> run.level() == l).count();
      levels.add(new Level(matrix.levels().get(level), Math.exp(fit.level(level)), n));
    }
    Set<String> failing = new HashSet<>();
    causes.stream()
        .filter(cause -> cause.kind() == Kind.HOST && cause.missing() > 0)
        .forEach(cause -> failing.addAll(cause.names()));
    List<SlowRun> unexplained = new ArrayList<>();
    for (int i = 0; i < matrix.runs().size(); i++) {
      SlowRun run = slow(matrix, fit, i);
      boolean isOfFailing = failing.contains(run.first()) || failing.contains(run.second());
      if (fit.isStray(i) && fit.rest(i) < -PairFit.LEAST_DEPTH && !isOfFailing) {
        unexplained.add(run);
      }
    }
    unexplained.sort(Comparator.comparingDouble(run -> run.gbps() / run.expectedGbps()));
    return new PairReport(
        matrix.nHosts(),
        matrix.runs().size(),
        missing(matrix),
        levels,
        100 * fit.noise(),
        causes,
        unexplained,
        remarks);
  }

  /**
   * Lists the slow parts, slow links between groups, and parts whose runs fail, most costly first.
   */
  private static List<PairCause> causes(Explanation best, double gain) {
    FailingParts failing = new FailingParts(best.matrix, best.fit);
    List<PairCause> causes = new ArrayList<>();
    for (int i = 0; i < best.fit.accused().size(); i++) {
      causes.add(cause(best.search, best.fit, failing, i));
    }
    best.partition
        .flatMap(groups -> groups.cause(best.matrix, best.fit, failing.missing(groups), gain))
        .or(failing::betweenHalves)
        .ifPresent(causes::add);
    List<String> accused =
        causes.stream()
            .filter(cause -> cause.kind() == Kind.HOST)
            .flatMap(cause -> cause.names().stream())
            .toList();
    causes.addAll(failing.find(accused));
    causes.sort(
        Comparator.comparingDouble(PairDiagnosis::lost).reversed().thenComparing(PairCause::what));
    return causes;
  }

  /** The loss that a part causes, in runs; a run without a result is lost entirely. */
  private static double lost(PairCause cause) {
    return cause.slowRuns() * cause.slowerPercent() / 100 + cause.missing();
  }

  private static PairCause cause(PairSearch search, PairFit fit, FailingParts failing, int index) {
    Suspect suspect = fit.accused().get(index);
    int slow =
        (int)
            Arrays.stream(suspect.runs())
                .filter(run -> fit.deviation(run) < -2 * fit.noise())
                .count();
    double evidence = search.evidence(fit, index);
    return new PairCause(
        suspect.kind(),
        suspect.names(),
        100 * -Math.expm1(-fit.depth(index)),
        suspect.runs().length,
        slow,
        suspect.kind() == Kind.HOST ? failing.missing(suspect.names().get(0)) : 0,
        1 / (1 + Math.exp(-evidence)),
        portHint(suspect.kind(), -Math.expm1(-fit.depth(index))) + suspect.kind().confirm());
  }

  /**
   * Hint at what the size of a host's slowdown suggests, if its runs use all of its ports;
   * otherwise empty.
   */
  private static String portHint(Kind kind, double slower) {
    if (kind == Kind.HOST) {
      if (Math.abs(slower - 0.5) < SHARE_TOLERANCE) {
        return "half the rate is that of one port at half speed, or of two GPUs that share a port; ";
      }
      for (int ports : new int[] {4, 8}) {
        if (Math.abs(slower - 1.0 / ports) < SHARE_TOLERANCE / 2) {
          return "a loss of 1/%s is that of one of %s ports down; ".formatted(ports, ports);
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
    int n = matrix.nHosts();
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
