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
 * Predictions as text, JSON or CSV: {@code predictions[]} with all facts, {@code best[]} with the
 * recommendation for each call, {@code refused[]} with the calls that NCCL cannot run by the
 * requested pairs.
 *
 * @param format the name of the format
 * @param isVerbose whether a text shows everything, else what fits on a screen
 * @param isNamed whether operations are named; else a text shows AllReduce only
 */
public record PredictionOutput(String format, boolean isVerbose, boolean isNamed) {

  /** A pair whose time is from another source than that of the best pair. */
  private static final Fields<CollectivePrediction> NOT_COMPARABLE =
      Fields.of(CollectivePrediction.class)
          .components("algorithm", "protocol")
          .field("timeUs", CollectivePrediction::timeUs)
          .components("source");

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
          .components("reason")
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
          .field("launchUs", forecast -> context(forecast).launchUs())
          .field("buffers", forecast -> context(forecast).buffers().label())
          .field("groupsAtOnce", forecast -> context(forecast).groups())
          .field("calibration", PredictionOutput::calibration);

  private static final Fields<Forecast> PREDICT =
      Fields.of(Forecast.class)
          .field("job", PredictionOutput::job)
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

  /** True if the answer should fit on a screen. */
  public boolean isBrief() {
    return format.equals("text") && !isVerbose;
  }

  /**
   * The predictions for a job.
   *
   * @param notes receives a line for each reason why a table lacks calls
   */
  public Answer of(Forecast forecast, Consumer<String> notes) {
    return switch (format) {
      case "text" -> PredictionText.of(forecast, this).saying(PredictionSentence.of(forecast));
      case "json" ->
          Json.document("predict", PREDICT, forecast).saying(PredictionSentence.of(forecast));
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
      case "text" -> PredictionText.of(scaling, this).saying(ScalingSentence.of(scaling));
      case "json" ->
          Json.document("predict-scaling", JOBS, scaling).saying(ScalingSentence.of(scaling));
      default -> csv(scaling.forecasts());
    };
  }

  /**
   * Measured and predicted times.
   *
   * @param caveats differences between the run and the job, for JSON and CSV
   */
  public Answer of(JudgedRun run, List<Caveat> caveats) {
    if (format.equals("csv")) {
      return VerdictOutput.csv(run, caveats);
    }
    return (format.equals("json")
            ? VerdictOutput.json(run, caveats)
            : VerdictOutput.of(run, isVerbose))
        .saying(VerdictSentence.of(run.file(), run.forecast(), run.all()));
  }

  static JobSummary job(Forecast forecast) {
    return new JobSummary(forecast.title(), forecast.nNodes(), forecast.nRanks());
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
