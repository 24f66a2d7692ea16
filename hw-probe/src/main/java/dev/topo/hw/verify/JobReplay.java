package dev.topo.hw.verify;

import dev.topo.hw.run.CompletedRun;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.TraceMerger;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadComparison;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Replay of a traced job.
 *
 * @param workload calls of the job
 * @param planned the calls to replay
 */
public record JobReplay(Workload workload, PlannedReplay planned) {
  /**
   * Replay of the calls in some traces.
   *
   * @param hasGaps whether GPUs stay idle between calls for as long as in the job
   * @param rounds number of repetitions of the calls
   */
  public static JobReplay of(List<RankTrace> traces, boolean hasGaps, int rounds) {
    CallTimeline timeline = new CallTimeline(traces);
    Workload workload = TraceMerger.join(traces, TraceFiles.worldSize(traces), timeline);
    return new JobReplay(workload, new ReplayPlanner(workload, timeline).plan(hasGaps, rounds));
  }

  /** Reason why no call can be replayed; empty if one can. */
  public Optional<String> fault() {
    return planned.plan().calls().isEmpty()
        ? Optional.of(
            "no call can be replayed"
                + planned.sites().stream().findFirst().map(site -> ": " + site.reason()).orElse(""))
        : Optional.empty();
  }

  /**
   * Replayed calls compared with their traces and the predictions.
   *
   * @param run reports of the workers
   * @param settings NCCL settings of the replay
   * @param profile rules of the library that ran
   * @param evaluator predicts times
   */
  public ReplayedWorkload compare(
      CompletedRun run, NcclSettings settings, NcclProfile profile, JobEvaluator evaluator) {
    return planned.with(
        WorkloadComparison.of(workload, evaluation(run, settings, profile, evaluator)),
        run.replayed());
  }

  /**
   * Function that evaluates a communicator of the job on the machines that the processes announced.
   */
  private static Function<ProcessGroup, JobResult> evaluation(
      CompletedRun run, NcclSettings settings, NcclProfile profile, JobEvaluator evaluator) {
    Map<List<Integer>, JobResult> known = new HashMap<>();
    return group ->
        known.computeIfAbsent(
            group.ranks(),
            ranks -> {
              JobPart job = RunJob.of(run.started(), ranks::contains, settings, profile);
              return evaluator.evaluate(
                  job,
                  profile,
                  Optional.of(job.job().first()),
                  JobRequest.DEFAULT_GPUS_PER_PROCESS);
            });
  }
}
