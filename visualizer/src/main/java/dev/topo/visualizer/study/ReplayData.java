package dev.topo.visualizer.study;

import dev.topo.hw.run.ReplayedCall;
import dev.topo.hw.verify.ReplayedSite;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallSite.Basis;
import dev.topo.simulator.workload.Workload;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;

/** A replayed job as data: {@code calls[]} by site and {@code agreement}. */
public final class ReplayData {
  private static final Fields<ReplayedSite> CALL =
      Fields.of(ReplayedSite.class)
          .including(ReplayData::site, WorkloadData.SITE)
          .field("tracedUs", site -> site(site).medianUs())
          .field("waitingIncluded", site -> site(site).basis() == Basis.WITH_WAITING)
          .field("overlapped", site -> site(site).isOverlapped())
          .field("concurrent", site -> site(site).isConcurrent())
          .field("replayedUs", ReplayedSite::replayedUs)
          .field("replayedP90Us", site -> site.replayed().map(call -> call.quantileUs(0.9)))
          .field(
              "launchesIncluded",
              site -> site.replayed().map(ReplayedCall::hasLaunches).orElse(false))
          .includingOptional(site -> site.traced().expected(), WorkloadData.PREDICTED)
          .field("tracedToReplayed", ReplayedSite::tracedToReplayed)
          .field("replayedToPredicted", ReplayedSite::replayedToExpected)
          .includingOptional(site -> site.traced().expected(), WorkloadData.PAIR)
          .text("notReplayed", ReplayedSite::reason)
          .text("unknown", site -> site.traced().forecast().reason());

  private static final Fields<ReplayedWorkload> AGREEMENT =
      Fields.of(ReplayedWorkload.class)
          .field("calls", ReplayedWorkload::comparableCalls)
          .field("medianError", replayed -> replayed.errorOf(0.5))
          .field("p90Error", replayed -> replayed.errorOf(0.9));

  private ReplayData() {}

  private static CallSite site(ReplayedSite replayed) {
    return replayed.traced().site();
  }

  /**
   * The replay as JSON; {@code notes} are the caveats, by the former name.
   *
   * @param version NCCL's version in the replay
   */
  public static Answer json(JobSummary job, ReplayedWorkload replayed, String version) {
    Workload workload = replayed.comparison().workload();
    return Json.document(
        "replay",
        workload.notes(),
        Fields.of(ReplayedWorkload.class)
            .field("job", replay -> job)
            .field("traces", replay -> workload.files())
            .field("tracedRanks", replay -> workload.tracedRanks())
            .field("tracedNccl", replay -> workload.ncclVersion())
            .field("replayedNccl", replay -> version)
            .field("rounds", replay -> replay.plan().rounds())
            .field("callsPerRound", replay -> replay.plan().steps().size())
            .list("calls", ReplayedWorkload::sites, CALL)
            .object("agreement", replay -> replay, AGREEMENT)
            .field("notes", replay -> workload.notes())
            .field("basis", replay -> replay.comparison().basis()),
        replayed);
  }

  /** The calls as a table. */
  public static Answer csv(ReplayedWorkload replayed) {
    return Csv.table(
        "group,collective,name,bytes,data_type,count,ranks,traced_us,waiting_included,overlapped,concurrent,replayed_us,"
            + "replayed_p90_us,launches_included,predicted_us,predicted_low_us,predicted_high_us,traced_to_replayed,"
            + "replayed_to_predicted,algorithm,protocol,not_replayed,unknown",
        CALL,
        replayed.sites().stream());
  }
}
