package dev.topo.visualizer.times;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
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
 * Predictions as text, JSON or CSV. The JSON document has {@code predictions[]} with everything
 * known about each, {@code best[]} with the recommendation for each call, and {@code refused[]}
 * with the calls that NCCL cannot run with the requested pairs.
 *
 * @param format {@code text}, {@code json} or {@code csv}
 * @param isVerbose whether the text is complete instead of fitting on a screen
 * @param isNamed whether the user named operations; if not, the text shows only AllReduce
 */
public record PredictionOutput(String format, boolean isVerbose, boolean isNamed) {

  /** A pair whose time comes from a different source than the best pair's. */
  /** What identifies a call. */
  public static final Fields<Call> CALL =
      Fields.of(Call.class).field("collective", Call::operation).field("bytes", Call::sizeBytes);

  private static final Fields<CollectivePrediction> NOT_COMPARABLE =
      Fields.of(CollectivePrediction.class)
          .components("algorithm", "protocol")
          .field("timeUs", CollectivePrediction::timeUs)
          .components("source");

  private static final Fields<PredictedCall> BEST =
      Fields.of(PredictedCall.class)
          .including(PredictedCall::call, CALL)
          .field("algorithm", call -> best(call).algorithm())
          .field("protocol", call -> best(call).protocol())
          .field("timeUs", call -> best(call).timeUs())
          .field("regret", call -> call.comparison().regret())
          .list("notComparable", call -> call.comparison().notComparable(), NOT_COMPARABLE);

  private record Refused(Operation collective, long bytes, String reason) {
    static List<Refused> of(CommunicatorPredictions forecast) {
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
   * The basis of predictions, with the caveats of the document. The ranks of a process are absent
   * if calls are replayed from a CUDA graph. Concurrent groups use the same GPUs and run their
   * calls at the same time.
   */
  public static final Fields<CommunicatorPredictions> BASIS =
      Fields.of(CommunicatorPredictions.class)
          .field(
              "ranksPerProcess",
              forecast ->
                  Optional.of(context(forecast).gpusPerProcess()).filter(number -> number > 0))
          .field("cudaGraph", forecast -> context(forecast).gpusPerProcess() == 0)
          .field("launchUs", forecast -> context(forecast).launchUs())
          .field("buffers", forecast -> context(forecast).buffers().label())
          .field("groupsAtOnce", forecast -> context(forecast).groups())
          .field("calibration", PredictionOutput::calibration);

  private static final Fields<CommunicatorPredictions> PREDICT =
      Fields.of(CommunicatorPredictions.class)
          .field("job", PredictionOutput::job)
          .field("hosts", CommunicatorPredictions::nHosts)
          .including(forecast -> forecast, BASIS)
          .caveats(CommunicatorPredictions::caveats)
          .list("predictions", PredictionRow::of, PredictionRow.COLUMNS.fields())
          .list(
              "best",
              forecast -> calls(forecast, call -> call.comparison().best().isPresent()),
              BEST)
          .field("refused", Refused::of);

  private static final Fields<Scaling> JOBS =
      Fields.of(Scaling.class).list("jobs", Scaling::forecasts, PREDICT);

  /** True if the answer has to fit on a screen. */
  public boolean isBrief() {
    return format.equals("text") && !isVerbose;
  }

  /**
   * Returns the predictions for a job.
   *
   * @param notes receives, one line each, the reasons why calls are missing from the CSV table,
   *     which has no place for them
   */
  public Answer of(CommunicatorPredictions forecast, Consumer<String> notes) {
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

  /** Returns the predictions for several numbers of nodes. */
  public Answer of(Scaling scaling) {
    return switch (format) {
      case "text" -> PredictionText.of(scaling, this).saying(ScalingSentence.of(scaling));
      case "json" ->
          Json.document("predict-scaling", JOBS, scaling).saying(ScalingSentence.of(scaling));
      default -> csv(scaling.forecasts());
    };
  }

  /**
   * Returns measured times next to predicted ones.
   *
   * @param caveats how the run differs from the modelled job; used in JSON and CSV
   */
  public Answer of(JudgedRun run, List<Caveat> caveats) {
    if (format.equals("csv")) {
      return VerdictOutput.csv(run, caveats);
    }
    return (format.equals("json")
            ? VerdictOutput.json(run, caveats)
            : VerdictOutput.of(run, isVerbose))
        .saying(VerdictSentence.of(run));
  }

  static JobSummary job(CommunicatorPredictions forecast) {
    return new JobSummary(forecast.title(), forecast.nNodes(), forecast.nRanks());
  }

  private static CallContext context(CommunicatorPredictions forecast) {
    return forecast.predictor().planner().context();
  }

  private static Object calibration(CommunicatorPredictions forecast) {
    return CALIBRATION
        .field("spread", selected -> selected.spread(forecast.launch()))
        .json(forecast.calibration());
  }

  private static List<PredictedCall> calls(
      CommunicatorPredictions forecast, Predicate<PredictedCall> wanted) {
    return forecast.calls().stream().filter(wanted).toList();
  }

  private static CollectivePrediction best(PredictedCall call) {
    return call.comparison().best().orElseThrow();
  }

  private static Answer csv(List<CommunicatorPredictions> forecasts) {
    return PredictionRow.COLUMNS.csv(
        forecasts.stream().flatMap(forecast -> PredictionRow.of(forecast).stream()));
  }
}
