package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.terminal.Progress;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.Scaling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The predictions for several numbers of equal nodes.
 *
 * @param question has the options
 * @param asked the machine
 */
record ScalingPredictions(JobQuestion question, EvaluationOptions evaluation, AskedJob asked) {
  /** The predictions of calls; notes the numbers of nodes on which one rank has nothing to send. */
  Scaling of(PredictionOptions.Sized calls) {
    List<Integer> counts = question.job().counts();
    List<Forecast> forecasts = new ArrayList<>();
    try (Progress.Task task = question.command().begin("prediction", counts.size())) {
      for (int count : counts) {
        task.next();
        JobPart part = asked.parts(question.job().layout(asked.files(), count)).get(0);
        if (part.job().nRanks() < 2) {
          question
              .command()
              .message(
                  "note: no prediction for " + part.title() + ": one rank has nothing to send");
          continue;
        }
        forecasts.add(
            calls.forecast(
                part,
                asked.evaluated(evaluation, part, Optional.empty()),
                question.command().inputs(),
                () -> {}));
      }
    }
    return new Scaling(MachineName.of(asked.files()), forecasts);
  }
}
