package dev.topo.visualizer.times;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.PeerVerdict;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

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
      Operation collective,
      long bytes,
      Optional<Algorithm> algorithm,
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
  public static Answer text(
      String file, Forecast forecast, List<MeasurementVerdict> verdicts, List<PeerVerdict> peers) {
    TextWriter out = PredictionText.heading(forecast);
    if (!verdicts.isEmpty()) {
      out.line("%s: %s", file, MeasurementVerdict.summary(verdicts));
    }
    if (!peers.isEmpty()) {
      long passed = peers.stream().filter(PeerVerdict::passes).count();
      out.line("%s: %d of %d sends and receives PASS", file, passed, peers.size());
    }
    Map<Collective, TextTable> tables = new LinkedHashMap<>();
    for (MeasurementVerdict verdict : verdicts) {
      row(
          tables.computeIfAbsent(
              verdict.measurement().collective(), key -> TextTable.indented().header(COLUMNS)),
          forecast,
          verdict);
    }
    tables.forEach((collective, rows) -> out.line("\n%s", collective.label()).table(rows));
    Map<PeerOperation, TextTable> ofPeers = new LinkedHashMap<>();
    for (PeerVerdict verdict : peers) {
      row(
          ofPeers.computeIfAbsent(
              verdict.measurement().operation(), key -> TextTable.indented().header(COLUMNS)),
          forecast,
          verdict);
    }
    ofPeers.forEach((operation, rows) -> out.line("\n%s", operation.label()).table(rows));
    long launches = verdicts.stream().filter(MeasurementVerdict::hasSlowLaunches).count();
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
        tolerance(verdict.tolerance()),
        PredictionText.limit(forecast, verdict.prediction()),
        verdict.verdict());
  }

  private static String tolerance(OptionalDouble part) {
    return part.isPresent() ? TextWriter.format("%.0f %%", 100 * part.getAsDouble()) : "not known";
  }

  private static void row(TextTable table, Forecast forecast, PeerVerdict verdict) {
    table.row(
        QuantityFormat.size(verdict.measurement().sizeBytes()),
        verdict.prediction().protocol().label(),
        QuantityFormat.time(verdict.measurement().timeUs()),
        QuantityFormat.bandwidth(verdict.measurement().busbwGBps()),
        QuantityFormat.time(verdict.prediction().timeUs()),
        QuantityFormat.bandwidth(verdict.prediction().busbwGBps()) + " GB/s",
        QuantityFormat.change(verdict.excess(), 0),
        QuantityFormat.change(verdict.excessInPlace(), 0),
        tolerance(verdict.tolerance()),
        PredictionText.limit(forecast, verdict.prediction()),
        verdict.verdict());
  }

  private static Entry entry(PeerVerdict verdict) {
    return new Entry(
        verdict.measurement().operation(),
        verdict.measurement().sizeBytes(),
        Optional.empty(),
        verdict.prediction().protocol(),
        verdict.measurement().timeUs(),
        verdict.measurement().inPlaceTimeUs(),
        verdict.prediction().timeUs(),
        verdict.inPlace().timeUs(),
        verdict.tolerance(),
        verdict.prediction().source() == Prediction.Source.CALIBRATION,
        verdict.prediction().source(),
        false,
        verdict.passes(),
        verdict.outcome(),
        Optional.of(verdict.reason()).filter(reason -> !reason.isEmpty()));
  }

  private static Stream<Entry> entries(List<MeasurementVerdict> verdicts, List<PeerVerdict> peers) {
    return Stream.concat(
        verdicts.stream().map(VerdictOutput::entry), peers.stream().map(VerdictOutput::entry));
  }

  /** The verdicts as JSON. */
  public static Answer json(
      String file,
      List<Caveat> caveats,
      Forecast forecast,
      List<MeasurementVerdict> verdicts,
      List<PeerVerdict> peers) {
    return Json.document(
        "predict-against",
        new PredictAgainst(
            PredictionData.job(forecast),
            PredictionData.Basis.of(forecast).with(caveats.stream().map(OptionWords::of).toList()),
            file,
            entries(verdicts, peers).toList()));
  }

  private static Entry entry(MeasurementVerdict verdict) {
    return new Entry(
        verdict.measurement().collective(),
        verdict.measurement().sizeBytes(),
        Optional.of(verdict.prediction().algorithm()),
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
  public static Answer csv(List<MeasurementVerdict> verdicts, List<PeerVerdict> peers) {
    return Csv.table(
        "collective,algorithm,protocol,bytes,measured_us,measured_in_place_us,predicted_us,"
            + "predicted_in_place_us,tolerance,verdict,reason",
        entries(verdicts, peers)
            .map(
                entry ->
                    List.of(
                        entry.collective,
                        entry.algorithm.map(Algorithm::label).orElse(""),
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
