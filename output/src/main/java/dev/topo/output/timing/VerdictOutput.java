package dev.topo.output.timing;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.text.TextTable;
import dev.topo.model.text.TextWriter;
import dev.topo.output.Answer;
import dev.topo.output.Csv;
import dev.topo.output.JobSummary;
import dev.topo.output.Json;
import dev.topo.simulator.Prediction;
import dev.topo.simulator.accuracy.MeasurementVerdict;
import dev.topo.simulator.forecast.Forecast;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Measured beside predicted times, with a verdict for each size. */
public final class VerdictOutput {
  private record PredictAgainst(
      JobSummary job, @JsonUnwrapped PredictionData.Basis basis, String file, List<Entry> verdicts)
      implements Json.Caveated {
    @Override
    public PredictAgainst with(List<String> caveats) {
      return new PredictAgainst(job, basis.with(caveats), file, verdicts);
    }
  }

  private record Entry(
      Collective collective,
      long bytes,
      Algorithm algorithm,
      Protocol protocol,
      double measuredUs,
      double measuredInPlaceUs,
      double predictedUs,
      double predictedInPlaceUs,
      OptionalDouble tolerance,
      boolean calibrated,
      Prediction.Source source,
      boolean wrong,
      boolean passes,
      MeasurementVerdict.Outcome verdict,
      Optional<String> reason) {}

  private static final String COLUMNS =
      "size,by,measured,busbw,predicted,busbw,slowdown,in place,tolerance,limited by,verdict";

  private VerdictOutput() {}

  /** The verdicts for people. */
  public static Answer text(String file, Forecast forecast) {
    TextWriter out = PredictionText.heading(forecast);
    out.line("%s: %s", file, MeasurementVerdict.summary(forecast.verdicts()));
    Map<Collective, TextTable> tables = new LinkedHashMap<>();
    for (MeasurementVerdict verdict : forecast.verdicts()) {
      row(
          tables.computeIfAbsent(
              verdict.measurement().collective(), key -> TextTable.indented().header(COLUMNS)),
          forecast,
          verdict);
    }
    tables.forEach((collective, rows) -> out.line("\n%s", collective.label()).table(rows));
    long launches =
        forecast.verdicts().stream().filter(MeasurementVerdict::hasSlowLaunches).count();
    if (launches > 0) {
      out.line(
          "\n%d took longer to launch than on the calibrated host, which depends on the CPU",
          launches);
    }
    return Answer.of(out.toString());
  }

  private static void row(TextTable table, Forecast forecast, MeasurementVerdict verdict) {
    table.row(
        QuantityFormat.size(verdict.measurement().sizeBytes()),
        PredictionText.pair(verdict.prediction())
            + (verdict.prediction().isCalibrated() ? "" : "*"),
        QuantityFormat.time(verdict.measurement().timeUs()),
        QuantityFormat.bandwidth(verdict.measurement().busbwGBps()),
        QuantityFormat.time(verdict.prediction().timeUs()),
        QuantityFormat.bandwidth(verdict.prediction().busbwGBps()) + " GB/s",
        QuantityFormat.change(verdict.excess(), 0),
        QuantityFormat.change(verdict.excessInPlace(), 0),
        verdict.tolerance().isPresent()
            ? TextWriter.format("%.0f %%", 100 * verdict.tolerance().getAsDouble())
            : "not known",
        PredictionText.limit(forecast, verdict.prediction()),
        verdict.verdict());
  }

  /** The verdicts as JSON. */
  public static Answer json(String file, List<Caveat> caveats, Forecast forecast) {
    return Json.document(
        "predict-against",
        new PredictAgainst(
            PredictionData.job(forecast),
            PredictionData.Basis.of(forecast).with(caveats.stream().map(Caveat::toString).toList()),
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
        verdict.passes(),
        verdict.outcome(),
        Optional.of(verdict.reason()).filter(reason -> !reason.isEmpty()));
  }

  /** The verdicts as a table with a line of names first. */
  public static Answer csv(Forecast forecast) {
    return Csv.table(
        "collective,algorithm,protocol,bytes,measured_us,measured_in_place_us,predicted_us,"
            + "predicted_in_place_us,tolerance,verdict,reason",
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
                        entry.verdict,
                        entry.reason.orElse(""))));
  }
}
