package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.Topology;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.MeasuredFiles;
import dev.topo.simulator.verdict.NodeMeasurements;
import dev.topo.simulator.verdict.OwnCalibrator;
import dev.topo.simulator.verdict.OwnReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A calibration from measured runs, as the options of the command describe it.
 *
 * @param options which constants are fitted, and how the result is named
 * @param evaluation the calibration that the fit starts from, and how the calls were made
 * @param asked the machines of the options, which are those of runs of as many ranks
 * @param machines finds the machines of other runs
 * @param context reads the files, and shows messages and progress
 */
record CalibrationRun(
    CalibrateOptions options,
    EvaluationOptions evaluation,
    AskedJob asked,
    Optional<JobPart> job,
    MeasuredFiles machines,
    CommandContext context) {
  /**
   * Fits the constants of a node.
   *
   * @param times measurements on one node
   * @param actual the actual machine, if it is not the declared one
   */
  CalibrationReport fitted(NodeMeasurements times, Optional<Topology> actual) {
    List<FitObservation> observations = times.observations();
    String step = "fit to " + observations.size() + " times, round";
    try (Task task = context.streams().progress().begin(step)) {
      return times.fit(
          observations,
          start(times, actual),
          options.free(),
          options.naming(),
          actual,
          round -> task.next());
    }
  }

  /** Compares an existing calibration with measurements on one node. */
  CalibrationReport judged(NodeMeasurements times, Optional<Topology> actual) {
    SelectedCalibration start = start(times, actual);
    refuseIf(
        start.calibration().isEmpty(),
        "no calibration to compare with the measurements (%s): name one with --calibration"
            .formatted(start.reason()));
    return times.judge(start);
  }

  private SelectedCalibration start(NodeMeasurements times, Optional<Topology> actual) {
    return evaluation.resolver(context).calibration(actual.orElseGet(times::topology));
  }

  /** Measurements on one node. */
  NodeMeasurements inNode(Path file, List<MeasuredRun> runs, List<MeasuredRun> others) {
    return NodeMeasurements.of(
        file.toString(),
        machines,
        ofCollectives(runs),
        ofCollectives(others),
        options.selection(),
        asked.profile());
  }

  private List<MeasuredRun> ofCollectives(List<MeasuredRun> runs) {
    runs.stream()
        .filter(run -> run.measurements().isEmpty())
        .forEach(run -> context.streams().message("note: " + run.file() + " " + run.emptyReason()));
    return runs.stream().filter(run -> !run.measurements().isEmpty()).toList();
  }

  /** Corrects the calibrations of nodes and network by measured times. */
  OwnReport corrected(List<MeasuredRun> runs, List<MeasuredRun> others) {
    return new OwnCalibrator(
            this::predictor,
            options.selection(),
            note -> context.streams().message("note: " + note))
        .calibrate(runs, others, options.naming());
  }

  /** Predicts for the job of a run on a number of GPUs, by the rules and settings of the run. */
  private CallPredictor predictor(MeasuredRun run, int ranks) {
    AskedJob followed = asked.following(run);
    JobPart part =
        job.filter(whole -> whole.job().nRanks() == ranks)
            .map(whole -> followed.parts().get(0))
            .orElseGet(() -> machines.job(run, ranks, nodes(run), followed.profile()));
    return machines
        .evaluator()
        .evaluate(
            evaluation.request(
                followed.profile(),
                part,
                Optional.empty(),
                Optional.of(run).filter(stated -> stated.gpusPerProcess().isPresent()),
                Optional.empty(),
                context))
        .requireKnownBuffers()
        .predictor();
  }

  /** The nodes of a run: as its file states, else as the options do. */
  int nodes(MeasuredRun run) {
    return run.nodes().orElseGet(() -> job.map(whole -> whole.job().machines().size()).orElse(1));
  }
}
