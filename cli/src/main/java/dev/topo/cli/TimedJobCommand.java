package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.network.ConcurrentGroups;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command about the times of a job, by the calibration and the processes that options state. */
abstract class TimedJobCommand extends JobCommand {
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();

  EvaluationOptions evaluation() {
    return evaluation;
  }

  /** Times of groups that run at the same time hold what they share. */
  @Override
  boolean hasTimes() {
    return !evaluation.runsGroupsOfSplit();
  }

  @Override
  NcclSettings marking(NcclSettings settings) {
    return evaluation.withoutModelled(settings);
  }

  /**
   * A communicator by itself.
   *
   * @param run measurements of it, which may state the GPUs per process
   */
  JobResult evaluated(JobPart part, Optional<MeasuredRun> run) {
    return evaluated(part, Optional.empty(), run, Optional.empty());
  }

  /**
   * The job beside others, on the actual machine.
   *
   * @param concurrent the communicators whose calls run at the same time; empty if it is alone
   * @param actual the machine that the data flows over, if it differs from the declared one
   */
  JobResult evaluated(
      JobPart part,
      Optional<ConcurrentGroups> concurrent,
      Optional<MeasuredRun> run,
      Optional<Machine> actual) {
    JobRequest request =
        evaluation.request(
            version().profile(),
            InputMachines.declared(part, actual, version().profile(), caveats()),
            concurrent,
            run,
            actual,
            inputs(),
            streams());
    JobResult result = evaluator().evaluate(request).requireKnownBuffers();
    caveats()
        .add(CaveatFinder.ofWindows(version().profile(), List.of(request.context().buffers())));
    return result;
  }

  /**
   * The actual machine of a job of one machine, whose caveats are added; empty where none is named.
   *
   * @param file its topology
   */
  Optional<Machine> actual(@Nullable Path file, JobPart part) {
    if (file == null) {
      return Optional.empty();
    }
    Machine machine = machines().actual(file, part, version().profile());
    caveats().addJob(Map.of(file, machine.topology()), 1, false, machine.settings());
    return Optional.of(machine);
  }
}
