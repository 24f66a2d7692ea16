package dev.topo.cli;

import dev.topo.cli.terminal.Progress;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.Scaling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The predictions for several numbers of equal nodes.
 *
 * @param command has the options, and evaluates jobs
 * @param files the machine
 */
record ScalingForecasts(TimedJobCommand command, List<Path> files, NcclSettings settings) {
  /** The predictions of calls; notes the numbers of nodes on which one rank has nothing to send. */
  Scaling of(PredictedCalls.Sized calls) {
    List<Integer> counts = command.job().counts();
    List<Forecast> forecasts = new ArrayList<>();
    command.caveats().clear();
    try (Progress.Task task = command.begin("prediction", counts.size())) {
      for (int count : counts) {
        task.next();
        JobPart part = command.parts(command.job().layout(files, count), settings).get(0);
        if (part.job().nRanks() < 2) {
          command.message(
              "note: no prediction for " + part.title() + ": one rank has nothing to send");
          continue;
        }
        forecasts.add(
            calls.forecast(
                part, command.evaluated(part, Optional.empty()), command.inputs(), () -> {}));
      }
    }
    return new Scaling(MachineName.of(files), forecasts);
  }
}
