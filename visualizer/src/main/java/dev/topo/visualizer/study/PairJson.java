package dev.topo.visualizer.study;

import dev.topo.simulator.pair.PairCause;
import dev.topo.simulator.pair.PairReport;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;

/** The result of a matrix of pairs, as JSON ({@code topo/diagnose-pairs/1}) and as a table. */
public final class PairJson {
  private static final Fields<PairCause> CAUSE =
      Fields.of(PairCause.class)
          .field("kind", cause -> cause.kind().id())
          .field("names", PairCause::names)
          .field("slowerPercent", PairCause::slowerPercent)
          .field("runs", PairCause::runs)
          .field("slowRuns", PairCause::slowRuns)
          .field("missingPairs", PairCause::missing)
          .field("confidence", PairCause::confidence)
          .field("confirm", PairCause::confirm)
          .column("name", cause -> String.join(" ", cause.names()));

  /** The remarks are the caveats of the document, by the former name. */
  private static final Fields<PairReport> REPORT =
      Fields.of(PairReport.class)
          .field("hosts", PairReport::hosts)
          .field("runs", PairReport::runs)
          .field("missingPairs", PairReport::missing)
          .field("noisePercent", PairReport::noisePercent)
          .field("healthy", PairReport::levels)
          .list("causes", PairReport::causes, CAUSE)
          .field("unexplained", PairReport::unexplained)
          .field("remarks", PairReport::remarks);

  private PairJson() {}

  /** The report as a document. */
  public static Answer of(PairReport report) {
    return Json.document("diagnose-pairs", report.remarks(), REPORT, report);
  }

  /** The parts at fault as a table, a row each. */
  public static Answer csv(PairReport report) {
    return Csv.table(
        "kind,name,slower_percent,runs,slow_runs,confidence,missing_pairs",
        CAUSE,
        report.causes().stream());
  }
}
