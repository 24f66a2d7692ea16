package dev.topo.simulator.workload;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.CallChange;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.Lever;
import dev.topo.simulator.workload.SiteChange.RangePoint;
import dev.topo.simulator.workload.Workload.Step;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A change of the settings of all processes of a job, with its effect on all calls.
 *
 * @param workload the job
 * @param settings the settings in addition to those of the job
 * @param sites the changes of the calls, in the order of the job's sites
 */
public record JobOption(Workload workload, NcclSettings settings, List<SiteChange> sites) {
  public JobOption {
    sites = List.copyOf(sites);
  }

  /** Joins the calls of groups of one kind if they change alike. */
  JobOption ofGroupKinds() {
    return new JobOption(
        workload,
        settings,
        GroupKinds.together(
            sites,
            SiteChange::site,
            SiteChange::change,
            (alike, site) ->
                new SiteChange(
                    site,
                    alike.get(0).change(),
                    alike.stream().mapToDouble(SiteChange::timeUs).sum(),
                    site.share(workload.knownRanks()))));
  }

  /** The gain of the job in the total time of its calls. */
  public Gain gain() {
    double time = timeUs();
    return time > 0
        ? new Gain(
            time / (time - saved(RangePoint.MIDDLE)),
            time / (time - saved(RangePoint.LEAST)),
            time / (time - saved(RangePoint.MOST)))
        : Gain.NONE;
  }

  private double timeUs() {
    return sites.stream().mapToDouble(SiteChange::timeUs).sum();
  }

  private double saved(RangePoint point) {
    return sites.stream().mapToDouble(site -> site.savedUs(point)).sum();
  }

  /** True if the gain of the job exceeds its range and the scatter of measurements. */
  public boolean isAdvised() {
    return gain().isCertain();
  }

  /**
   * The communication of a step after the change; without steps in the traces, that of all calls.
   */
  public StepTime step() {
    Optional<Step> step = workload.step();
    double before = step.map(Step::communicationUs).orElseGet(this::timeUs);
    int steps = step.map(Step::count).orElse(1);
    double savedExposed = sites.stream().mapToDouble(SiteChange::savedExposedUs).sum();
    return new StepTime(
        Math.max(0, before - saved(RangePoint.MIDDLE) / steps),
        Math.max(0, before - saved(RangePoint.MOST) / steps),
        Math.max(0, before - saved(RangePoint.LEAST) / steps),
        exposedNowUs().isPresent()
            ? OptionalDouble.of(Math.max(0, exposedNowUs().getAsDouble() - savedExposed / steps))
            : OptionalDouble.empty());
  }

  /** The exposed communication of a step before the change; empty if unknown. */
  public OptionalDouble exposedNowUs() {
    return workload.step().map(Step::exposedUs).orElse(OptionalDouble.empty());
  }

  /** The calls that NCCL runs differently. */
  public List<SiteChange> changed() {
    return sites.stream().filter(SiteChange::isChanged).toList();
  }

  /** The calls that are predicted to take longer. */
  public List<SiteChange> slower() {
    return changed().stream().filter(site -> site.gain().ratio() < 1).toList();
  }

  /** Number of sites for which the effect of the change is unknown. */
  public long unknown() {
    return sites.stream().filter(SiteChange::isUnknown).count();
  }

  /** The fraction of the time of all calls for which the effect of the change is unknown. */
  public double unknownPart() {
    double time = timeUs();
    return time > 0
        ? sites.stream().filter(SiteChange::isUnknown).mapToDouble(SiteChange::timeUs).sum() / time
        : 0;
  }

  /** The largest number of additional multiprocessors that a call takes. */
  public int moreCtas() {
    return callChanges()
        .mapToInt(change -> change.then().ctas() - change.now().ctas())
        .max()
        .orElse(0);
  }

  /** True if a call that takes more multiprocessors runs beside computation. */
  public boolean takesFromComputation() {
    return changed().stream()
        .filter(site -> site.site().isOverlapped())
        .flatMap(site -> site.change().stream())
        .anyMatch(change -> change.then().ctas() > change.now().ctas());
  }

  /** The calls for which the tuner plugin must choose. */
  public List<CallChange> byTuner() {
    return callChanges().filter(change -> change.then().forced().isPresent()).toList();
  }

  /** Names the operations and groups whose buffers must be of a kind, each once. */
  public List<String> buffers(Buffers kind) {
    Predicate<SiteChange> has =
        change ->
            change.change().map(CallChange::then).map(Alternative::setup).get().buffers() == kind;
    return changed().stream()
        .filter(has)
        .map(SiteChange::site)
        .map(JobOption::label)
        .distinct()
        .toList();
  }

  private static String label(CallSite site) {
    return site.kind().operation().map(Operation::label).orElse("")
        + " of "
        + site.kind().group().title();
  }

  int effort() {
    int effortOfSettings = settings.values().size() * Lever.CHANNELS.effort();
    return Math.max(
        effortOfSettings, callChanges().mapToInt(change -> change.then().effort()).max().orElse(0));
  }

  private Stream<CallChange> callChanges() {
    return changed().stream().flatMap(site -> site.change().stream());
  }
}
