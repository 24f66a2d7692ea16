package dev.topo.visualizer.times;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.simulator.verdict.JudgedRun;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Predictions as text, JSON or CSV: {@code predictions[]} with everything that is known of each,
 * {@code best[]} with what is recommended for each call, {@code refused[]} with the calls that NCCL
 * cannot run by the requested pairs.
 *
 * @param format its name
 * @param isVerbose whether a text has all that is known, else what fits a screen
 * @param isNamed whether the user has named operations; else a text has AllReduce only
 */
public record PredictionAnswer(String format, boolean isVerbose, boolean isNamed) {

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

  private record Refused(Operation collective, long bytes, String reason) {
    static List<Refused> of(Forecast forecast) {
      Map<Call, String> reasons = forecast.obstacles();
      calls(forecast, call -> call.shown().isEmpty())
          .forEach(call -> reasons.put(call.call(), call.refusal()));
      return reasons.entrySet().stream()
          .map(
              entry ->
                  new Refused(
                      entry.getKey().operation(), entry.getKey().sizeBytes(), entry.getValue()))
          .toList();
    }
  }

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
          .field("calibration", PredictionAnswer::calibration);

  private static final Fields<Forecast> PREDICT =
      Fields.of(Forecast.class)
          .field("job", PredictionAnswer::job)
          .field("hosts", Forecast::nHosts)
          .including(forecast -> forecast, BASIS)
          .caveats(Forecast::caveats)
          .list("predictions", PredictionRow::of, PredictionRow.COLUMNS.fields())
          .list(
              "best",
              forecast -> calls(forecast, call -> call.comparison().best().isPresent()),
              BEST)
          .field("refused", Refused::of);

  private static final Fields<Scaling> JOBS =
      Fields.of(Scaling.class).list("jobs", Scaling::forecasts, PREDICT);

  /** True if it has to fit a screen. */
  public boolean isBrief() {
    return format.equals("text") && !isVerbose;
  }

  /**
   * The predictions for a job.
   *
   * @param notes receives why a table lacks calls, for which it has no place, a line each
   */
  public Answer of(Forecast forecast, Consumer<String> notes) {
    return switch (format) {
      case "text" -> PredictionText.of(forecast, this).saying(PredictionHeadline.of(forecast));
      case "json" ->
          Json.document("predict", PREDICT, forecast).saying(PredictionHeadline.of(forecast));
      default -> {
        forecast.obstacles().entrySet().stream()
            .map(call -> call.getKey().operation().label() + ": " + call.getValue())
            .distinct()
            .forEach(why -> notes.accept("note: " + why));
        yield csv(List.of(forecast));
      }
    };
  }

  /** The predictions on several numbers of nodes. */
  public Answer of(Scaling scaling) {
    return switch (format) {
      case "text" -> PredictionText.of(scaling, this).saying(ScalingHeadline.of(scaling));
      case "json" ->
          Json.document("predict-scaling", JOBS, scaling).saying(ScalingHeadline.of(scaling));
      default -> csv(scaling.forecasts());
    };
  }

  /**
   * Measured beside predicted times.
   *
   * @param caveats how the run differs from the job, for JSON and CSV
   */
  public Answer of(JudgedRun run, List<Caveat> caveats) {
    if (format.equals("csv")) {
      return VerdictText.csv(run, caveats);
    }
    return (format.equals("json") ? VerdictText.json(run, caveats) : VerdictText.of(run, isVerbose))
        .saying(VerdictHeadline.of(run.file(), run.forecast(), run.all()));
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

  private static Answer csv(List<Forecast> forecasts) {
    return PredictionRow.COLUMNS.csv(
        forecasts.stream().flatMap(forecast -> PredictionRow.of(forecast).stream()));
  }
}
