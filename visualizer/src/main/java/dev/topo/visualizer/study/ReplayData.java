package dev.topo.visualizer.study;

import dev.topo.hw.run.ReplayedCall;
import dev.topo.hw.verify.ReplayedSite;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.inspect.trace.CallKind;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallSite.Basis;
import dev.topo.simulator.workload.Expected;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A replayed job as data: {@code calls[]} by site and {@code agreement}. */
public final class ReplayData {
  /**
   * The document.
   *
   * @param notes its caveats, by the former name
   */
  private record Document(
      JobSummary job,
      List<String> traces,
      int tracedRanks,
      Optional<String> tracedNccl,
      String replayedNccl,
      int rounds,
      int callsPerRound,
      List<Call> calls,
      Agreement agreement,
      List<String> notes,
      List<String> basis) {}

  private record Call(
      String group,
      Optional<Operation> collective,
      String name,
      long bytes,
      String dataType,
      long count,
      int ranks,
      OptionalDouble tracedUs,
      boolean waitingIncluded,
      boolean overlapped,
      boolean concurrent,
      OptionalDouble replayedUs,
      OptionalDouble replayedP90Us,
      boolean launchesIncluded,
      OptionalDouble predictedUs,
      OptionalDouble predictedLowUs,
      OptionalDouble predictedHighUs,
      OptionalDouble tracedToReplayed,
      OptionalDouble replayedToPredicted,
      Optional<Algorithm> algorithm,
      Optional<Protocol> protocol,
      Optional<String> notReplayed,
      Optional<String> unknown) {}

  private record Agreement(long calls, OptionalDouble medianError, OptionalDouble p90Error) {}

  private ReplayData() {}

  /**
   * The replay as JSON.
   *
   * @param version NCCL's version in the replay
   */
  public static Answer json(JobSummary job, ReplayedWorkload replayed, String version) {
    return Json.document(
        "replay",
        replayed.comparison().workload().notes(),
        new Document(
            job,
            replayed.comparison().workload().files(),
            replayed.comparison().workload().tracedRanks(),
            replayed.comparison().workload().ncclVersion(),
            version,
            replayed.plan().rounds(),
            replayed.plan().steps().size(),
            replayed.sites().stream().map(ReplayData::call).toList(),
            new Agreement(replayed.comparableCalls(), replayed.errorOf(0.5), replayed.errorOf(0.9)),
            replayed.comparison().workload().notes(),
            replayed.comparison().basis()));
  }

  /** The calls as a table. */
  public static Answer csv(ReplayedWorkload replayed) {
    return Csv.table(
        "group,collective,name,bytes,data_type,count,ranks,traced_us,waiting_included,overlapped,concurrent,replayed_us,"
            + "replayed_p90_us,launches_included,predicted_us,predicted_low_us,predicted_high_us,traced_to_replayed,"
            + "replayed_to_predicted,algorithm,protocol,not_replayed,unknown",
        replayed.sites().stream().map(ReplayData::call).map(ReplayData::row));
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
        call.tracedUs,
        call.waitingIncluded,
        call.overlapped,
        call.concurrent,
        call.replayedUs,
        call.replayedP90Us,
        call.launchesIncluded,
        call.predictedUs,
        call.predictedLowUs,
        call.predictedHighUs,
        call.tracedToReplayed,
        call.replayedToPredicted,
        call.algorithm,
        call.protocol,
        call.notReplayed,
        call.unknown);
  }

  private static Call call(ReplayedSite replayed) {
    CallSite site = replayed.traced().site();
    CallKind kind = site.kind();
    Optional<Expected> expected = replayed.traced().expected();
    return new Call(
        kind.group().title(),
        kind.operation(),
        kind.name(),
        kind.bytes(),
        kind.dataType().label(),
        site.count(),
        kind.group().size(),
        site.medianUs(),
        site.basis() == Basis.WITH_WAITING,
        site.isOverlapped(),
        site.isConcurrent(),
        replayed.replayedUs(),
        WorkloadData.number(replayed.replayed().map(one -> one.quantileUs(0.9))),
        replayed.replayed().map(ReplayedCall::hasLaunches).orElse(false),
        WorkloadData.number(expected.map(Expected::timeUs)),
        expected.map(Expected::lowUs).orElse(OptionalDouble.empty()),
        expected.map(Expected::highUs).orElse(OptionalDouble.empty()),
        replayed.tracedToReplayed(),
        replayed.replayedToExpected(),
        expected.flatMap(Expected::algorithm),
        expected.flatMap(Expected::protocol),
        WorkloadData.reason(replayed.reason()),
        WorkloadData.reason(replayed.traced().forecast().reason()));
  }
}
