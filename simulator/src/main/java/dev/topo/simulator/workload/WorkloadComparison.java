package dev.topo.simulator.workload;

import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.simulator.evaluate.JobResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * A job's communication and its predicted times.
 *
 * @param workload the communication
 * @param sites its calls with their predictions, in the same order
 * @param basis basis and limits of the expected times, in words
 */
public record WorkloadComparison(
    Workload workload, List<SiteComparison> sites, List<String> basis) {
  /** Largest number of groups that a line of the basis names; a job may have hundreds. */
  private static final int MOST_TITLES = 3;

  public WorkloadComparison {
    sites = List.copyOf(sites);
    basis = List.copyOf(basis);
  }

  /**
   * Compares a job's communication with the model.
   *
   * @param groups evaluates the communicator of a group of the job
   */
  public static WorkloadComparison of(Workload workload, Function<ProcessGroup, JobResult> groups) {
    Map<ProcessGroup, Function<CallSite, CallForecast>> forecasts = new HashMap<>();
    Map<JobResult, GroupPredictor> predictors = new IdentityHashMap<>();
    Map<GroupPredictor, Set<String>> titles = new LinkedHashMap<>();
    Function<ProcessGroup, GroupPredictor> making =
        group -> {
          GroupPredictor predictor =
              predictors.computeIfAbsent(groups.apply(group), GroupPredictor::new);
          titles.computeIfAbsent(predictor, key -> new LinkedHashSet<>()).add(group.title());
          return predictor;
        };
    List<SiteComparison> sites = new ArrayList<>();
    for (CallSite site : workload.sites()) {
      Function<CallSite, CallForecast> forecast =
          forecasts.computeIfAbsent(site.kind().group(), group -> forecasts(group, making));
      sites.add(new SiteComparison(site, forecast.apply(site)));
    }
    return new WorkloadComparison(workload, sites, basis(titles));
  }

  /**
   * Describes the basis of expected times. Each line occurs once, and names its groups unless it
   * holds for all.
   */
  private static List<String> basis(Map<GroupPredictor, Set<String>> titles) {
    Map<String, Set<String>> byLine = new LinkedHashMap<>();
    Set<String> all = new LinkedHashSet<>();
    titles.forEach(
        (predictor, names) -> {
          if (predictor.hasForecasts()) {
            all.addAll(names);
          }
          for (String line : predictor.basis()) {
            byLine.computeIfAbsent(line, key -> new LinkedHashSet<>()).addAll(names);
          }
        });
    return byLine.entrySet().stream()
        .map(
            line ->
                line.getValue().equals(all)
                    ? line.getKey()
                    : groups(List.copyOf(line.getValue())) + ": " + line.getKey())
        .toList();
  }

  private static String groups(List<String> titles) {
    int more = titles.size() - MOST_TITLES;
    return (titles.size() == 1 ? "group " : "groups ")
        + String.join(", ", titles.subList(0, Math.min(titles.size(), MOST_TITLES)))
        + (more > 0 ? " and %s more".formatted(more) : "");
  }

  private static Function<CallSite, CallForecast> forecasts(
      ProcessGroup group, Function<ProcessGroup, GroupPredictor> groups) {
    if (group.size() < 2) {
      CallForecast none =
          CallForecast.unknown(
              group.size() == 0
                  ? "the trace does not list the ranks of the group"
                  : "a group of one rank has nothing to send");
      return site -> none;
    }
    try {
      return groups.apply(group)::forecast;
    } catch (SettingException | UnusableTopologyException e) {
      CallForecast none = CallForecast.impossible("no model of the group: " + e.getMessage());
      return site -> none;
    }
  }

  /** Joins the calls of groups of one kind if their predictions are equal. */
  public WorkloadComparison ofGroupKinds() {
    return new WorkloadComparison(
        workload,
        GroupKinds.together(
            sites,
            SiteComparison::site,
            SiteComparison::forecast,
            (alike, site) -> new SiteComparison(site, alike.get(0).forecast())),
        basis);
  }

  /** The calls, in the order of {@link #sites}. */
  public List<CallSite> calls() {
    return sites.stream().map(SiteComparison::site).toList();
  }

  /** Number of calls whose measured time can be compared with the expected one. */
  public long comparableCalls() {
    return sites.stream()
        .filter(SiteComparison::isComparable)
        .mapToLong(site -> site.site().countedUs().length)
        .sum();
  }

  /**
   * A quantile of the relative differences between measured and expected times of comparable calls;
   * empty if there are none.
   *
   * @param part 0.5 for the median
   */
  public OptionalDouble errorOf(double part) {
    double[] errors =
        sites.stream()
            .filter(SiteComparison::isComparable)
            .flatMapToDouble(SiteComparison::errors)
            .sorted()
            .toArray();
    return errors.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(errors[(int) Math.min(errors.length - 1, part * errors.length)]);
  }

  /** Number of sites whose kernels were launched as expected. */
  public long expectedChoices() {
    return sites.stream()
        .flatMap(site -> site.isChoiceExpected().stream())
        .filter(Boolean::booleanValue)
        .count();
  }

  /** Number of sites for which both the measured and the expected launch are known. */
  public long knownChoices() {
    return sites.stream().flatMap(site -> site.isChoiceExpected().stream()).count();
  }
}
