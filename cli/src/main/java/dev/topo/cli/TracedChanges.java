package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.JobOptions;
import dev.topo.cli.option.JobOptions.JobInput;
import dev.topo.cli.terminal.Progress;
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
import dev.topo.visualizer.study.Changes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Changes that options ask for in a job that was traced.
 *
 * @param question evaluates communicators
 * @param followed the rules that the answer follows
 * @param change the edits, and how the job is scaled
 * @param advise whether to search for better settings
 * @param machine a node, where the nodes are not listed
 */
record TracedChanges(
    JobQuestion question,
    ReleaseRules followed,
    CalibrationOptions calibration,
    WorkloadOptions change,
    WorkloadAdviceOptions advise,
    Optional<Path> machine) {
  private JobRequest request(Job part, NcclProfile profile) {
    return calibration.resolver(question.command().inputs()).request(profile, JobPart.alone(part));
  }

  /** Evaluates a communicator by some rules. */
  JobResult evaluated(Job part, NcclProfile profile) {
    return question.command().evaluator().evaluate(request(part, profile));
  }

  /**
   * Effects of the changes.
   *
   * @param isChanged whether a change is requested
   * @param hasPlace whether the format has a place for advice
   */
  Changes of(WorkloadComparison comparison, TracedJob whole, boolean isChanged, boolean hasPlace) {
    advise.check(isChanged, hasPlace);
    return new Changes(
        isChanged
            ? Optional.of(
                new TracedChange(
                        change,
                        question.machines(),
                        single(),
                        question.job().counts().get(0),
                        followed,
                        this::evaluated)
                    .of(comparison, whole.settings()))
            : Optional.empty(),
        advise.isWanted() ? Optional.of(advice(comparison, whole)) : Optional.empty());
  }

  /**
   * The job of some traces: on the nodes that the options state or, where these are of a scaled
   * job, on as many as the ranks of the traces need.
   *
   * @param from makes machines of their files
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

  /** The node that a change is about. */
  private Path single() {
    return machine
        .filter(file -> !question.job().hasDomains())
        .orElseThrow(
            () ->
                new SettingException(
                    "--whatif, --scale and another --nccl: expected --machine FILE and no"
                        + " --nvlink-domain"));
  }

  private JobAdvice advice(WorkloadComparison comparison, TracedJob whole) {
    try (Progress.Task task = question.command().begin("advice", 1)) {
      task.next();
      Function<ProcessGroup, Adviser> advisers =
          whole.each(
              part ->
                  new Adviser(
                      question.command().evaluator(),
                      request(part, whole.profile()),
                      advise.may()));
      return new WorkloadAdviser(comparison, advisers, advise.may()).advise();
    }
  }
}
