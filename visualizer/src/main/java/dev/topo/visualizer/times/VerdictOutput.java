package dev.topo.visualizer.times;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.Prediction;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.PeerVerdict;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/** Measured beside predicted times, with a verdict for each size. */
public final class VerdictOutput {
  private static final String COLUMNS =
      "size,by,measured,busbw,predicted,busbw,slowdown,in place,tolerance,limited by,verdict";

  private VerdictOutput() {}

  /** A verdict on a measured collective, or on measured sends and receives. */
  private record Row(
      double measuredUs,
      double measuredInPlaceUs,
      double measuredBusbwGBps,
      Prediction prediction,
      Prediction inPlace,
      OptionalDouble tolerance,
      boolean isWrong,
      MeasurementVerdict.Outcome outcome,
      String reason) {
    static final Fields<Row> DATA =
        Fields.of(Row.class)
            .field("collective", row -> row.prediction.call().operation())
            .field("bytes", row -> row.prediction.call().sizeBytes())
            .field("algorithm", row -> row.prediction.tunedAlgorithm())
            .field("protocol", row -> row.prediction.protocol())
            .field("measuredUs", Row::measuredUs)
            .field("measuredInPlaceUs", Row::measuredInPlaceUs)
            .field("predictedUs", row -> row.prediction.timeUs())
            .field("predictedInPlaceUs", row -> row.inPlace.timeUs())
            .field("tolerance", Row::tolerance)
            .field("calibrated", row -> row.prediction.isCalibrated())
            .field("source", row -> row.prediction.source())
            .field("wrong", Row::isWrong)
            .field("passes", row -> row.outcome == MeasurementVerdict.Outcome.PASS)
            .field("verdict", Row::outcome)
            .text("reason", Row::reason);

    static List<Row> all(List<MeasurementVerdict> verdicts, List<PeerVerdict> peers) {
      return Stream.concat(verdicts.stream().map(Row::of), peers.stream().map(Row::of)).toList();
    }

    private static Row of(MeasurementVerdict verdict) {
      return new Row(
          verdict.measurement().timeUs(),
          verdict.measurement().inPlaceTimeUs(),
          verdict.measurement().busbwGBps(),
          verdict.prediction(),
          verdict.inPlace(),
          verdict.tolerance(),
          verdict.isWrong(),
          verdict.outcome(),
          verdict.reason());
    }

    private static Row of(PeerVerdict verdict) {
      return new Row(
          verdict.measurement().timeUs(),
          verdict.measurement().inPlaceTimeUs(),
          verdict.measurement().busbwGBps(),
          verdict.prediction(),
          verdict.inPlace(),
          verdict.tolerance(),
          false,
          verdict.outcome(),
          verdict.reason());
    }

    void write(TextTable table, Forecast forecast) {
      PredictionRow predicted = PredictionRow.of(forecast, prediction);
      table.row(
          QuantityFormat.size(prediction.call().sizeBytes()),
          predicted.launchName(),
          QuantityFormat.time(measuredUs),
          QuantityFormat.bandwidth(measuredBusbwGBps),
          QuantityFormat.time(prediction.timeUs()),
          QuantityFormat.bandwidth(prediction.busbwGBps()) + " GB/s",
          QuantityFormat.change(measuredUs / prediction.timeUs() - 1, 0),
          QuantityFormat.change(measuredInPlaceUs / inPlace.timeUs() - 1, 0),
          tolerance.isPresent() ? QuantityFormat.percent(tolerance.getAsDouble(), 0) : "not known",
          predicted.limit(),
          reason.isEmpty() ? outcome.name() : outcome + ": " + reason);
    }
  }

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
    Map<Operation, TextTable> tables = new LinkedHashMap<>();
    for (Row row : Row.all(verdicts, peers)) {
      Operation operation = row.prediction.call().operation();
      row.write(
          tables.computeIfAbsent(operation, key -> TextTable.indented().header(COLUMNS)), forecast);
    }
    tables.forEach((operation, rows) -> out.line("\n%s", operation.label()).table(rows));
    long launches = verdicts.stream().filter(MeasurementVerdict::hasSlowLaunches).count();
    if (launches > 0) {
      out.line(
          "\n%d took longer to launch than on the calibrated host, which depends on the CPU",
          launches);
    }
    return Answer.of(out.toString());
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
        caveats.stream().map(OptionWords::of).toList(),
        Fields.of(Forecast.class)
            .field("job", PredictionData::job)
            .including(Function.identity(), PredictionData.BASIS)
            .caveats(Forecast::caveats)
            .field("file", all -> file)
            .list("verdicts", all -> Row.all(verdicts, peers), Row.DATA),
        forecast);
  }

  /** The verdicts as a table with a line of names first. */
  public static Answer csv(List<MeasurementVerdict> verdicts, List<PeerVerdict> peers) {
    return Csv.table(
        "collective,algorithm,protocol,bytes,measured_us,measured_in_place_us,predicted_us,"
            + "predicted_in_place_us,tolerance,verdict,reason",
        Row.DATA,
        Row.all(verdicts, peers).stream());
  }
}
