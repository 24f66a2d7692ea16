package dev.topo.visualizer.study;

import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.search.tuning.TunerRule;
import dev.topo.simulator.diagnosis.Cause;
import dev.topo.simulator.diagnosis.Cliff;
import dev.topo.simulator.diagnosis.CliffReport;
import dev.topo.simulator.diagnosis.Diagnosis;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A diagnosis as JSON ({@code topo/diagnose/1}) and as a table. */
public final class DiagnosisJson {
  private static final Fields<Cliff> CLIFF =
      Fields.of(Cliff.class)
          .field("collective", Cliff::collective)
          .field("ranks", Cliff::ranks)
          .field("bytes", Cliff::bytes)
          .field("timeUs", Cliff::timeUs)
          .field("reason", cliff -> cliff.reason().id())
          .field("algorithm", cliff -> cliff.pair().map(Pair::algorithm))
          .field("protocol", cliff -> cliff.pair().map(Pair::protocol))
          .field("insteadBytes", Cliff::insteadBytes)
          .field("insteadTimeUs", Cliff::insteadTimeUs)
          .field("lossPercent", Cliff::lossPercent)
          .field("noisePercent", Cliff::neededPercent);

  private static final Fields<Cause> CAUSE =
      Fields.of(Cause.class)
          .field("cause", cause -> cause.kind().id())
          .field("certainty", cause -> cause.certainty().label())
          .field("title", cause -> cause.kind().title())
          .field("detail", Cause::detail)
          .field("share", Cause::share)
          .field("evidence", Cause::evidence)
          .field("confirm", Cause::confirm)
          .column(
              "evidence",
              cause ->
                  cause.evidence().stream()
                      .map(evidence -> evidence.place() + ": " + evidence.text())
                      .collect(Collectors.joining(" | ")))
          .column("confirm", cause -> String.join(" | ", cause.confirm()));

  private DiagnosisJson() {}

  /** The diagnosis as a document. */
  public static Answer of(Diagnosis diagnosis, CliffReport cliffs) {
    return Json.document(
        "diagnose",
        Fields.of(Diagnosis.class)
            .field(
                "verdict", all -> all.verdict().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .field("summary", Diagnosis::summary)
            .field("basis", all -> all.basis().stream().map(OptionWords::of).toList())
            .list("causes", Diagnosis::causes, CAUSE)
            .list("cliffs", all -> cliffs.cliffs(), CLIFF)
            .list("unconfirmedCliffs", all -> cliffs.unconfirmed(), CLIFF)
            .field("tunerRules", all -> cliffs.rules().stream().map(TunerRule::toString).toList()),
        diagnosis);
  }

  /** The causes as a table, a row each, the likeliest first. */
  public static Answer csv(Diagnosis diagnosis) {
    List<Cause> causes = diagnosis.causes();
    return Csv.table(
        "rank,cause,certainty,share,detail,evidence,confirm",
        CAUSE.column("rank", cause -> causes.indexOf(cause) + 1),
        causes.stream());
  }
}
