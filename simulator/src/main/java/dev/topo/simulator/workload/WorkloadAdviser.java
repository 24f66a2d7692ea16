package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.Adviser;
import dev.topo.simulator.advice.CallChange;
import dev.topo.simulator.advice.Permission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds the best settings for a traced job. All of its processes and communicators share the
 * settings, so gains of some calls are weighed against losses of others by the times in the traces.
 * Buffers and choices of the tuner plugin may differ between calls. For a single use.
 */
public final class WorkloadAdviser {
  /** Least additional relative gain of the job that justifies more effort. */
  private static final double LEAST_GAIN_OF_EFFORT = 0.002;

  private final WorkloadComparison comparison;
  private final Set<Permission> may;
  private final Map<ProcessGroup, Optional<Adviser>> advisers = new HashMap<>();
  private final Function<ProcessGroup, Adviser> createAdviser;

  /** A question about a call. Each is asked once, as groups at the same places share an adviser. */
  private record Question(
      Adviser adviser, Call call, NcclSettings settings, Set<Permission> using) {
    Optional<CallChange> change() {
      return adviser.change(call, settings, using);
    }
  }

  /** The effect of a change on the calls of a site, to recognize changes with the same effect. */
  private record Effect(double ratio, String by, int ctas, Buffers buffers) {
    static final Effect NONE = new Effect(1, "", 0, Buffers.PLAIN);

    static Effect of(SiteChange site) {
      return site.change()
          .filter(change -> site.isChanged())
          .map(CallChange::then)
          .map(
              then ->
                  new Effect(
                      site.gain().ratio(), then.launchName(), then.ctas(), then.setup().buffers()))
          .orElse(NONE);
    }
  }

  private final Map<Question, Optional<CallChange>> changes = new HashMap<>();

  /**
   * Creates an adviser for a job.
   *
   * @param createAdviser creates the adviser for the calls of a communicator
   * @param may changes that the user allows; graphs are not considered
   */
  public WorkloadAdviser(
      WorkloadComparison comparison,
      Function<ProcessGroup, Adviser> createAdviser,
      Set<Permission> may) {
    this.comparison = comparison;
    this.createAdviser = createAdviser;
    this.may = Set.copyOf(may);
  }

  /** Finds the best options. */
  public JobAdvice advise() {
    Set<NcclSettings> settings = new LinkedHashSet<>();
    Set<String> notes = new LinkedHashSet<>();
    Set<Adviser> each = new LinkedHashSet<>();
    comparison.calls().forEach(site -> adviser(site.kind().group()).ifPresent(each::add));
    for (Adviser adviser : each) {
      settings.addAll(adviser.settings());
      AdviceReport.ofGains(adviser.now(), adviser.gains()).ifPresent(notes::add);
    }
    List<JobOption> options = new ArrayList<>();
    for (NcclSettings some : settings) {
      for (Set<Permission> using : permissionSets()) {
        JobOption option = option(some, using);
        if (!option.changed().isEmpty()) {
          options.add(option);
        }
      }
    }
    return new JobAdvice(may, ordered(different(options)), List.copyOf(notes));
  }

  /** The sets of permitted changes of single calls to try besides settings, the empty set first. */
  private List<Set<Permission>> permissionSets() {
    List<Set<Permission>> permissionSets = new ArrayList<>();
    permissionSets.add(EnumSet.noneOf(Permission.class));
    for (Permission permission : List.of(Permission.TUNER, Permission.CODE)) {
      if (may.contains(permission)) {
        for (Set<Permission> less : List.copyOf(permissionSets)) {
          Set<Permission> more = EnumSet.of(permission);
          more.addAll(less);
          permissionSets.add(more);
        }
      }
    }
    return permissionSets;
  }

  /** Drops options that have the same effect as a simpler one. */
  private static List<JobOption> different(List<JobOption> options) {
    List<JobOption> simplestFirst =
        options.stream().sorted(Comparator.comparingInt(JobOption::effort)).toList();
    Set<List<Effect>> seen = new HashSet<>();
    return simplestFirst.stream()
        .filter(option -> seen.add(option.sites().stream().map(Effect::of).toList()))
        .toList();
  }

  /**
   * Sorts options, the best first; of options with about the same certain gain, the simplest is the
   * best.
   */
  private static List<JobOption> ordered(List<JobOption> simplestFirst) {
    List<JobOption> ordered = new ArrayList<>(simplestFirst);
    ordered.sort(
        Comparator.comparing(JobOption::isAdvised)
            .thenComparingDouble(option -> option.gain().least())
            .reversed());
    Optional<JobOption> best = Optional.empty();
    for (JobOption option : simplestFirst) {
      double least = best.map(other -> other.gain().least() + LEAST_GAIN_OF_EFFORT).orElse(0.0);
      best = option.isAdvised() && option.gain().least() > least ? Optional.of(option) : best;
    }
    best.ifPresent(
        option -> {
          ordered.remove(option);
          ordered.add(0, option);
        });
    return ordered;
  }

  private JobOption option(NcclSettings settings, Set<Permission> using) {
    List<SiteChange> sites = new ArrayList<>();
    for (SiteComparison siteComparison : comparison.sites()) {
      CallSite site = siteComparison.site();
      Optional<CallChange> change =
          predictableCall(site.kind())
              .flatMap(
                  call ->
                      adviser(site.kind().group())
                          .map(adviser -> new Question(adviser, call, settings, using)))
              .flatMap(question -> changes.computeIfAbsent(question, Question::change));
      double share = site.share(comparison.workload().knownRanks());
      sites.add(new SiteChange(site, change, share * timeUs(siteComparison), share));
    }
    return new JobOption(comparison.workload(), settings, sites);
  }

  private Optional<Adviser> adviser(ProcessGroup group) {
    Optional<Adviser> adviser = advisers.get(group);
    if (adviser == null) {
      try {
        adviser = group.size() < 2 ? Optional.empty() : Optional.of(createAdviser.apply(group));
      } catch (SettingException | UnusableTopologyException e) {
        adviser = Optional.empty(); // the comparison says why the group has no model
      }
      advisers.put(group, adviser);
    }
    return adviser;
  }

  /**
   * Converts a kind to a call whose gains can be predicted: a collective, an all-to-all with equal
   * parts, or an exchange between two ranks; otherwise empty.
   */
  private static Optional<Call> predictableCall(CallKind kind) {
    return kind.call()
        .filter(call -> kind.bytes() > 0)
        .filter(
            call ->
                call instanceof CollectiveCall
                    || call.operation() == PeerOperation.ALLTOALL
                    || call.operation() == PeerOperation.SENDRECV && kind.group().size() == 2);
  }

  /**
   * The total time of the calls of a site; at most the expected time if the measured times include
   * waiting.
   */
  private static double timeUs(SiteComparison comparison) {
    CallSite site = comparison.site();
    double expected = site.count() * comparison.expected().map(Expected::timeUs).orElse(0.0);
    return switch (site.basis()) {
      case ARRIVAL -> site.totalUs();
      case WITH_WAITING -> expected > 0 ? Math.min(expected, site.totalUs()) : site.totalUs();
      case NONE -> expected;
    };
  }
}
