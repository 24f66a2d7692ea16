package dev.topo.visualizer.study;

import dev.topo.simulator.pair.PairCause;
import dev.topo.simulator.pair.PairReport;
import dev.topo.simulator.pair.PairReport.Level;
import dev.topo.simulator.pair.PairReport.SlowRun;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;

/** What a matrix of pairs says, as JSON ({@code topo/diagnose-pairs/1}) and as a table. */
public final class PairJson {
  /**
   * The document.
   *
   * @param remarks its caveats, by the former name
   */
  private record Document(
      int hosts,
      int runs,
      int missingPairs,
      double noisePercent,
      List<Level> healthy,
      List<CauseEntry> causes,
      List<SlowRun> unexplained,
      List<String> remarks) {}

  private record CauseEntry(
      String kind,
      List<String> names,
      double slowerPercent,
      int runs,
      int slowRuns,
      int missingPairs,
      double confidence,
      String confirm) {}

  private PairJson() {}

  /** The report as a document. */
  public static Answer of(PairReport report) {
    return Json.document(
        "diagnose-pairs",
        report.remarks(),
        new Document(
            report.hosts(),
            report.runs(),
            report.missing(),
            report.noisePercent(),
            report.levels(),
            report.causes().stream().map(PairJson::entry).toList(),
            report.unexplained(),
            report.remarks()));
  }

  private static CauseEntry entry(PairCause cause) {
    return new CauseEntry(
        cause.kind().id(),
        cause.names(),
        cause.slowerPercent(),
        cause.runs(),
        cause.slowRuns(),
        cause.missing(),
        cause.confidence(),
        cause.confirm());
  }

  /** The parts at fault as a table, a row each. */
  public static Answer csv(PairReport report) {
    List<List<Object>> rows = new ArrayList<>();
    for (PairCause cause : report.causes()) {
      rows.add(
          List.of(
              cause.kind().id(),
              String.join(" ", cause.names()),
              cause.slowerPercent(),
              cause.runs(),
              cause.slowRuns(),
              cause.confidence(),
              cause.missing()));
    }
    return Csv.table(
        "kind,name,slower_percent,runs,slow_runs,confidence,missing_pairs", rows.stream());
  }
}
