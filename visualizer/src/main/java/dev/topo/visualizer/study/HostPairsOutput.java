package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.pair.PairCause;
import dev.topo.simulator.pair.PairPlan;
import dev.topo.simulator.pair.PairReport;
import dev.topo.simulator.pair.PairReport.Level;
import dev.topo.simulator.pair.PairReport.SlowRun;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.List;

/** The diagnosis of a matrix of host pairs as text, JSON and CSV. */
public final class HostPairsOutput {
  private static final int MAX_RUNS = 10;
  private static final String INDENT = " ".repeat(13);

  private static final Fields<PairCause> CAUSE =
      Fields.of(PairCause.class)
          .field("kind", cause -> cause.kind().id())
          .components("names", "slowerPercent", "runs", "slowRuns")
          .field("missingPairs", PairCause::missing)
          .components("confidence", "confirm")
          .column("name", cause -> String.join(" ", cause.names()));

  private static final Fields<PairReport> REPORT =
      Fields.of(PairReport.class)
          .components("hosts", "runs")
          .field("missingPairs", PairReport::missing)
          .components("noisePercent")
          .field("healthy", PairReport::levels)
          .list("causes", PairReport::causes, CAUSE)
          .components("unexplained");

  private HostPairsOutput() {}

  /**
   * The runs of a plan as command lines, a round of runs that can be made at once after another.
   */
  public static Answer of(PairPlan plan) {
    TextWriter out = new TextWriter();
    int round = 0;
    for (List<List<String>> pairs : plan.rounds()) {
      out.line("# round %d", ++round);
      for (List<String> pair : pairs) {
        String a = pair.get(0);
        String b = pair.get(1);
        out.line(
            "mpirun -np 16 -H %s:8,%s:8 all_reduce_perf -b 1G -e 1G > pairs/%s-%s.txt &",
            a, b, a, b);
      }
      out.line("wait");
    }
    out.line("# with Slurm: srun -N 2 -w A,B --ntasks-per-node 8 all_reduce_perf -b 1G -e 1G");
    return Answer.of(out.toString())
        .saying(
            "%s in %s find slow hosts: run them, then topo diagnose pairs."
                .formatted(
                    QuantityFormat.count(plan.rounds().stream().mapToInt(List::size).sum(), "run"),
                    QuantityFormat.count(round, "round")));
  }

  /** The report as a JSON document. */
  public static Answer json(PairReport report) {
    return Json.document("diagnose-pairs", report.remarks(), REPORT, report);
  }

  /** The components at fault as CSV, one row each. */
  public static Answer csv(PairReport report) {
    return Csv.table(
        "kind,name,slower_percent,runs,slow_runs,confidence,missing_pairs",
        report.remarks(),
        CAUSE,
        report.causes().stream());
  }

  /**
   * Returns the healthy rates, then the components at fault, then slow runs that no component
   * explains.
   *
   * @param isVerbose whether to show all slow runs
   */
  public static Answer of(PairReport report, boolean isVerbose) {
    TextWriter out = new TextWriter();
    int limit = isVerbose ? report.unexplained().size() : MAX_RUNS;
    out.line(
        "%s of %s, %s missing, noise %.1f %%",
        QuantityFormat.count(report.runs(), "run"),
        QuantityFormat.count(report.hosts(), "host"),
        QuantityFormat.count(report.missing(), "pair"),
        report.noisePercent());
    for (Level level : report.levels()) {
      out.line(
          "  healthy: %s GB/s (%s, %s)",
          QuantityFormat.bandwidth(level.gbps()),
          level.name(),
          QuantityFormat.count(level.runs(), "run"));
    }
    int rank = 0;
    for (PairCause cause : report.causes()) {
      rank++;
      out.line("\n%d. %s: %s (%.0f %% sure)", rank, cause.what(), effect(cause), sure(cause));
      if (cause.runs() > 0) {
        out.line("   evidence  %d of its %d runs are slow", cause.slowRuns(), cause.runs());
      }
      if (cause.missing() > 0) {
        out.line(
            "   evidence  %d of its %d pairs have no result: failed, or not in the files",
            cause.missing(), cause.missing() + cause.runs());
      }
      out.paragraph("   confirm   " + cause.confirm(), INDENT);
    }
    if (!report.unexplained().isEmpty()) {
      out.line(
          "\nslow pairs that no host or switch explains (route, cable or chance: repeat them):");
    }
    for (SlowRun run : report.unexplained().stream().limit(limit).toList()) {
      out.line(
          "  %s and %s%s: %s GB/s, expected %s",
          run.first(),
          run.second(),
          run.nic().isEmpty() ? "" : " (" + run.nic() + ")",
          QuantityFormat.bandwidth(run.gbps()),
          QuantityFormat.bandwidth(run.expectedGbps()));
    }
    if (report.unexplained().size() > limit) {
      out.line("  … and %d more (%s)", report.unexplained().size() - limit, Hint.LISTS_ALL);
    }
    BasisFooter.write(out, report.remarks(), isVerbose);
    return Answer.of(out);
  }

  private static String effect(PairCause cause) {
    return cause.slowRuns() == 0
        ? QuantityFormat.count(cause.missing(), "pair") + " without a result"
        : TextWriter.format("%.0f %% slower", cause.slowerPercent());
  }

  /** The confidence in percent, at most 99: a model is never surer than that. */
  static double sure(PairCause cause) {
    return Math.min(99, 100 * cause.confidence());
  }
}
