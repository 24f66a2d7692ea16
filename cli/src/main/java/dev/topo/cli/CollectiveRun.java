package dev.topo.cli;

import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.hw.run.CompletedRun;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.WorkerProcess;
import dev.topo.visualizer.hardware.NcclTestsJson;
import dev.topo.visualizer.hardware.NcclTestsReport;
import dev.topo.visualizer.hardware.RunSummary;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code topo run} of one collective, with the text and JSON output of nccl-tests.
 *
 * @param command the command that runs it
 * @param collective name of the collective
 * @param launch how NCCL is run
 * @param nccl the environment variables of nccl-tests
 */
record CollectiveRun(
    Subcommand command, String collective, LaunchOptions launch, NcclTestsVariables nccl) {
  private static final Path JSON = Path.of("run");

  /**
   * Runs the collective and prints the results.
   *
   * @param variables the environment of the processes that load NCCL
   * @param split how the processes are split into communicators; overrides the variables of
   *     nccl-tests
   * @param hasTimestamps whether each line contains the time of day
   * @param file where the JSON is written, if anywhere
   * @throws RunFailure if NCCL cannot run
   */
  RunSummary run(
      RunRequest request,
      Map<String, String> variables,
      @Nullable String split,
      boolean hasTimestamps,
      Optional<OutputPlan> file)
      throws IOException {
    ProcessPlacement placement = launch.placement(variables, nccl.split(split));
    boolean isFirst = placement.index() == 0;
    String startTime = RunPrinter.now();
    NcclTestsReport text = new NcclTestsReport(request, hasTimestamps);
    RunPrinter printer = new RunPrinter(text, collective, isFirst, command.streams());
    CompletedRun run;
    try (Task task = LaunchOptions.begin(command.streams(), placement)) {
      WorkerProcess worker =
          new WorkerProcess(launch.command(variables, command.inputs()), request, placement);
      run =
          CompletedRun.of(
              events -> worker.run(events.andThen(printer::print), command.streams()::log),
              step -> task.detail(() -> step));
    }
    RunSummary summary = RunSummary.of(run.rows(), nccl.expectedBusbw());
    printer.print(summary, run.memory());
    if (isFirst) {
      file.ifPresent(plan -> plan.write(JSON, json(request, run, summary, startTime, variables)));
    }
    return summary;
  }

  private Answer json(
      RunRequest request,
      CompletedRun run,
      RunSummary summary,
      String startTime,
      Map<String, String> variables) {
    List<String> arguments = new ArrayList<>(List.of("topo"));
    arguments.addAll(command.spec().commandLine().getParseResult().originalArgs());
    return NcclTestsJson.of(
        request,
        run.started(),
        run.rows(),
        summary,
        new NcclTestsJson.Circumstances(arguments, variables, startTime, RunPrinter.now()));
  }
}
