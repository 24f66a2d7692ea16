package dev.topo.visualizer.study;

import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.QuantityFormat;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallSite.Basis;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.GroupSpread;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.SiteTitles;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadChange.ChangedCall;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.simulator.workload.WorkloadMemory;
import dev.topo.visualizer.report.WorkloadWords;
import dev.topo.visualizer.structure.MemoryChange;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The communication of a job as JSON and CSV: {@code calls[]} by call site, {@code step}, {@code
 * agreement}.
 */
public final class WorkloadFields {
  /** The columns that identify the call site of a row. */
  static <T> Columns<T> sites(Class<T> row, SiteTitles titles, Function<? super T, CallSite> site) {
    Function<T, CallKind> kind = one -> site.apply(one).kind();
    return Columns.of(row)
        .column("call", one -> titles.of(site.apply(one)))
        .field("group", one -> kind.apply(one).group().title())
        .field("collective", one -> kind.apply(one).operation())
        .field("name", one -> kind.apply(one).name())
        .column("size", "bytes", one -> kind.apply(one).bytes(), QuantityFormat::size)
        .column("type", "dataType", one -> kind.apply(one).dataType().label())
        .column("group", one -> group(site.apply(one)))
        .column("count", "count", one -> site.apply(one).count())
        .field("ranks", one -> kind.apply(one).group().size());
  }

  private static String group(CallSite site) {
    ProcessGroup group = site.kind().group();
    return WorkloadWords.groups(group.title() + " (" + group.size() + ")", site);
  }

  static final Fields<Expected> PREDICTED =
      Fields.of(Expected.class)
          .field("predictedUs", Expected::timeUs)
          .field("predictedLowUs", Expected::lowUs)
          .field("predictedHighUs", Expected::highUs);

  static final Fields<Expected> PAIR =
      Fields.of(Expected.class).components("algorithm", "protocol");

  /** How the times of the groups of a site differ. */
  static final Columns<SiteSpread> SPREAD =
      Columns.of(SiteSpread.class)
          .column("call", SiteSpread::title)
          .column("size", row -> QuantityFormat.size(row.site.kind().bytes()))
          .column("groups", SiteSpread::groups)
          .column("first ranks", row -> row.site.kind().group().rankText())
          .field("firstRanks", row -> ranks(row.site.kind().group()))
          .column("median", "medianUs", row -> row.spread.medianUs(), QuantityFormat::time)
          .column("90 %", "p90Us", row -> row.spread.p90Us(), QuantityFormat::time)
          .field("slowestRanks", row -> ranks(row.spread.slowest()))
          .column("slowest", "slowestUs", row -> row.spread.slowestUs(), QuantityFormat::time)
          .column("its ranks", row -> row.spread.slowest().rankText())
          .column("", row -> WorkloadWords.remark(row.spread))
          .field("slowestApart", row -> row.spread.isApart());

  private static final Fields<GroupSpread> SPREAD_COLUMNS =
      Fields.of(GroupSpread.class)
          .column("group_median_us", GroupSpread::medianUs)
          .column("group_p90_us", GroupSpread::p90Us)
          .column("slowest_group_us", GroupSpread::slowestUs)
          .column("slowest_group", spread -> ranks(spread.slowest()))
          .column("slowest_group_apart", GroupSpread::isApart);

  private static final Fields<Workload.Step> STEP =
      Fields.of(Workload.Step.class)
          .components("count")
          .field("marked", Workload.Step::isMarked)
          .components("timeUs", "communicationUs", "exposedUs", "waitedUs");

  private static final Fields<WorkloadComparison> AGREEMENT =
      Fields.of(WorkloadComparison.class)
          .field("calls", WorkloadComparison::comparableCalls)
          .field("medianError", comparison -> comparison.errorOf(0.5))
          .field("p90Error", comparison -> comparison.errorOf(0.9))
          .field("choices", WorkloadComparison::knownChoices)
          .field("equalChoices", WorkloadComparison::expectedChoices);

  /** The columns that identify the calls of a row about a change. */
  static <T> Columns<T> kinds(Class<T> row, Function<T, CallSite> site) {
    return Columns.of(row)
        .column("call", one -> site.apply(one).title())
        .field("group", one -> site.apply(one).kind().group().title())
        .field("groups", one -> site.apply(one).groups())
        .field("collective", one -> site.apply(one).kind().operation())
        .column("size", "bytes", one -> site.apply(one).kind().bytes(), QuantityFormat::size)
        .column(
            "group",
            one -> WorkloadWords.groups(site.apply(one).kind().group().title(), site.apply(one)));
  }

  static final Columns<ChangedCall> CHANGED =
      kinds(ChangedCall.class, ChangedCall::site)
          .column("count", "count", ChangedCall::count)
          .column("before", "predictedUs", call -> call.before().timeUs(), QuantityFormat::time)
          .column("after", "predictedAfterUs", call -> call.after().timeUs(), QuantityFormat::time)
          .field("channelsAfter", call -> call.after().shape().channels())
          .column("by before", call -> by(call.before()))
          .column("by after", call -> by(call.after()));

  private static final Fields<WorkloadChange> CHANGE =
      Fields.of(WorkloadChange.class)
          .components("title")
          .field("before", WorkloadChange::stepBefore)
          .field("after", WorkloadFields::after)
          .field("refused", WorkloadFields::refused)
          .list("calls", WorkloadChange::changedKinds, CHANGED.fields());

  static final Columns<WorkloadMemory.OfGroup> GROUP_MEMORY =
      Columns.of(WorkloadMemory.OfGroup.class)
          .column("group", "group", WorkloadMemory.OfGroup::title)
          .column("communicators", "communicators", WorkloadMemory.OfGroup::communicators)
          .column("GPU", "gpuBytes", WorkloadMemory.OfGroup::gpuBytes, QuantityFormat::size)
          .column(
              "host shared",
              "hostSharedBytes",
              WorkloadMemory.OfGroup::hostSharedBytes,
              QuantityFormat::size);

  private static final Fields<WorkloadMemory> MEMORY =
      Fields.of(WorkloadMemory.class)
          .components("rank")
          .including(WorkloadMemory::total, MemoryChange.MEMORY)
          .list("groups", WorkloadMemory::groups, GROUP_MEMORY.fields())
          .field("basis", WorkloadMemory::gaps);

  record SiteSpread(String title, CallSite site, GroupSpread spread) {
    private String groups() {
      return "%s of %s (%s)"
          .formatted(spread.groups(), site.kind().group().title(), site.kind().group().size());
    }
  }

  /**
   * The calls of a site with their times.
   *
   * @param comparison the measured and expected times
   * @param spread how the times of the groups differ
   * @param exposedUs the time during which nothing else runs; empty if the traces have no times
   * @param after the site after a change
   */
  record Call(
      SiteComparison comparison,
      Optional<GroupSpread> spread,
      OptionalDouble exposedUs,
      Optional<SiteComparison> after) {
    /**
     * The columns with everything known about the calls of a site.
     *
     * @param isVerbose whether the range of the expected time has a column of its own
     */
    static Columns<Call> columns(SiteTitles titles, boolean isVerbose) {
      return sites(Call.class, titles, Call::site)
          .field("groups", call -> call.site().groups())
          .field("groupSpread", Call::groupSpread)
          .column("measured", "measuredUs", call -> call.site().medianUs(), QuantityFormat::time)
          .column(
              "90 %", "measuredP90Us", call -> call.site().quantileUs(0.9), QuantityFormat::time)
          .rank(Columns.VERBOSE)
          .field("waitingIncluded", call -> call.site().basis() == Basis.WITH_WAITING)
          .field("waitedUs", Call::waitedUs)
          .field("overlapped", call -> call.site().isOverlapped())
          .field("concurrent", call -> call.site().isConcurrent())
          .field("begunEarly", call -> call.comparison.isBegunEarly())
          .field("totalUs", call -> call.site().totalUs())
          .field("exposedUs", Call::exposedUs)
          .column(
              "expected",
              call ->
                  ofExpected(
                      call,
                      time ->
                          isVerbose
                              ? QuantityFormat.time(time.timeUs())
                              : WorkloadWords.expected(time)))
          .fields(fields -> fields.includingOptional(Call::expected, PREDICTED))
          .column("range", call -> call.expected().flatMap(WorkloadWords::range).orElse("-"))
          .rank(Columns.VERBOSE)
          .column("ratio", "ratio", call -> call.comparison.ratio(), WorkloadWords::ratio)
          .column("by", call -> ofExpected(call, Expected::launchName))
          .fields(fields -> fields.includingOptional(Call::expected, PAIR))
          .column("channels x threads", call -> WorkloadWords.launch(call.comparison))
          .rank(Columns.VERBOSE)
          .field("channels", call -> call.site().shape().map(LaunchSize::channels))
          .field("threads", call -> call.site().shape().map(LaunchSize::threads))
          .field(
              "predictedChannels",
              call -> call.expected().map(expected -> expected.shape().channels()))
          .field(
              "predictedThreads",
              call -> call.expected().map(expected -> expected.shape().threads()))
          .text("unknown", call -> call.comparison.forecast().reason())
          .fields(fields -> fields.includingOptional(Call::spread, SPREAD_COLUMNS))
          .column("", call -> String.join(", ", call.comparison.remarks()))
          .cell(
              "unknown_after", call -> call.after.map(comparison -> comparison.forecast().reason()))
          .cell(
              "predicted_after_us",
              call -> call.after.flatMap(SiteComparison::expected).map(Expected::timeUs));
    }

    private static String ofExpected(Call call, Function<Expected, String> text) {
      return call.expected().map(text).orElse("-");
    }

    /**
     * Returns the calls of each site.
     *
     * @param after the sites after a change; empty if there is no change
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
      return spread.map(of -> SPREAD.fields().json(new SiteSpread("", site(), of)));
    }
  }

  private WorkloadFields() {}

  private static String by(Expected expected) {
    return expected.launchName() + " " + expected.shape().label();
  }

  /** Returns the communication as JSON. */
  public static Answer json(
      JobSummary job,
      WorkloadComparison ofGroups,
      WorkloadChanges changes,
      Optional<WorkloadMemory> memory) {
    WorkloadComparison comparison = ofGroups.ofGroupKinds();
    Workload workload = comparison.workload();
    return Json.document(
        "workload",
        workload.notes(),
        Fields.of(Workload.class)
            .field("job", all -> job)
            .field("traces", Workload::files)
            .components("tracedRanks")
            .list("calls", all -> Call.of(comparison, List.of()), columns(comparison).fields())
            .field("step", all -> all.step().map(STEP::json))
            .object("agreement", all -> comparison, AGREEMENT)
            .components("late")
            .field("basis", all -> comparison.basis())
            .optional("memory", all -> memory.map(MEMORY::json))
            .optional(
                "change", all -> changes.change().map(change -> CHANGE.json(change.ofGroupKinds())))
            .optional(
                "advice",
                all ->
                    changes
                        .advice()
                        .map(advice -> JobAdviceOutput.FIELDS.json(advice.ofGroupKinds()))),
        workload);
  }

  /** The step after a change; empty if NCCL refuses a call, because the job then has no time. */
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

  private static Columns<Call> columns(WorkloadComparison comparison) {
    return Call.columns(SiteTitles.of(comparison.calls()), true);
  }

  /** Returns the calls as CSV. */
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
        comparison.workload().notes(),
        columns(comparison).fields(),
        Call.of(comparison, after).stream());
  }
}
