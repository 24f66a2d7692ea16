package dev.topo.cli.output.timing;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Csv;
import dev.topo.cli.output.JobSummary;
import dev.topo.cli.output.Json;
import dev.topo.cli.output.TextTable;
import dev.topo.cli.predict.Forecast;
import dev.topo.model.QuantityWords;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.accuracy.Judgement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measured beside predicted times, with a verdict for each size. */
public final class JudgementOutput {
  private record PredictAgainst(
      JobSummary job,
      @JsonUnwrapped PredictionData.Basis basis,
      String file,
      List<Entry> verdicts) {}

  private record Entry(
      Collective collective,
      long bytes,
      Algorithm algorithm,
      Protocol protocol,
      double measuredUs,
      double measuredInPlaceUs,
      double predictedUs,
      double predictedInPlaceUs,
      double tolerance,
      boolean calibrated,
      Prediction.Source source,
      boolean wrong,
      boolean passes) {}

  private JudgementOutput() {}

  /** The verdicts for people. */
  public static Answer text(String file, Forecast forecast) {
    StringBuilder out = new StringBuilder(PredictionText.heading(forecast));
    long passed = forecast.judgements().stream().filter(Judgement::passes).count();
    out.append(file).append(": ").append(passed).append(" of ");
    out.append(forecast.judgements().size()).append(" PASS\n");
    Map<Collective, List<List<String>>> tables = new LinkedHashMap<>();
    for (Judgement judgement : forecast.judgements()) {
      tables
          .computeIfAbsent(judgement.measurement().collective(), key -> heading())
          .add(row(judgement));
    }
    tables.forEach(
        (collective, rows) -> {
          out.append('\n').append(collective.label()).append('\n');
          TextTable.append(out, rows);
        });
    if (forecast.judgements().stream().anyMatch(JudgementOutput::isByInPlace)) {
      out.append("\nPASS where one of both is within what may be: one hiccup does not count\n");
    }
    long launches = forecast.judgements().stream().filter(Judgement::hasSlowLaunches).count();
    if (launches > 0) {
      out.append("\n")
          .append(launches)
          .append(
              " took longer to launch than where it was calibrated, a matter of this host's CPU\n");
    }
    return Answer.of(out.toString());
  }

  /** Whether the time out of place alone would not have passed. */
  private static boolean isByInPlace(Judgement judgement) {
    return judgement.passes() && judgement.excess() > judgement.tolerance();
  }

  private static List<List<String>> heading() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "  size",
            "by",
            "measured",
            "busbw",
            "predicted",
            "busbw",
            "longer by",
            "in place",
            "may be",
            "limited by",
            "verdict"));
    return rows;
  }

  private static List<String> row(Judgement judgement) {
    return List.of(
        "  " + QuantityWords.size(judgement.measurement().sizeBytes()),
        PredictionText.pair(judgement.prediction())
            + (judgement.prediction().isCalibrated() ? "" : "*"),
        PredictionText.time(judgement.measurement().timeUs()),
        PredictionText.bandwidth(judgement.measurement().busbwGBps()),
        PredictionText.time(judgement.prediction().timeUs()),
        PredictionText.bandwidth(judgement.prediction().busbwGBps()) + " GB/s",
        percent(judgement.excess()),
        percent(judgement.excessInPlace()),
        String.format(Locale.ROOT, "%.0f %%", 100 * judgement.tolerance()),
        judgement.prediction().estimate().bottleneck().word(),
        judgement.verdict());
  }

  private static String percent(double part) {
    return QuantityWords.change(part, 0);
  }

  /** The verdicts as JSON. */
  public static Answer json(String file, Forecast forecast) {
    return Json.document(
        "predict-against",
        new PredictAgainst(
            PredictionData.job(forecast),
            PredictionData.Basis.of(forecast),
            file,
            forecast.judgements().stream().map(JudgementOutput::entry).toList()));
  }

  private static Entry entry(Judgement judgement) {
    return new Entry(
        judgement.measurement().collective(),
        judgement.measurement().sizeBytes(),
        judgement.prediction().algorithm(),
        judgement.prediction().protocol(),
        judgement.measurement().timeUs(),
        judgement.measurement().inPlaceTimeUs(),
        judgement.prediction().timeUs(),
        judgement.inPlace().timeUs(),
        judgement.tolerance(),
        judgement.prediction().isCalibrated(),
        judgement.prediction().source(),
        judgement.isWrong(),
        judgement.passes());
  }

  /** The verdicts as a table with a line of names first. */
  public static Answer csv(Forecast forecast) {
    return Csv.table(
        "collective,algorithm,protocol,bytes,measured_us,measured_in_place_us,predicted_us,"
            + "predicted_in_place_us,tolerance,verdict",
        forecast.judgements().stream()
            .map(JudgementOutput::entry)
            .map(
                entry ->
                    List.of(
                        entry.collective,
                        entry.algorithm,
                        entry.protocol,
                        entry.bytes,
                        entry.measuredUs,
                        entry.measuredInPlaceUs,
                        entry.predictedUs,
                        entry.predictedInPlaceUs,
                        entry.tolerance,
                        entry.passes ? "PASS" : "FAIL")));
  }
}
