package dev.topo.cli;

import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.terminal.Progress.Task;
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

/**
 * {@code topo run --launch-time}: measures the time in which the host launches the kernel of a
 * call.
 *
 * @param command the command that runs it
 * @param launch how NCCL is run
 */
record LaunchMeasurement(Subcommand command, LaunchOptions launch) {
  /**
   * Measures and prints the launch time. Unless a launcher started several processes, topo starts
   * one process for each GPU or, with several threads, one process with a thread for each GPU.
   *
   * @param run the GPUs of a host, and the time limit for a call without progress
   * @param variables the environment of the processes that load NCCL
   * @throws RunFailure if NCCL cannot run
   */
  void run(RunRequest run, Map<String, String> variables) throws IOException {
    ProcessPlacement placement = launch.placement(variables, Optional.empty());
    boolean isOneProcess = placement.size() > 1 || run.use().threads() > 1;
    ProcessLayout use = isOneProcess ? run.use() : ProcessLayout.ofOneThread(1);
    RunRequest request = LaunchTime.request(use, run.timeLimitSeconds());
    List<CompletedRun> runs = new ArrayList<>();
    try (Task task = LaunchOptions.begin(command.streams(), placement)) {
      while (runs.size() < LaunchTime.STARTS) {
        String startLabel = "start %s of %s".formatted(runs.size() + 1, LaunchTime.STARTS);
        List<ProcessPlacement> placements =
            isOneProcess
                ? List.of(placement)
                : LaunchOptions.onThisHost(variables, placement, run.use().gpus());
        WorkerTeam team =
            new WorkerTeam(launch.command(variables, command.inputs()), request, placements);
        runs.add(
            CompletedRun.of(
                events -> team.run(events, command.streams()::log),
                step -> task.detail(() -> startLabel)));
      }
    }
    if (placement.index() == 0) {
      String launchedBy =
          use.gpus() == 1
              ? "a process for each GPU"
              : use.gpusPerThread() == 1 ? "a thread for each GPU" : "several GPUs of a thread";
      LaunchTime time =
          new LaunchTime(
              runs.stream().map(completedRun -> LaunchTime.Start.of(completedRun.rows())).toList());
      command.print(
          LaunchTimeText.of(
              runs.get(0).started(), placement.size() * run.use().gpus(), launchedBy, time));
    }
  }
}
