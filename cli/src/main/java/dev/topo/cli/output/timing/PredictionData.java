package dev.topo.cli.output.timing;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Json;
import dev.topo.cli.predict.Forecast;
import dev.topo.cli.predict.PredictedCall;
import dev.topo.simulator.Prediction;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Predictions as data: {@code predictions[]} with everything that is known of each, {@code best[]}
 * with what is recommended for each call, {@code refused[]} with the calls that NCCL cannot run by
 * the requested pairs; or a table.
 */
public final class PredictionData {
  /** The significant digits of a measurement. */
  private static final MathContext DIGITS = new MathContext(6);

  private PredictionData() {}

  /** The predictions as JSON. */
  public static Answer json(Forecast forecast) {
    Map<String, Object> tree = head(forecast);
    List<Object> predictions = new ArrayList<>();
    List<Object> best = new ArrayList<>();
    List<Object> refused = new ArrayList<>();
    for (PredictedCall call : forecast.calls()) {
      call.shown().forEach(p -> predictions.add(prediction(call, p)));
      if (call.shown().isEmpty()) {
        refused.add(refused(call));
      }
      call.best()
          .ifPresent(
              b -> {
                Map<String, Object> entry = pair(b);
                entry.put("timeUs", number(b.timeUs()));
                entry.put("regret", number(call.regret()));
                best.add(entry);
              });
    }
    tree.put("predictions", predictions);
    tree.put("best", best);
    tree.put("refused", refused);
    return Answer.of(Json.write(tree));
  }

  /** What the predictions are about and rest on. */
  static Map<String, Object> head(Forecast forecast) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("machines", forecast.title());
    tree.put("nRanks", forecast.nRanks());
    tree.put("nNodes", forecast.nNodes());
    int ranksPerProcess = forecast.predictor().planner().gpusPerProcess();
    if (ranksPerProcess > 0) {
      tree.put("ranksPerProcess", ranksPerProcess);
    }
    tree.put("cudaGraph", ranksPerProcess == 0);
    Map<String, Object> calibration = new LinkedHashMap<>();
    calibration.put("reason", forecast.calibration().reason());
    forecast
        .calibration()
        .calibration()
        .ifPresent(
            c -> {
              calibration.put("name", c.name());
              calibration.put("origin", c.origin());
              calibration.put("spread", number(c.spread()));
            });
    tree.put("calibration", calibration);
    tree.put("caveats", forecast.caveats());
    return tree;
  }

  private static Map<String, Object> refused(PredictedCall call) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("collective", call.call().collective().ncclTestsName());
    entry.put("bytes", call.call().sizeBytes());
    entry.put("reason", call.refusal());
    return entry;
  }

  private static Map<String, Object> pair(Prediction prediction) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("collective", prediction.call().collective().ncclTestsName());
    entry.put("bytes", prediction.call().sizeBytes());
    entry.put("algorithm", prediction.algorithm().label());
    entry.put("protocol", prediction.protocol().label());
    return entry;
  }

  private static Map<String, Object> prediction(PredictedCall call, Prediction prediction) {
    Map<String, Object> entry = pair(prediction);
    entry.put("channels", prediction.channels());
    entry.put("timeUs", number(prediction.timeUs()));
    entry.put("shortestUs", number(prediction.shortestUs()));
    entry.put("longestUs", number(prediction.longestUs()));
    entry.put("algbwGBps", number(prediction.algbwGBps()));
    entry.put("busbwGBps", number(prediction.busbwGBps()));
    entry.put("bottleneck", prediction.estimate().bottleneck().name().toLowerCase(Locale.ROOT));
    entry.put("calibrated", prediction.isCalibrated());
    entry.put("source", prediction.source().label());
    entry.put("chosen", call.isChosen(prediction));
    return entry;
  }

  /** The predictions as a table with a line of names first. */
  public static Answer csv(Forecast forecast) {
    return out -> {
      out.append(
          "collective,algorithm,protocol,channels,bytes,time_us,algbw_gbps,busbw_gbps,chosen\n");
      for (PredictedCall call : forecast.calls()) {
        for (Prediction prediction : call.shown()) {
          out.append(
              String.join(
                  ",",
                  prediction.call().collective().ncclTestsName(),
                  prediction.algorithm().label(),
                  prediction.protocol().label(),
                  String.valueOf(prediction.channels()),
                  String.valueOf(prediction.call().sizeBytes()),
                  number(prediction.timeUs()).toPlainString(),
                  number(prediction.algbwGBps()).toPlainString(),
                  number(prediction.busbwGBps()).toPlainString(),
                  String.valueOf(call.isChosen(prediction))));
          out.append('\n');
        }
      }
    };
  }

  /** A number to six digits. */
  static BigDecimal number(double value) {
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
  }
}
