package dev.topo.visualizer.study;

import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallSite.Basis;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.GroupSpread;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadChange.ChangedCall;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.simulator.workload.WorkloadMemory;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A job's communication as data: {@code calls[]} by site, {@code step}, {@code agreement}. */
public final class WorkloadData {
  static final Fields<CallSite> SITE =
      Fields.of(CallSite.class)
          .field("group", site -> site.kind().group().title())
          .field("collective", site -> site.kind().operation())
          .field("name", site -> site.kind().name())
          .field("bytes", site -> site.kind().bytes())
          .field("dataType", site -> site.kind().dataType().label())
          .field("count", CallSite::count)
          .field("ranks", site -> site.kind().group().size());

  static final Fields<Expected> PREDICTED =
      Fields.of(Expected.class)
          .field("predictedUs", Expected::timeUs)
          .field("predictedLowUs", Expected::lowUs)
          .field("predictedHighUs", Expected::highUs);

  static final Fields<Expected> PAIR =
      Fields.of(Expected.class)
          .field("algorithm", Expected::algorithm)
          .field("protocol", Expected::protocol);

  private static final Fields<GroupSpread> SPREAD =
      Fields.of(GroupSpread.class)
          .field("medianUs", GroupSpread::medianUs)
          .field("p90Us", GroupSpread::p90Us)
          .field("slowestRanks", spread -> ranks(spread.slowest()))
          .field("slowestUs", GroupSpread::slowestUs)
          .field("slowestApart", GroupSpread::isApart);

  private static final Fields<GroupSpread> SPREAD_COLUMNS =
      Fields.of(GroupSpread.class)
          .column("group_median_us", GroupSpread::medianUs)
          .column("group_p90_us", GroupSpread::p90Us)
          .column("slowest_group_us", GroupSpread::slowestUs)
          .column("slowest_group", spread -> ranks(spread.slowest()))
          .column("slowest_group_apart", GroupSpread::isApart);

  private static final Fields<Workload.Step> STEP =
      Fields.of(Workload.Step.class)
          .field("count", Workload.Step::count)
          .field("marked", Workload.Step::isMarked)
          .field("timeUs", Workload.Step::timeUs)
          .field("communicationUs", Workload.Step::communicationUs)
          .field("exposedUs", Workload.Step::exposedUs)
          .field("waitedUs", Workload.Step::waitedUs);

  private static final Fields<WorkloadComparison> AGREEMENT =
      Fields.of(WorkloadComparison.class)
          .field("calls", WorkloadComparison::comparableCalls)
          .field("medianError", comparison -> comparison.errorOf(0.5))
          .field("p90Error", comparison -> comparison.errorOf(0.9))
          .field("choices", WorkloadComparison::knownChoices)
          .field("equalChoices", WorkloadComparison::expectedChoices);

  private static final Fields<ChangedCall> CHANGED =
      Fields.of(ChangedCall.class)
          .field("group", call -> call.site().kind().group().title())
          .field("groups", call -> call.site().groups())
          .field("collective", call -> call.site().kind().operation())
          .field("bytes", call -> call.site().kind().bytes())
          .field("count", ChangedCall::count)
          .field("predictedUs", call -> call.before().timeUs())
          .field("predictedAfterUs", call -> call.after().timeUs())
          .field("channelsAfter", call -> call.after().shape().channels());

  private static final Fields<WorkloadChange> CHANGE =
      Fields.of(WorkloadChange.class)
          .field("title", WorkloadChange::title)
          .field("before", WorkloadChange::stepBefore)
          .field("after", WorkloadData::after)
          .field("refused", WorkloadData::refused)
          .list("calls", WorkloadChange::changedKinds, CHANGED);

  private static final Fields<WorkloadMemory.OfGroup> GROUP_MEMORY =
      Fields.of(WorkloadMemory.OfGroup.class)
          .field("group", WorkloadMemory.OfGroup::title)
          .field("communicators", WorkloadMemory.OfGroup::communicators)
          .field("gpuBytes", WorkloadMemory.OfGroup::gpuBytes)
          .field("hostSharedBytes", WorkloadMemory.OfGroup::hostSharedBytes);

  private static final Fields<WorkloadMemory> MEMORY =
      Fields.of(WorkloadMemory.class)
          .field("rank", WorkloadMemory::rank)
          .including(WorkloadMemory::total, MemoryChange.MEMORY)
          .list("groups", WorkloadMemory::groups, GROUP_MEMORY)
          .field("basis", WorkloadMemory::gaps);

  /**
   * The calls of a site.
   *
   * @param comparison measured and expected times
   * @param spread how their groups differ
   * @param exposedUs time in which nothing else runs; empty where traces have no times
   * @param after the site after a change
   */
  private record Call(
      SiteComparison comparison,
      Optional<GroupSpread> spread,
      OptionalDouble exposedUs,
      Optional<SiteComparison> after) {
    static final Fields<Call> FIELDS =
        Fields.of(Call.class)
            .including(Call::site, SITE)
            .field("groups", call -> call.site().groups())
            .field("groupSpread", Call::groupSpread)
            .field("measuredUs", call -> call.site().medianUs())
            .field("measuredP90Us", call -> call.site().quantileUs(0.9))
            .field("waitingIncluded", call -> call.site().basis() == Basis.WITH_WAITING)
            .field("waitedUs", Call::waitedUs)
            .field("overlapped", call -> call.site().isOverlapped())
            .field("concurrent", call -> call.site().isConcurrent())
            .field("begunEarly", call -> call.comparison.isBegunEarly())
            .field("totalUs", call -> call.site().totalUs())
            .field("exposedUs", Call::exposedUs)
            .includingOptional(Call::expected, PREDICTED)
            .field("ratio", call -> call.comparison.ratio())
            .includingOptional(Call::expected, PAIR)
            .field("channels", call -> call.site().shape().map(LaunchSize::channels))
            .field("threads", call -> call.site().shape().map(LaunchSize::threads))
            .field(
                "predictedChannels",
                call -> call.expected().map(expected -> expected.shape().channels()))
            .field(
                "predictedThreads",
                call -> call.expected().map(expected -> expected.shape().threads()))
            .text("unknown", call -> call.comparison.forecast().reason())
            .includingOptional(Call::spread, SPREAD_COLUMNS)
            .column(
                "unknown_after",
                call -> call.after.map(comparison -> comparison.forecast().reason()))
            .column(
                "predicted_after_us",
                call -> call.after.flatMap(SiteComparison::expected).map(Expected::timeUs));

    /**
     * The calls of each site.
     *
     * @param after the sites after a change; none without one
     */
    static List<Call> of(WorkloadComparison comparison, List<SiteComparison> after) {
      boolean hasExposure = comparison.workload().hasExposure();
      List<Call> calls = new ArrayList<>();
      for (SiteComparison siteComparison : comparison.sites()) {
        calls.add(
            new Call(
                siteComparison,
                GroupSpread.of(siteComparison.site()),
                hasExposure
                    ? OptionalDouble.of(siteComparison.site().exposedUs())
                    : OptionalDouble.empty(),
                after.isEmpty() ? Optional.empty() : Optional.of(after.get(calls.size()))));
      }
      return calls;
    }

    private CallSite site() {
      return comparison.site();
    }

    private Optional<Expected> expected() {
      return comparison.expected();
    }

    private OptionalDouble waitedUs() {
      return site().basis() == Basis.ARRIVAL ? site().waitedUs() : OptionalDouble.empty();
    }

    private Optional<Object> groupSpread() {
      return spread.map(
          Fields.of(GroupSpread.class)
                  .field("firstRanks", groupSpread -> ranks(site().kind().group()))
                  .including(groupSpread -> groupSpread, SPREAD)
              ::json);
    }
  }

  private WorkloadData() {}

  /** The communication as JSON; {@code notes} are the caveats, by the former name. */
  public static Answer json(
      JobSummary job,
      WorkloadComparison ofGroups,
      Changes changes,
      Optional<WorkloadMemory> memory) {
    WorkloadComparison comparison = ofGroups.ofGroupKinds();
    Workload workload = comparison.workload();
    return Json.document(
        "workload",
        workload.notes(),
        Fields.of(Workload.class)
            .field("job", all -> job)
            .field("traces", Workload::files)
            .field("tracedRanks", Workload::tracedRanks)
            .list("calls", all -> Call.of(comparison, List.of()), Call.FIELDS)
            .field("step", all -> all.step().map(STEP::json))
            .object("agreement", all -> comparison, AGREEMENT)
            .field("late", Workload::late)
            .field("notes", Workload::notes)
            .field("basis", all -> comparison.basis())
            .optional("memory", all -> memory.map(MEMORY::json))
            .optional(
                "change", all -> changes.change().map(change -> CHANGE.json(change.ofGroupKinds())))
            .optional(
                "advice",
                all ->
                    changes
                        .advice()
                        .map(advice -> JobAdviceData.FIELDS.json(advice.ofGroupKinds()))),
        workload);
  }

  /** A job with a call that NCCL refuses has no time. */
  private static Optional<StepTime> after(WorkloadChange change) {
    return change.refusals().isEmpty() ? Optional.of(change.stepAfter()) : Optional.empty();
  }

  private static List<Object> refused(WorkloadChange change) {
    return Fields.of(String.class)
        .field("reason", reason -> reason)
        .field("kinds", change.refusals()::get)
        .json(change.refusals().keySet());
  }

  private static String ranks(ProcessGroup group) {
    return QuantityFormat.ranges(group.ranks().stream().sorted().toList());
  }

  /** The calls as a table. */
  public static Answer csv(WorkloadComparison ofGroups, Optional<WorkloadChange> changeOfGroups) {
    Optional<WorkloadChange> change = changeOfGroups.map(WorkloadChange::ofGroupKinds);
    WorkloadComparison comparison =
        change.map(WorkloadChange::before).orElseGet(ofGroups::ofGroupKinds);
    List<SiteComparison> after =
        change.map(workloadChange -> workloadChange.after().sites()).orElse(List.of());
    return Csv.table(
        "group,collective,name,bytes,data_type,count,ranks,measured_us,waited_us,overlapped,concurrent,predicted_us,"
            + "predicted_low_us,predicted_high_us,ratio,algorithm,protocol,channels,threads,predicted_channels,"
            + "predicted_threads,unknown,groups,group_median_us,group_p90_us,slowest_group_us,slowest_group,slowest_group_apart,begun_early"
            + (after.isEmpty() ? "" : ",unknown_after,predicted_after_us"),
        Call.FIELDS,
        Call.of(comparison, after).stream());
  }
}
