package dev.topo.cli.output.timing;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.cli.output.TextTable;
import dev.topo.cli.predict.Forecast;
import dev.topo.model.QuantityWords;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.accuracy.Judgement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measured beside predicted times, with a verdict for each size. */
public final class JudgementOutput {
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
      out.append(
          "\nPASS if out of place or in place is within the tolerance: one outlier does not count\n");
    }
    long launches = forecast.judgements().stream().filter(Judgement::hasSlowLaunches).count();
    if (launches > 0) {
      out.append("\n")
          .append(launches)
          .append(" took longer to launch than on the calibrated host, which depends on the CPU\n");
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
            "slowdown",
            "in place",
            "tolerance",
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
    Map<String, Object> tree = PredictionData.head(forecast);
    tree.put("file", file);
    tree.put("judgements", forecast.judgements().stream().map(JudgementOutput::entry).toList());
    return Answer.of(Json.write(tree));
  }

  private static Map<String, Object> entry(Judgement judgement) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("collective", judgement.measurement().collective().ncclTestsName());
    entry.put("bytes", judgement.measurement().sizeBytes());
    entry.put("algorithm", judgement.prediction().algorithm().label());
    entry.put("protocol", judgement.prediction().protocol().label());
    entry.put("measuredUs", PredictionData.number(judgement.measurement().timeUs()));
    entry.put("measuredInPlaceUs", PredictionData.number(judgement.measurement().inPlaceTimeUs()));
    entry.put("predictedUs", PredictionData.number(judgement.prediction().timeUs()));
    entry.put("predictedInPlaceUs", PredictionData.number(judgement.inPlace().timeUs()));
    entry.put("tolerance", PredictionData.number(judgement.tolerance()));
    entry.put("calibrated", judgement.prediction().isCalibrated());
    entry.put("source", judgement.prediction().source().label());
    entry.put("wrong", judgement.isWrong());
    entry.put("passes", judgement.passes());
    return entry;
  }

  /** The verdicts as a table with a line of names first. */
  public static Answer csv(Forecast forecast) {
    return out -> {
      out.append(
          "collective,algorithm,protocol,bytes,measured_us,measured_inplace_us,predicted_us,predicted_inplace_us,tolerance,verdict\n");
      for (Judgement judgement : forecast.judgements()) {
        out.append(
            String.join(
                ",",
                judgement.measurement().collective().ncclTestsName(),
                judgement.prediction().algorithm().label(),
                judgement.prediction().protocol().label(),
                String.valueOf(judgement.measurement().sizeBytes()),
                PredictionData.number(judgement.measurement().timeUs()).toPlainString(),
                PredictionData.number(judgement.measurement().inPlaceTimeUs()).toPlainString(),
                PredictionData.number(judgement.prediction().timeUs()).toPlainString(),
                PredictionData.number(judgement.inPlace().timeUs()).toPlainString(),
                PredictionData.number(judgement.tolerance()).toPlainString(),
                judgement.passes() ? "PASS" : "FAIL"));
        out.append('\n');
      }
    };
  }
}
