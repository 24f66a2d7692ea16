package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.Topology;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.calibration.CalibrationChoice.SelectedCalibration;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.MeasuredFiles;
import dev.topo.simulator.verdict.NetworkCalibrator;
import dev.topo.simulator.verdict.NetworkReport;
import dev.topo.simulator.verdict.NodeMeasurements;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A calibration from measured runs, as the options of the command describe it.
 *
 * @param options which constants are fitted, and how the result is named
 * @param calibration the calibration that the fit starts from
 * @param profile the rules of the NCCL release
 * @param input reads topologies
 * @param machines finds the machines of runs
 * @param context reads the files, and shows messages and progress
 */
record CalibrationRun(
    CalibrateOptions options,
    CalibrationOptions calibration,
    NcclProfile profile,
    InputMachines input,
    MeasuredFiles machines,
    CommandContext context) {
  /**
   * Calibrates the model of a node.
   *
   * @param file the file that messages about all runs name
   * @param runs the runs to fit to; if there are none, the existing calibration is evaluated
   */
  CalibrationReport ofNode(Path file, List<MeasuredRun> runs, List<MeasuredRun> others) {
    NodeMeasurements times =
        NodeMeasurements.of(file.toString(), machines, runs, others, options.inNode(), profile);
    Optional<Topology> actual =
        options.actual().map(actualFile -> input.topology(actualFile, profile));
    SelectedCalibration start =
        calibration.resolver(context.inputs()).calibration(actual.orElseGet(times::topology));
    refuseIf(
        start.calibration().isEmpty() && runs.isEmpty(),
        "no calibration to compare with the measurements (%s): name one with --calibration"
            .formatted(start.reason()));
    return runs.isEmpty() ? times.judge(start) : fit(times, start, actual);
  }

  private CalibrationReport fit(
      NodeMeasurements times, SelectedCalibration start, Optional<Topology> actual) {
    List<FitObservation> observations = times.observations();
    String step = "fit to " + observations.size() + " times, round";
    try (Task task = context.streams().progress().begin(step)) {
      return times.fit(
          observations, start, options.free(), options.naming(), actual, round -> task.next());
    }
  }

  /** Calibrates the model of the network. */
  NetworkReport ofNetwork(List<MeasuredRun> runs, List<MeasuredRun> others) {
    return new NetworkCalibrator(
            machines,
            options::nodes,
            options.betweenNodes(),
            profile,
            part -> calibration.resolver(context.inputs()).request(profile, part),
            note -> context.streams().message("note: " + note))
        .calibrate(runs, others, options.naming());
  }
}
