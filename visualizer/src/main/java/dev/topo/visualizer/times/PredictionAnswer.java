package dev.topo.visualizer.times;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.operation.Collective;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.simulator.verdict.JudgedRun;
import dev.topo.visualizer.view.Answer;
import java.util.List;
import java.util.function.Consumer;

/**
 * Predictions as text, JSON or CSV.
 *
 * @param format its name
 * @param isVerbose whether a text has all that is known, else what fits a screen
 * @param isNamed whether the user has named operations; else a text has AllReduce only
 */
public record PredictionAnswer(String format, boolean isVerbose, boolean isNamed) {
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
      case "text" ->
          (isVerbose ? PredictionText.of(forecast) : PredictionBrief.of(forecast, isNamed))
              .saying(PredictionHeadline.of(forecast));
      case "json" -> PredictionData.json(forecast).saying(PredictionHeadline.of(forecast));
      default -> {
        forecast.calls().stream()
            .map(call -> call.call().collective())
            .distinct()
            .forEach(collective -> note(forecast, collective, notes));
        yield PredictionData.csv(forecast);
      }
    };
  }

  private static void note(Forecast forecast, Collective collective, Consumer<String> notes) {
    forecast
        .obstacles(collective)
        .forEach(why -> notes.accept("note: " + collective.label() + ": " + why));
  }

  /** The predictions on several numbers of nodes. */
  public Answer of(Scaling scaling) {
    return switch (format) {
      case "text" ->
          (isVerbose ? ScalingText.of(scaling) : ScalingBrief.of(scaling, isNamed))
              .saying(ScalingHeadline.of(scaling));
      case "json" -> PredictionData.json(scaling).saying(ScalingHeadline.of(scaling));
      default -> PredictionData.csv(scaling);
    };
  }

  /**
   * Measured beside predicted times.
   *
   * @param caveats how the run differs from the job, for JSON
   */
  public Answer of(JudgedRun run, List<Caveat> caveats) {
    if (format.equals("csv")) {
      return VerdictOutput.csv(run.collectives(), run.peers());
    }
    String sentence = VerdictHeadline.of(run.file(), run.forecast(), run.all());
    if (format.equals("json")) {
      return VerdictOutput.json(run.file(), caveats, run.forecast(), run.collectives(), run.peers())
          .saying(sentence);
    }
    Answer text =
        isVerbose
            ? VerdictOutput.text(run.file(), run.forecast(), run.collectives(), run.peers())
            : VerdictBrief.of(run.forecast(), run.all());
    return text.saying(sentence);
  }
}
