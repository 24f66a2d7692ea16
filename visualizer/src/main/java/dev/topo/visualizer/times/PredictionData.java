package dev.topo.visualizer.times;

import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Predictions as data: {@code predictions[]} with everything that is known of each, {@code best[]}
 * with what is recommended for each call, {@code refused[]} with the calls that NCCL cannot run by
 * the requested pairs; or a table.
 */
public final class PredictionData {
  /** A pair whose time rests on another source than the best. */
  private static final Fields<CollectivePrediction> NOT_COMPARABLE =
      Fields.of(CollectivePrediction.class)
          .field("algorithm", CollectivePrediction::algorithm)
          .field("protocol", CollectivePrediction::protocol)
          .field("timeUs", CollectivePrediction::timeUs)
          .field("source", CollectivePrediction::source);

  private static final Fields<PredictedCall> BEST =
      Fields.of(PredictedCall.class)
          .field("collective", call -> call.call().collective())
          .field("bytes", call -> call.call().sizeBytes())
          .field("algorithm", call -> best(call).algorithm())
          .field("protocol", call -> best(call).protocol())
          .field("timeUs", call -> best(call).timeUs())
          .field("regret", call -> call.comparison().regret())
          .list("notComparable", call -> call.comparison().notComparable(), NOT_COMPARABLE);

  private static final Fields<PredictedCall> REFUSED =
      Fields.of(PredictedCall.class)
          .field("collective", call -> call.call().collective())
          .field("bytes", call -> call.call().sizeBytes())
          .field("reason", PredictedCall::refusal);

  private static final Fields<SelectedCalibration> CALIBRATION =
      Fields.of(SelectedCalibration.class)
          .field("reason", SelectedCalibration::reason)
          .field("name", selected -> selected.calibration().map(Calibration::name))
          .field("origin", selected -> selected.calibration().map(Calibration::origin));

  /**
   * Basis of predictions: the ranks of a process are absent where calls are replayed from a CUDA
   * graph; groups at once are those over the same GPUs whose calls run at the same time. The
   * caveats of the document follow.
   */
  public static final Fields<Forecast> BASIS =
      Fields.of(Forecast.class)
          .field(
              "ranksPerProcess",
              forecast ->
                  Optional.of(context(forecast).gpusPerProcess()).filter(number -> number > 0))
          .field("cudaGraph", forecast -> context(forecast).gpusPerProcess() == 0)
          .field("launchUs", forecast -> launchUs(context(forecast)))
          .field("buffers", forecast -> context(forecast).buffers().label())
          .field("groupsAtOnce", forecast -> context(forecast).groups())
          .field("calibration", PredictionData::calibration);

  private static final Fields<Forecast> PREDICT =
      Fields.of(Forecast.class)
          .field("job", PredictionData::job)
          .field("hosts", Forecast::nHosts)
          .including(forecast -> forecast, BASIS)
          .caveats(Forecast::caveats)
          .list("predictions", PredictionRow::of, PredictionRow.DATA)
          .list(
              "best",
              forecast -> calls(forecast, call -> call.comparison().best().isPresent()),
              BEST)
          .list("refused", forecast -> calls(forecast, call -> call.shown().isEmpty()), REFUSED);

  private static final Fields<Scaling> JOBS =
      Fields.of(Scaling.class).list("jobs", Scaling::forecasts, PREDICT);

  private PredictionData() {}

  /** The predictions as JSON. */
  public static Answer json(Forecast forecast) {
    return Json.document("predict", PREDICT, forecast);
  }

  /** The predictions for several numbers of nodes as JSON, a job for each. */
  public static Answer json(Scaling scaling) {
    return Json.document("predict-scaling", JOBS, scaling);
  }

  static JobSummary job(Forecast forecast) {
    return new JobSummary(forecast.title(), forecast.nNodes(), forecast.nRanks());
  }

  private static Optional<Double> launchUs(CallContext context) {
    return context.launchUs().isPresent()
        ? Optional.of(context.launchUs().getAsDouble())
        : Optional.empty();
  }

  private static CallContext context(Forecast forecast) {
    return forecast.predictor().planner().context();
  }

  private static Object calibration(Forecast forecast) {
    return CALIBRATION
        .field("spread", selected -> selected.spread(forecast.launch()))
        .json(forecast.calibration());
  }

  private static List<PredictedCall> calls(Forecast forecast, Predicate<PredictedCall> wanted) {
    return forecast.calls().stream().filter(wanted).toList();
  }

  private static CollectivePrediction best(PredictedCall call) {
    return call.comparison().best().orElseThrow();
  }

  /** The predictions as a table with a line of names first. */
  public static Answer csv(Forecast forecast) {
    return csv(List.of(forecast));
  }

  /** The predictions for several numbers of nodes as one table. */
  public static Answer csv(Scaling scaling) {
    return csv(scaling.forecasts());
  }

  private static Answer csv(List<Forecast> forecasts) {
    return Csv.table(
        PredictionRow.CSV_COLUMNS,
        PredictionRow.DATA,
        forecasts.stream().flatMap(forecast -> PredictionRow.of(forecast).stream()));
  }
}
