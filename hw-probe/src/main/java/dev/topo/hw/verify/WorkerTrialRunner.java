package dev.topo.hw.verify;

import dev.topo.hw.run.Blocking;
import dev.topo.hw.run.CompletedRun;
import dev.topo.hw.run.ProcessLayout;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.Reporting;
import dev.topo.hw.run.RunCalls;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.WorkerCommand;
import dev.topo.hw.run.WorkerProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Measures with real NCCL on the GPUs of this machine, with a thread for each.
 *
 * @param variables environment of the processes that load NCCL, with the settings of the job
 * @param command returns the command of a process with an environment
 * @param placement placement of this process, without a launcher
 */
public record WorkerTrialRunner(
    Map<String, String> variables,
    Function<Map<String, String>, WorkerCommand> command,
    ProcessPlacement placement,
    int gpus)
    implements TrialRunner {
  private static final Repetition REPETITION = new Repetition(20, 1, 5, 1, 0, Blocking.NONE, 0);
  private static final int TIME_LIMIT_SECONDS = 120;

  public WorkerTrialRunner {
    variables = Map.copyOf(variables);
  }

  @Override
  public List<Time> run(TrialRun run) {
    Map<String, String> merged = new HashMap<>(variables);
    merged.putAll(run.setup().settings().values());
    run.forced().ifPresent(pair -> merged.putAll(pair.settings()));
    RunRequest request =
        RunRequest.of(
            RunCalls.ofFloatSums(run.operations(), run.sizes()),
            REPETITION,
            Reporting.DEFAULTS,
            ProcessLayout.of(gpus, 1, VerifyRequest.registration(run.setup().buffers())),
            TIME_LIMIT_SECONDS,
            Optional.empty());
    WorkerProcess worker = new WorkerProcess(command.apply(merged), request, placement);
    return CompletedRun.of(events -> worker.run(events, line -> {}), step -> {}).rows().stream()
        .map(row -> new Time(row.collective().label(), row.sizeBytes(), row.outOfPlace().timeUs()))
        .toList();
  }
}
