package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.JobOptions.JobInput;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.advice.Adviser;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.simulator.workload.JobAdvice;
import dev.topo.simulator.workload.WorkloadAdviser;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.visualizer.study.WorkloadChanges;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The changes to a traced job that the options request.
 *
 * @param question evaluates communicators
 * @param rules the rules that the answer follows
 * @param change the edits, and the rule that scales the job
 * @param advise the options for advice on better settings
 * @param machine the topology of a node; empty if {@code --node} lists the nodes
 */
record TracedChanges(
    JobQuestion question,
    ReleaseRules rules,
    CalibrationOptions calibration,
    WorkloadOptions change,
    WorkloadAdviceOptions advise,
    Optional<Path> machine) {
  private JobRequest request(Job part, NcclProfile profile) {
    return calibration.resolver(question.command().inputs()).request(profile, JobPart.alone(part));
  }

  /** Evaluates a communicator by the rules of a release. */
  JobResult evaluated(Job part, NcclProfile profile) {
    return question.command().evaluator().evaluate(request(part, profile));
  }

  /**
   * Evaluates the changes and the advice.
   *
   * @param isChanged whether a change is requested
   * @param hasPlace whether the format can show advice
   */
  WorkloadChanges of(
      WorkloadComparison comparison, TracedJob tracedJob, boolean isChanged, boolean hasPlace) {
    advise.check(isChanged, hasPlace);
    return new WorkloadChanges(
        isChanged
            ? Optional.of(
                new TracedChange(
                        change,
                        question.machines(),
                        single(),
                        question.job().counts().get(0),
                        rules,
                        this::evaluated)
                    .of(comparison, tracedJob.settings()))
            : Optional.empty(),
        advise.isWanted() ? Optional.of(advice(comparison, tracedJob)) : Optional.empty());
  }

  /**
   * The job of the traces. It runs on the nodes that the options state or, if these are the nodes
   * of a scaled job, on as many as the ranks of the traces need.
   *
   * @param from builds machines from their files
   */
  TracedJob traced(List<RankTrace> traces, JobInput from) {
    List<Path> files = machine.stream().toList();
    JobOptions job = question.job();
    if (!change.isScaled()) {
      return new TracedJob(job.layout(files), from, job.parts(files, from).get(0));
    }
    int perNode = question.machines().topology(single(), from.profile()).gpus().size();
    int ranks = TracedPlace.worldSize(traces, perNode);
    int nodes = Math.max(1, (ranks + perNode - 1) / perNode);
    RankLayout layout = job.layout(files, nodes);
    return new TracedJob(layout, from, from.resolve(layout).parts().get(0));
  }

  /**
   * The topology file of the node that a change applies to.
   *
   * @throws SettingException if there is none, or the user states NVLink domains
   */
  private Path single() {
    return machine
        .filter(file -> !question.job().hasDomains())
        .orElseThrow(
            () ->
                new SettingException(
                    "--whatif, --scale and another --nccl: expected --machine FILE and no"
                        + " --nvlink-domain"));
  }

  private JobAdvice advice(WorkloadComparison comparison, TracedJob tracedJob) {
    try (Task task = question.command().begin("advice", 1)) {
      task.next();
      Function<ProcessGroup, Adviser> advisers =
          tracedJob.each(
              part ->
                  new Adviser(
                      question.command().evaluator(),
                      request(part, tracedJob.profile()),
                      advise.may()));
      return new WorkloadAdviser(comparison, advisers, advise.may()).advise();
    }
  }
}
