package dev.topo.visualizer.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.topo.inspect.trace.CallKind;
import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallSite.Basis;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.GroupSpread;
import dev.topo.simulator.workload.SiteComparison;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadChange.StepTime;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** A job's communication as data: {@code calls[]} by site, {@code step}, {@code agreement}. */
public final class WorkloadData {
  /**
   * The document.
   *
   * @param notes its caveats, by the former name
   */
  private record Document(
      JobSummary job,
      List<String> traces,
      int tracedRanks,
      List<Call> calls,
      Optional<Step> step,
      Agreement agreement,
      List<Late> late,
      List<String> notes,
      List<String> basis,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Change> change,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<JobAdviceData> advice) {}

  private record Change(
      String title,
      StepChange before,
      Optional<StepChange> after,
      List<RefusedKinds> refused,
      List<Changed> calls) {}

  private record RefusedKinds(String reason, long kinds) {}

  record StepChange(double communicationUs, double lowUs, double highUs, OptionalDouble exposedUs) {
    static StepChange of(StepTime step) {
      return new StepChange(step.communicationUs(), step.lowUs(), step.highUs(), step.exposedUs());
    }
  }

  private record Changed(
      String group,
      int groups,
      Optional<Operation> collective,
      long bytes,
      long count,
      double predictedUs,
      double predictedAfterUs,
      int channelsAfter) {}

  private record Call(
      String group,
      Optional<Operation> collective,
      String name,
      long bytes,
      String dataType,
      long count,
      int ranks,
      int groups,
      Optional<Spread> groupSpread,
      OptionalDouble measuredUs,
      OptionalDouble measuredP90Us,
      boolean waitingIncluded,
      OptionalDouble waitedUs,
      boolean overlapped,
      boolean concurrent,
      boolean begunEarly,
      double totalUs,
      OptionalDouble exposedUs,
      OptionalDouble predictedUs,
      OptionalDouble predictedLowUs,
      OptionalDouble predictedHighUs,
      OptionalDouble ratio,
      Optional<Algorithm> algorithm,
      Optional<Protocol> protocol,
      Optional<Integer> channels,
      Optional<Integer> threads,
      Optional<Integer> predictedChannels,
      Optional<Integer> predictedThreads,
      Optional<String> unknown) {}

  private record Spread(
      String firstRanks,
      double medianUs,
      double p90Us,
      String slowestRanks,
      double slowestUs,
      boolean slowestApart) {
    static Optional<Spread> of(CallSite site) {
      return GroupSpread.of(site)
          .map(
              one ->
                  new Spread(
                      ranks(site.kind().group()),
                      one.medianUs(),
                      one.p90Us(),
                      ranks(one.slowest()),
                      one.slowestUs(),
                      one.isApart()));
    }

    private static String ranks(ProcessGroup group) {
      return QuantityFormat.ranges(group.ranks().stream().sorted().toList());
    }
  }

  private record Step(
      int count,
      boolean marked,
      double timeUs,
      double communicationUs,
      OptionalDouble exposedUs,
      OptionalDouble waitedUs) {}

  private record Agreement(
      long calls,
      OptionalDouble medianError,
      OptionalDouble p90Error,
      long choices,
      long equalChoices) {}

  private record Late(int rank, int calls, double waitedUs) {}

  private WorkloadData() {}

  /** The communication as JSON. */
  public static Answer json(JobSummary job, WorkloadComparison ofGroups, Changes changes) {
    WorkloadComparison comparison = ofGroups.ofGroupKinds();
    Workload workload = comparison.workload();
    return Json.document(
        "workload",
        workload.notes(),
        new Document(
            job,
            workload.files(),
            workload.tracedRanks(),
            comparison.sites().stream().map(one -> call(one, workload.hasExposure())).toList(),
            workload
                .step()
                .map(
                    step ->
                        new Step(
                            step.count(),
                            step.isMarked(),
                            step.timeUs(),
                            step.communicationUs(),
                            step.exposedUs(),
                            step.waitedUs())),
            new Agreement(
                comparison.comparableCalls(),
                comparison.errorOf(0.5),
                comparison.errorOf(0.9),
                comparison.knownChoices(),
                comparison.expectedChoices()),
            workload.late().stream()
                .map(late -> new Late(late.rank(), late.calls(), late.waitedUs()))
                .toList(),
            workload.notes(),
            comparison.basis(),
            changes.change().map(WorkloadChange::ofGroupKinds).map(WorkloadData::change),
            changes.advice().map(JobAdviceData::of)));
  }

  private static Change change(WorkloadChange change) {
    return new Change(
        change.title(),
        StepChange.of(change.stepBefore()),
        change.refusals().isEmpty()
            ? Optional.of(StepChange.of(change.stepAfter()))
            : Optional.empty(),
        change.refusals().entrySet().stream()
            .map(one -> new RefusedKinds(one.getKey(), one.getValue()))
            .toList(),
        change.changedKinds().stream()
            .map(
                one ->
                    new Changed(
                        one.site().kind().group().title(),
                        one.site().groups(),
                        one.site().kind().operation(),
                        one.site().kind().bytes(),
                        one.count(),
                        one.before().timeUs(),
                        one.after().timeUs(),
                        one.after().shape().channels()))
            .toList());
  }

  /** The calls as a table. */
  public static Answer csv(WorkloadComparison ofGroups, Optional<WorkloadChange> changeOfGroups) {
    Optional<WorkloadChange> change = changeOfGroups.map(WorkloadChange::ofGroupKinds);
    WorkloadComparison comparison =
        change.map(WorkloadChange::before).orElseGet(ofGroups::ofGroupKinds);
    List<SiteComparison> after = change.map(one -> one.after().sites()).orElse(List.of());
    return Csv.table(
        "group,collective,name,bytes,data_type,count,ranks,measured_us,waited_us,overlapped,concurrent,predicted_us,"
            + "predicted_low_us,predicted_high_us,ratio,algorithm,protocol,channels,threads,predicted_channels,"
            + "predicted_threads,unknown,groups,group_median_us,group_p90_us,slowest_group_us,slowest_group,slowest_group_apart,begun_early"
            + (after.isEmpty() ? "" : ",unknown_after,predicted_after_us"),
        IntStream.range(0, comparison.sites().size())
            .mapToObj(
                i -> {
                  List<Object> row = new ArrayList<>(row(call(comparison.sites().get(i), true)));
                  if (!after.isEmpty()) {
                    row.add(after.get(i).forecast().reason());
                    row.add(after.get(i).expected().map(Expected::timeUs));
                  }
                  return row;
                }));
  }

  private static List<Object> row(Call call) {
    return List.of(
        call.group,
        call.collective,
        call.name,
        call.bytes,
        call.dataType,
        call.count,
        call.ranks,
        call.measuredUs,
        call.waitedUs,
        call.overlapped,
        call.concurrent,
        call.predictedUs,
        call.predictedLowUs,
        call.predictedHighUs,
        call.ratio,
        call.algorithm,
        call.protocol,
        call.channels,
        call.threads,
        call.predictedChannels,
        call.predictedThreads,
        call.unknown,
        call.groups,
        call.groupSpread.map(Spread::medianUs),
        call.groupSpread.map(Spread::p90Us),
        call.groupSpread.map(Spread::slowestUs),
        call.groupSpread.map(Spread::slowestRanks),
        call.groupSpread.map(Spread::slowestApart),
        call.begunEarly);
  }

  private static Call call(SiteComparison comparison, boolean hasExposure) {
    CallSite site = comparison.site();
    CallKind kind = site.kind();
    Optional<Expected> expected = comparison.expected();
    return new Call(
        kind.group().title(),
        kind.operation(),
        kind.name(),
        kind.bytes(),
        kind.dataType().label(),
        site.count(),
        kind.group().size(),
        site.groups(),
        Spread.of(site),
        site.medianUs(),
        site.quantileUs(0.9),
        site.basis() == Basis.WITH_WAITING,
        site.basis() == Basis.ARRIVAL ? site.waitedUs() : OptionalDouble.empty(),
        site.isOverlapped(),
        site.isConcurrent(),
        comparison.isBegunEarly(),
        site.totalUs(),
        hasExposure ? OptionalDouble.of(site.exposedUs()) : OptionalDouble.empty(),
        number(expected.map(Expected::timeUs)),
        expected.map(Expected::lowUs).orElse(OptionalDouble.empty()),
        expected.map(Expected::highUs).orElse(OptionalDouble.empty()),
        comparison.ratio(),
        expected.flatMap(Expected::algorithm),
        expected.flatMap(Expected::protocol),
        site.shape().map(LaunchSize::channels),
        site.shape().map(LaunchSize::threads),
        expected.map(one -> one.shape().channels()),
        expected.map(one -> one.shape().threads()),
        reason(comparison.forecast().reason()));
  }

  static Optional<String> reason(String text) {
    return Optional.of(text).filter(one -> !one.isEmpty());
  }

  static OptionalDouble number(Optional<Double> value) {
    return value.map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }
}
