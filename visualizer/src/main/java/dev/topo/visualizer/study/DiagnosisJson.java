package dev.topo.visualizer.study;

import dev.topo.inspect.measured.Measurement.Pair;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.TunerRule;
import dev.topo.simulator.diagnosis.Cause;
import dev.topo.simulator.diagnosis.Cliff;
import dev.topo.simulator.diagnosis.CliffReport;
import dev.topo.simulator.diagnosis.Diagnosis;
import dev.topo.simulator.diagnosis.Evidence;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A diagnosis as JSON ({@code topo/diagnose/1}) and as a table. */
public final class DiagnosisJson {
  private record Document(
      String verdict,
      String summary,
      List<String> basis,
      List<CauseEntry> causes,
      List<CliffEntry> cliffs,
      List<CliffEntry> unconfirmedCliffs,
      List<String> tunerRules) {}

  private record CliffEntry(
      Collective collective,
      int ranks,
      long bytes,
      double timeUs,
      String reason,
      Optional<Algorithm> algorithm,
      Optional<Protocol> protocol,
      long insteadBytes,
      double insteadTimeUs,
      double lossPercent,
      double noisePercent) {}

  private record CauseEntry(
      String cause,
      String certainty,
      String title,
      String detail,
      OptionalDouble share,
      List<Evidence> evidence,
      List<String> confirm) {}

  private DiagnosisJson() {}

  /** The diagnosis as a document. */
  public static Answer of(Diagnosis diagnosis, CliffReport cliffs) {
    return Json.document(
        "diagnose",
        new Document(
            diagnosis.verdict().name().toLowerCase(Locale.ROOT).replace('_', '-'),
            diagnosis.summary(),
            diagnosis.basis().stream().map(OptionWords::of).toList(),
            diagnosis.causes().stream().map(DiagnosisJson::entry).toList(),
            cliffs.cliffs().stream().map(DiagnosisJson::entry).toList(),
            cliffs.unconfirmed().stream().map(DiagnosisJson::entry).toList(),
            cliffs.rules().stream().map(TunerRule::toString).toList()));
  }

  private static CliffEntry entry(Cliff cliff) {
    return new CliffEntry(
        cliff.collective(),
        cliff.ranks(),
        cliff.bytes(),
        cliff.timeUs(),
        cliff.reason().id(),
        cliff.pair().map(Pair::algorithm),
        cliff.pair().map(Pair::protocol),
        cliff.insteadBytes(),
        cliff.insteadTimeUs(),
        cliff.lossPercent(),
        cliff.neededPercent());
  }

  private static CauseEntry entry(Cause cause) {
    return new CauseEntry(
        cause.kind().id(),
        cause.certainty().label(),
        cause.kind().title(),
        cause.detail(),
        cause.share(),
        cause.evidence(),
        cause.confirm());
  }

  /** The causes as a table, a row each. */
  public static Answer csv(Diagnosis diagnosis) {
    List<List<Object>> rows = new ArrayList<>();
    for (Cause cause : diagnosis.causes()) {
      rows.add(
          List.of(
              rows.size() + 1,
              cause.kind().id(),
              cause.certainty().label(),
              cause.share(),
              cause.detail(),
              cause.evidence().stream()
                  .map(evidence -> evidence.place() + ": " + evidence.text())
                  .collect(Collectors.joining(" | ")),
              String.join(" | ", cause.confirm())));
    }
    return Csv.table("rank,cause,certainty,share,detail,evidence,confirm", rows.stream());
  }
}
