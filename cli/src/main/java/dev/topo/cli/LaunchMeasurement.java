package dev.topo.cli;

import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.terminal.Progress;
import dev.topo.hw.run.CompletedRun;
import dev.topo.hw.run.LaunchTime;
import dev.topo.hw.run.ProcessLayout;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.WorkerTeam;
import dev.topo.visualizer.hardware.LaunchTimeText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * {@code topo run --launch-time}: measures what the host takes to launch the kernel of a call.
 *
 * @param command the command that it is a part of
 * @param launch how NCCL is run
 * @param log receives NCCL's output by lines
 */
record LaunchMeasurement(Subcommand command, LaunchOptions launch, Consumer<String> log) {
  /**
   * Measures and prints. Where no launcher started several processes, there is one for each GPU,
   * or, with several threads, one with a thread for each.
   *
   * @param run the GPUs of a host, and when a call without progress is ended
   * @param variables the environment of the processes that load NCCL
   * @throws RunFailure if NCCL does not run
   */
  void run(RunRequest run, Map<String, String> variables) throws IOException {
    ProcessPlacement alone = launch.placement(variables, Optional.empty());
    boolean isOneProcess = alone.size() > 1 || run.use().threads() > 1;
    ProcessLayout use = isOneProcess ? run.use() : ProcessLayout.ofOneThread(1);
    RunRequest request = LaunchTime.request(use, run.timeLimitSeconds());
    List<CompletedRun> runs = new ArrayList<>();
    try (Progress.Task task = LaunchOptions.begin(command.streams(), alone)) {
      while (runs.size() < LaunchTime.STARTS) {
        String place = "start %s of %s".formatted(runs.size() + 1, LaunchTime.STARTS);
        List<ProcessPlacement> placements =
            isOneProcess
                ? List.of(alone)
                : LaunchOptions.onThisHost(variables, alone, run.use().gpus());
        WorkerTeam team =
            new WorkerTeam(launch.command(variables, command.inputs()), request, placements);
        runs.add(
            CompletedRun.of(events -> team.run(events, log), step -> task.detail(() -> place)));
      }
    }
    if (alone.index() == 0) {
      String launchedBy =
          use.gpus() == 1
              ? "a process for each GPU"
              : use.gpusPerThread() == 1 ? "a thread for each GPU" : "several GPUs of a thread";
      LaunchTime time =
          new LaunchTime(
              runs.stream().map(completedRun -> LaunchTime.Start.of(completedRun.rows())).toList());
      command.print(
          LaunchTimeText.of(
              runs.get(0).started(), alone.size() * run.use().gpus(), launchedBy, time));
    }
  }
}
