package dev.topo.cli.output.timing;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.cli.output.TextTable;
import dev.topo.cli.predict.Forecast;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.accuracy.MeasurementVerdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measured beside predicted times, with a verdict for each size. */
public final class VerdictOutput {
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
    Map<String, Object> tree = PredictionData.head(forecast);
    tree.put("file", file);
    tree.put("verdicts", forecast.verdicts().stream().map(VerdictOutput::entry).toList());
    return Answer.of(Json.write(tree));
  }

  private static Map<String, Object> entry(MeasurementVerdict verdict) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("collective", verdict.measurement().collective().ncclTestsName());
    entry.put("bytes", verdict.measurement().sizeBytes());
    entry.put("algorithm", verdict.prediction().algorithm().label());
    entry.put("protocol", verdict.prediction().protocol().label());
    entry.put("measuredUs", PredictionData.number(verdict.measurement().timeUs()));
    entry.put("measuredInPlaceUs", PredictionData.number(verdict.measurement().inPlaceTimeUs()));
    entry.put("predictedUs", PredictionData.number(verdict.prediction().timeUs()));
    entry.put("predictedInPlaceUs", PredictionData.number(verdict.inPlace().timeUs()));
    entry.put("tolerance", PredictionData.number(verdict.tolerance()));
    entry.put("calibrated", verdict.prediction().isCalibrated());
    entry.put("source", verdict.prediction().source().label());
    entry.put("wrong", verdict.isWrong());
    entry.put("passes", verdict.passes());
    return entry;
  }

  /** The verdicts as a table with a line of names first. */
  public static Answer csv(Forecast forecast) {
    return out -> {
      out.append(
          "collective,algorithm,protocol,bytes,measured_us,measured_inplace_us,predicted_us,predicted_inplace_us,tolerance,verdict\n");
      for (MeasurementVerdict verdict : forecast.verdicts()) {
        out.append(
            String.join(
                ",",
                verdict.measurement().collective().ncclTestsName(),
                verdict.prediction().algorithm().label(),
                verdict.prediction().protocol().label(),
                String.valueOf(verdict.measurement().sizeBytes()),
                PredictionData.number(verdict.measurement().timeUs()).toPlainString(),
                PredictionData.number(verdict.measurement().inPlaceTimeUs()).toPlainString(),
                PredictionData.number(verdict.prediction().timeUs()).toPlainString(),
                PredictionData.number(verdict.inPlace().timeUs()).toPlainString(),
                PredictionData.number(verdict.tolerance()).toPlainString(),
                verdict.passes() ? "PASS" : "FAIL"));
        out.append('\n');
      }
    };
  }
}
