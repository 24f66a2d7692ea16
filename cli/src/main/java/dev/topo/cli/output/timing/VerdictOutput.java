package dev.topo.cli.output.timing;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Csv;
import dev.topo.cli.output.JobSummary;
import dev.topo.cli.output.Json;
import dev.topo.cli.output.TextTable;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.accuracy.MeasurementVerdict;
import dev.topo.simulator.forecast.Forecast;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measured beside predicted times, with a verdict for each size. */
public final class VerdictOutput {
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

  private VerdictOutput() {}

  /** The verdicts for people. */
  public static Answer text(String file, Forecast forecast) {
    StringBuilder out = new StringBuilder(PredictionText.heading(forecast));
    long passed = forecast.verdicts().stream().filter(MeasurementVerdict::passes).count();
    out.append(file).append(": ").append(passed).append(" of ");
    out.append(forecast.verdicts().size()).append(" PASS\n");
    Map<Collective, List<List<String>>> tables = new LinkedHashMap<>();
    for (MeasurementVerdict verdict : forecast.verdicts()) {
      tables
          .computeIfAbsent(verdict.measurement().collective(), key -> heading())
          .add(row(verdict));
    }
    tables.forEach(
        (collective, rows) -> {
          out.append('\n').append(collective.label()).append('\n');
          TextTable.append(out, rows);
        });
    if (forecast.verdicts().stream().anyMatch(VerdictOutput::isByInPlace)) {
      out.append(
          "\nPASS if out of place or in place is within the tolerance: one outlier does not count\n");
    }
    long launches =
        forecast.verdicts().stream().filter(MeasurementVerdict::hasSlowLaunches).count();
    if (launches > 0) {
      out.append("\n")
          .append(launches)
          .append(" took longer to launch than on the calibrated host, which depends on the CPU\n");
    }
    return Answer.of(out.toString());
  }

  /** Whether the time out of place alone would not have passed. */
  private static boolean isByInPlace(MeasurementVerdict verdict) {
    return verdict.passes() && verdict.excess() > verdict.tolerance();
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
            "slowdown",
            "in place",
            "tolerance",
            "limited by",
            "verdict"));
    return rows;
  }

  private static List<String> row(MeasurementVerdict verdict) {
    return List.of(
        "  " + QuantityFormat.size(verdict.measurement().sizeBytes()),
        PredictionText.pair(verdict.prediction())
            + (verdict.prediction().isCalibrated() ? "" : "*"),
        PredictionText.time(verdict.measurement().timeUs()),
        PredictionText.bandwidth(verdict.measurement().busbwGBps()),
        PredictionText.time(verdict.prediction().timeUs()),
        PredictionText.bandwidth(verdict.prediction().busbwGBps()) + " GB/s",
        percent(verdict.excess()),
        percent(verdict.excessInPlace()),
        String.format(Locale.ROOT, "%.0f %%", 100 * verdict.tolerance()),
        verdict.prediction().estimate().bottleneck().word(),
        verdict.verdict());
  }

  private static String percent(double part) {
    return QuantityFormat.change(part, 0);
  }

  /** The verdicts as JSON. */
  public static Answer json(String file, Forecast forecast) {
    return Json.document(
        "predict-against",
        new PredictAgainst(
            PredictionData.job(forecast),
            PredictionData.Basis.of(forecast),
            file,
            forecast.verdicts().stream().map(VerdictOutput::entry).toList()));
  }

  private static Entry entry(MeasurementVerdict verdict) {
    return new Entry(
        verdict.measurement().collective(),
        verdict.measurement().sizeBytes(),
        verdict.prediction().algorithm(),
        verdict.prediction().protocol(),
        verdict.measurement().timeUs(),
        verdict.measurement().inPlaceTimeUs(),
        verdict.prediction().timeUs(),
        verdict.inPlace().timeUs(),
        verdict.tolerance(),
        verdict.prediction().isCalibrated(),
        verdict.prediction().source(),
        verdict.isWrong(),
        verdict.passes());
  }

  /** The verdicts as a table with a line of names first. */
  public static Answer csv(Forecast forecast) {
    return Csv.table(
        "collective,algorithm,protocol,bytes,measured_us,measured_in_place_us,predicted_us,"
            + "predicted_in_place_us,tolerance,verdict",
        forecast.verdicts().stream()
            .map(VerdictOutput::entry)
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
