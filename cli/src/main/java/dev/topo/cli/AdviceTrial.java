package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.verify.Trial;
import dev.topo.hw.verify.TrialRunner;
import dev.topo.hw.verify.TriedCall;
import dev.topo.hw.verify.WorkerTrialRunner;
import dev.topo.simulator.advice.AdviceReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for measuring advice with NCCL on the GPUs of this machine. */
final class AdviceTrial {
  @Option(
      names = "--try",
      description =
          "Also measure the advice with NCCL on the GPUs of this machine, and settings whose effect is not predicted, and"
              + " compare the gains.")
  private boolean isTried;

  @Mixin private LaunchOptions launch = new LaunchOptions();

  /**
   * Measures the advice for a communicator; returns nothing without {@code --try}.
   *
   * @param command provides the environment and shows progress
   */
  List<TriedCall> of(AdviceReport report, Subcommand command) {
    if (!isTried) {
      return List.of();
    }
    Map<String, String> variables = new HashMap<>(command.environment());
    variables.putAll(report.ownSettings().values());
    ProcessPlacement placement = launch.placement(variables, Optional.empty());
    refuseIf(placement.size() > 1, "--try: expected one process, which starts others itself");
    TrialRunner runner =
        new WorkerTrialRunner(
            variables,
            changed -> launch.command(changed, command.inputs()),
            placement,
            report.nRanks());
    try (Task task = LaunchOptions.begin(command.streams(), placement)) {
      return new Trial(report.advice().calls(), runner).run(step -> task.detail(() -> step));
    }
  }
}
