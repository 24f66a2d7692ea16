package dev.topo.simulator.workload;

import dev.topo.inspect.trace.CallKind;
import dev.topo.model.Alike;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.simulator.workload.Workload.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * The effect of a change of the machine, the settings, NCCL or the number of nodes on a job's
 * communication. The measured time of a call is scaled by the predicted factor; without measured
 * times the expected time is used. Overlapping work and waiting stay the same, as do calls without
 * a prediction. If NCCL refuses a call after the change, the job fails and has no time.
 *
 * @param title name of the change
 * @param before the calls before the change
 * @param after the same calls, in the same order, after the change
 */
public record WorkloadChange(String title, WorkloadComparison before, WorkloadComparison after) {
  /**
   * The communication of a step.
   *
   * @param communicationUs time of its calls in microseconds, waiting included
   * @param lowUs the shortest time of the range
   * @param highUs the longest time of the range
   * @param exposedUs the part of it in which nothing else runs; empty if unknown
   */
  public record StepTime(
      double communicationUs, double lowUs, double highUs, OptionalDouble exposedUs) {}

  /**
   * A kind of calls whose expected time changes.
   *
   * @param count number of calls
   * @param before the expected time before the change
   * @param after the expected time after the change
   */
  public record ChangedCall(CallSite site, long count, Expected before, Expected after) {
    /** The ratio of the times, after to before. */
    public double factor() {
      return after.timeUs() / before.timeUs();
    }
  }

  /** Joins the calls of groups of one kind if their predictions, before and after, are equal. */
  public WorkloadChange ofGroupKinds() {
    record Pair(SiteComparison before, SiteComparison after) {}
    List<Pair> pairs =
        GroupKinds.together(
            IntStream.range(0, before.sites().size())
                .mapToObj(i -> new Pair(before.sites().get(i), after.sites().get(i)))
                .toList(),
            pair -> pair.before.site(),
            pair -> List.of(pair.before.forecast(), pair.after.forecast()),
            (alike, site) ->
                new Pair(
                    new SiteComparison(site, alike.get(0).before.forecast()),
                    new SiteComparison(site, alike.get(0).after.forecast())));
    return new WorkloadChange(
        title,
        new WorkloadComparison(
            before.workload(), pairs.stream().map(Pair::before).toList(), before.basis()),
        new WorkloadComparison(
            after.workload(), pairs.stream().map(Pair::after).toList(), after.basis()));
  }

  /** The kinds of calls whose expected times change, in the order of the calls. */
  public List<ChangedCall> changed() {
    List<ChangedCall> changed = new ArrayList<>();
    for (int i = 0; i < before.sites().size(); i++) {
      Optional<Expected> was = before.sites().get(i).expected();
      Optional<Expected> is = after.sites().get(i).expected();
      if (was.isPresent() && is.isPresent() && !was.equals(is)) {
        CallSite site = before.sites().get(i).site();
        changed.add(new ChangedCall(site, site.count(), was.get(), is.get()));
      }
    }
    return changed;
  }

  /** The columns of a table for a change. */
  private record Row(
      String title,
      String group,
      int ranks,
      long bytes,
      DataType type,
      Expected before,
      Expected after) {
    static Row of(ChangedCall call) {
      CallKind kind = call.site.kind();
      return new Row(
          call.site.title(),
          kind.group().title(),
          kind.group().size(),
          kind.bytes(),
          kind.dataType(),
          call.before,
          call.after);
    }
  }

  /**
   * The changed calls; sites that look the same in a table are joined, though ranks or overlap
   * differ.
   */
  public List<ChangedCall> changedKinds() {
    Map<Row, List<CallSite>> kinds = Alike.by(changed(), Row::of, call -> call.site);
    List<ChangedCall> changed = new ArrayList<>();
    kinds.forEach(
        (row, sites) -> {
          CallSite together = CallSite.together(sites);
          changed.add(new ChangedCall(together, together.count(), row.before, row.after));
        });
    return changed;
  }

  /**
   * Number of sites that have no expected time before or after the change; their times stay the
   * same.
   */
  public long unknown() {
    long unknown = 0;
    for (int i = 0; i < before.sites().size(); i++) {
      boolean known =
          before.sites().get(i).expected().isPresent()
              && after.sites().get(i).expected().isPresent();
      unknown += known || after.sites().get(i).forecast().isRefused() ? 0 : 1;
    }
    return unknown;
  }

  /** Number of changed sites whose time after the change has no range. */
  public long withoutRange() {
    return changed().stream().filter(call -> call.after.lowUs().isEmpty()).count();
  }

  /**
   * Reasons why NCCL refuses calls after the change, and the number of sites for each, in the order
   * of the calls. A job with such a call fails and has no time.
   */
  public Map<String, Long> refusals() {
    Map<String, Long> refusals = new LinkedHashMap<>();
    for (SiteComparison site : after.sites()) {
      if (site.forecast().isRefused()) {
        refusals.merge(site.forecast().reason(), 1L, Long::sum);
      }
    }
    return refusals;
  }

  /** The step before the change. */
  public StepTime stepBefore() {
    return before
        .workload()
        .step()
        .map(
            step ->
                new StepTime(
                    step.communicationUs(),
                    step.communicationUs(),
                    step.communicationUs(),
                    step.exposedUs()))
        .orElseGet(() -> expected(before));
  }

  /** The step after the change. */
  public StepTime stepAfter() {
    Optional<Step> step = before.workload().step();
    if (step.isEmpty()) {
      return expected(after);
    }
    double change = 0;
    double low = 0;
    double high = 0;
    double exposed = 0;
    for (ChangedCall call : changed()) {
      CallSite site = call.site;
      double factor = call.factor();
      double share = site.share(before.workload().knownRanks());
      double was = share * site.totalUs();
      double scale = factor / call.after.timeUs();
      change += (factor - 1) * was;
      low += (scale * call.after.lowUs().orElse(call.after.timeUs()) - 1) * was;
      high += (scale * call.after.highUs().orElse(call.after.timeUs()) - 1) * was;
      exposed += share * (site.exposedUs(factor) - site.exposedUs());
    }
    int steps = step.get().count();
    double communication = step.get().communicationUs();
    return new StepTime(
        Math.max(0, communication + change / steps),
        Math.max(0, communication + low / steps),
        Math.max(0, communication + high / steps),
        plus(step.get().exposedUs(), exposed / steps));
  }

  private static OptionalDouble plus(OptionalDouble before, double change) {
    return before.isPresent()
        ? OptionalDouble.of(Math.max(0, before.getAsDouble() + change))
        : before;
  }

  /** The step from expected times alone. */
  private static StepTime expected(WorkloadComparison comparison) {
    ExpectedStep step = ExpectedStep.of(comparison);
    return new StepTime(step.timeUs(), step.lowUs(), step.highUs(), OptionalDouble.empty());
  }
}
