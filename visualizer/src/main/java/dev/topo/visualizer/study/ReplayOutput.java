package dev.topo.visualizer.study;

import dev.topo.hw.run.ReplayedCall;
import dev.topo.hw.verify.ReplayedSite;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.CallSite.Basis;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.SiteTitles;
import dev.topo.simulator.workload.Workload;
import dev.topo.visualizer.report.WorkloadWords;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A replayed job with the traced, replayed and expected time of each kind of call: as text, as JSON
 * ({@code calls[]} by call site and {@code agreement}) and as CSV.
 */
public final class ReplayOutput {
  private static final Fields<ReplayedWorkload> AGREEMENT =
      Fields.of(ReplayedWorkload.class)
          .field("calls", ReplayedWorkload::comparableCalls)
          .field("medianError", replayed -> replayed.errorOf(0.5))
          .field("p90Error", replayed -> replayed.errorOf(0.9));

  private ReplayOutput() {}

  private static Columns<ReplayedSite> columns(ReplayedWorkload replayed) {
    SiteTitles titles = SiteTitles.of(replayed.comparison().workload().sites());
    return WorkloadFields.sites(ReplayedSite.class, titles, ReplayOutput::site)
        .column("traced", "tracedUs", call -> site(call).medianUs(), QuantityFormat::time)
        .field("waitingIncluded", call -> site(call).basis() == Basis.WITH_WAITING)
        .field("overlapped", call -> site(call).isOverlapped())
        .field("concurrent", call -> site(call).isConcurrent())
        .column("replayed", "replayedUs", ReplayedSite::replayedUs, QuantityFormat::time)
        .field("replayedP90Us", call -> call.replayed().map(one -> one.quantileUs(0.9)))
        .field(
            "launchesIncluded",
            call -> call.replayed().map(ReplayedCall::hasLaunches).orElse(false))
        .column(
            "expected",
            call -> expected(call).map(time -> QuantityFormat.time(time.timeUs())).orElse("-"))
        .fields(
            fields -> fields.includingOptional(ReplayOutput::expected, WorkloadFields.PREDICTED))
        .column("range", call -> call.traced().expected().flatMap(WorkloadWords::range).orElse("-"))
        .column(
            "traced/replayed",
            "tracedToReplayed",
            ReplayedSite::tracedToReplayed,
            WorkloadWords::ratio)
        .column(
            "replayed/expected",
            "replayedToPredicted",
            ReplayedSite::replayedToExpected,
            WorkloadWords::ratio)
        .column("by", call -> expected(call).map(Expected::launchName).orElse("-"))
        .fields(fields -> fields.includingOptional(ReplayOutput::expected, WorkloadFields.PAIR))
        .column("", call -> String.join(", ", call.remarks()))
        .text("notReplayed", ReplayedSite::reason)
        .text("unknown", call -> call.traced().forecast().reason())
        .header(
            "group,collective,name,bytes,data_type,count,ranks,traced_us,waiting_included,overlapped,concurrent,replayed_us,"
                + "replayed_p90_us,launches_included,predicted_us,predicted_low_us,predicted_high_us,traced_to_replayed,"
                + "replayed_to_predicted,algorithm,protocol,not_replayed,unknown");
  }

  private static Optional<Expected> expected(ReplayedSite call) {
    return call.traced().expected();
  }

  private static CallSite site(ReplayedSite replayed) {
    return replayed.traced().site();
  }

  /**
   * Returns the replay as JSON.
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
                .list("calls", ReplayedWorkload::sites, columns(replayed).fields())
                .object("agreement", replay -> replay, AGREEMENT)
                .field("basis", replay -> replay.comparison().basis()),
            replayed)
        .saying(sentence(replayed));
  }

  /** Returns the calls as CSV. */
  public static Answer csv(ReplayedWorkload replayed) {
    return columns(replayed)
        .csv(replayed.comparison().workload().notes(), replayed.sites().stream());
  }

  /**
   * Returns the replay as text.
   *
   * @param version NCCL's version in the replay
   */
  public static Answer of(JobSummary job, ReplayedWorkload replayed, String version) {
    TextWriter out = new TextWriter();
    Workload workload = replayed.comparison().workload();
    String place = "on " + QuantityFormat.count(job.nodes(), "node");
    out.line("%s: %s", job.machines(), WorkloadWords.origin(workload, place));
    out.line(
        "replayed by NCCL %s: %s of %s",
        version,
        QuantityFormat.count(replayed.plan().rounds(), "round"),
        QuantityFormat.count(replayed.plan().steps().size(), "call"));
    out.lines("  ! ", workload.notes());
    out.lines("  ! ", replayed.comparison().basis());
    out.line("\ncalls, the largest total first").table(columns(replayed).shown(replayed.sites()));
    return Answer.of(out).saying(sentence(replayed));
  }

  private static String sentence(ReplayedWorkload replayed) {
    OptionalDouble median = replayed.errorOf(0.5);
    return median.isEmpty()
        ? "No call ran alone with all its ranks traced: traced and replayed times cannot be compared."
        : "Traced and replayed times of %s that ran alone, with all ranks traced, differ by %s in the median, by up to %s in 90 of 100."
            .formatted(
                QuantityFormat.count(replayed.comparableCalls(), "call"),
                WorkloadWords.percent(median),
                WorkloadWords.percent(replayed.errorOf(0.9)));
  }
}
