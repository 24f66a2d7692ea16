package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.evaluate.Scaling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The predictions for several numbers of equal nodes.
 *
 * @param question provides the options
 * @param asked the machine
 */
record ScalingPredictions(JobQuestion question, EvaluationOptions evaluation, AskedJob asked) {
  /**
   * Predicts the calls. Notes on stderr the numbers of nodes that give one rank only, which sends
   * nothing.
   */
  Scaling of(PredictionOptions.Sized calls) {
    List<Integer> counts = question.job().counts();
    List<CommunicatorPredictions> forecasts = new ArrayList<>();
    try (Task task = question.command().begin("prediction", counts.size())) {
      for (int count : counts) {
        task.next();
        RankLayout layout = question.job().layout(asked.files(), count);
        for (JobPart part : question.sending(asked.parts(layout).subList(0, 1), "prediction")) {
          forecasts.add(
              calls.forecast(
                  part,
                  asked.evaluated(evaluation, part, Optional.empty()),
                  question.command().inputs(),
                  () -> {}));
        }
      }
    }
    return new Scaling(MachineName.of(asked.files()), forecasts);
  }
}
