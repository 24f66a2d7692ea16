package dev.topo.visualizer.study;

import dev.topo.hw.verify.ReplayedSite;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.inspect.trace.CallKind;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.Expected;
import dev.topo.simulator.workload.SiteTitles;
import dev.topo.simulator.workload.Workload;
import dev.topo.visualizer.report.WorkloadWords;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import java.util.OptionalDouble;

/** A replayed job as people read it: each kind of calls as traced, replayed and expected. */
public final class ReplayText {
  private ReplayText() {}

  /**
   * The replay.
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
    out.line("\ncalls, the largest total first").table(table(replayed));
    OptionalDouble median = replayed.errorOf(0.5);
    if (median.isPresent()) {
      out.line(
          "\n%d calls ran alone and all their ranks were traced: traced and replayed times differ by %s in the median, by"
              + " up to %s in 90 of 100",
          replayed.comparableCalls(),
          WorkloadText.percent(median),
          WorkloadText.percent(replayed.errorOf(0.9)));
    }
    return Answer.of(out.toString());
  }

  private static TextTable table(ReplayedWorkload replayed) {
    TextTable table = TextTable.indented();
    table.header(
        "call,size,type,group,count,traced,replayed,expected,range,traced/replayed,replayed/expected,by,");
    SiteTitles titles = SiteTitles.of(replayed.comparison().workload().sites());
    for (ReplayedSite call : replayed.sites()) {
      CallSite site = call.traced().site();
      CallKind kind = site.kind();
      table.row(
          titles.of(site),
          QuantityFormat.size(kind.bytes()),
          kind.dataType().label(),
          kind.group().title() + " (" + kind.group().size() + ")",
          site.count(),
          QuantityFormat.time(site.medianUs()),
          QuantityFormat.time(call.replayedUs()),
          call.traced()
              .expected()
              .map(expected -> QuantityFormat.time(expected.timeUs()))
              .orElse("-"),
          WorkloadText.range(call.traced()),
          WorkloadText.ratio(call.tracedToReplayed()),
          WorkloadText.ratio(call.replayedToExpected()),
          call.traced().expected().map(Expected::launchName).orElse("-"),
          String.join(", ", call.remarks()));
    }
    return table;
  }
}
