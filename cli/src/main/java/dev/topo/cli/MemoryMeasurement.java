package dev.topo.cli;

import dev.topo.cli.option.LaunchOptions;
import dev.topo.hw.run.CompletedRun;
import dev.topo.hw.run.MemoryPlan;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunRequest;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.visualizer.hardware.TakenMemoryText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code topo run --memory-steps}: measures the memory that NCCL allocates on the GPU of the first
 * rank.
 *
 * @param command the command that runs it
 * @param steps the steps, in the syntax of {@code topo memory}
 * @param launch how NCCL is run
 */
record MemoryMeasurement(Subcommand command, List<String> steps, LaunchOptions launch) {
  /**
   * Measures and prints the memory.
   *
   * @param run the GPUs of a host, and the time limit for a call without progress
   * @param variables the environment of the processes that load NCCL
   * @throws RunFailure if NCCL cannot run
   */
  void run(RunRequest run, Map<String, String> variables) throws IOException {
    MemoryPlan plan = plan(steps);
    ProcessPlacement placement = launch.placement(variables, Optional.empty());
    List<ProcessPlacement> placements =
        placement.size() > 1
            ? List.of(placement)
            : LaunchOptions.onThisHost(variables, placement, run.use().gpus());
    CompletedRun completed =
        launch.run(
            variables, placements, RunRequest.of(plan, run.timeLimitSeconds()), command.context());
    int nRanks = placements.get(0).size();
    if (placements.get(0).index() == 0) {
      command.print(TakenMemoryText.of(completed.started(), nRanks, completed.taken()));
    }
  }

  /**
   * The calls of these steps. Initialization, which always comes first, is not a call of the plan.
   */
  static MemoryPlan plan(List<String> steps) {
    List<MemoryPlan.Call> calls = new ArrayList<>();
    for (String text : steps) {
      MemoryStep step;
      try {
        step = MemoryStep.parse(text);
      } catch (IllegalArgumentException e) {
        throw new SettingException("--memory-steps: " + e.getMessage());
      }
      if (!(step instanceof MemoryStep.Init)) {
        calls.add(call(step));
      }
    }
    return new MemoryPlan(calls);
  }

  private static MemoryPlan.Call call(MemoryStep step) {
    Optional<MemoryPlan.Call> call = Optional.empty();
    if (step instanceof MemoryStep.CollectiveStep collectiveStep
        && step.label().split(" ").length == 3) {
      call =
          RunCollective.ofLabel(collectiveStep.call().collective().ncclTestsName())
              .map(
                  run -> new MemoryPlan.Call(step.label(), run, collectiveStep.call().sizeBytes()));
    } else if (step instanceof MemoryStep.PeerStep peerStep
        && step.label().split(" ").length == 3) {
      call =
          RunCollective.ofLabel(peerStep.operation().ncclTestsName())
              .map(run -> new MemoryPlan.Call(step.label(), run, peerStep.sizeBytes()));
    }
    return call.orElseThrow(
        () ->
            new SettingException(
                "--memory-steps '%s': expected init, or calls on plain buffers as in all_reduce 256 MiB"
                    .formatted(step.label())));
  }
}
