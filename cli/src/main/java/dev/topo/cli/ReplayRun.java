package dev.topo.cli;

import dev.topo.cli.ReplayOptions.ReplayFormat;
import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.cli.terminal.Streams;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.RunEvent;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.UsedDevice;
import dev.topo.hw.run.WorkerTeam;
import dev.topo.hw.verify.PlannedReplay;
import dev.topo.hw.verify.ReplayPlanner;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.hw.verify.RunJob;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Invocation;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.NcclRelease;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.workload.CallJoiner;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.visualizer.study.ReplayData;
import dev.topo.visualizer.study.ReplayText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.JobSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * {@code topo run --workload}: replays the calls of a job on real GPUs.
 *
 * @param options the traces and how they are replayed
 * @param launch how NCCL is run
 * @param rounds how often the calls are made
 * @param timeLimitSeconds a call without progress is ended after this time; 0 is never
 * @param evaluator predicts
 * @param inputs reads the traces
 * @param invocation the command, for the answer
 * @param log receives NCCL's output by lines
 */
record ReplayRun(
    ReplayOptions options,
    LaunchOptions launch,
    int rounds,
    int timeLimitSeconds,
    Streams streams,
    JobEvaluator evaluator,
    Inputs inputs,
    Invocation invocation,
    Consumer<String> log) {
  private static final Path ANSWER = Path.of("replay");

  /** What the workers said. */
  private record Outcome(RunEvent.Started started, RunEvent.Replayed replayed) {}

  /**
   * Replays and prints.
   *
   * @param variables the environment of the processes that load NCCL
   * @param file what else the answer is written to, if to any
   * @throws RunFailure if NCCL does not run
   */
  int run(Map<String, String> variables, Optional<OutputPlan> file) throws IOException {
    List<RankTrace> traces;
    try (Progress.Task task = streams.progress().begin("trace", options.files().size())) {
      traces = TraceFiles.read(options.files(), inputs, task::next);
    }
    CallTimeline timeline = new CallTimeline(traces);
    Workload workload = CallJoiner.join(traces, TraceFiles.worldSize(traces), timeline);
    PlannedReplay planned = new ReplayPlanner(workload, timeline).plan(options.hasGaps(), rounds);
    if (planned.plan().calls().isEmpty()) {
      throw new NothingFoundException(
          options.files().get(0)
              + ": no call can be replayed"
              + planned.sites().stream().findFirst().map(one -> ": " + one.reason()).orElse(""));
    }
    ProcessPlacement alone = launch.placement(variables, Optional.empty());
    NcclSettings settings = ThisHost.settings(variables);
    List<ProcessPlacement> placements =
        placements(
            variables,
            alone.announcing(ThisHost.of(settings, inputs).announcement()),
            planned.plan().nRanks());
    Outcome outcome =
        replay(variables, placements, RunRequest.of(planned.plan(), timeLimitSeconds));
    if (placements.get(0).index() == 0) {
      print(outcome, workload, planned, settings, file);
    }
    return ExitStatus.DONE;
  }

  /** Without a launcher, all processes are started here. */
  private static List<ProcessPlacement> placements(
      Map<String, String> variables, ProcessPlacement own, int nRanks) throws IOException {
    if (own.size() == 1) {
      return LaunchOptions.onThisHost(variables, own, nRanks);
    }
    if (own.size() != nRanks) {
      throw new SettingException(
          "the traced job has %d ranks, %d processes were launched: expected one for each rank"
              .formatted(nRanks, own.size()));
    }
    return List.of(own);
  }

  private Outcome replay(
      Map<String, String> variables, List<ProcessPlacement> placements, RunRequest request) {
    List<RunEvent> events = new ArrayList<>();
    try (Progress.Task task = LaunchOptions.begin(streams, placements.get(0))) {
      new WorkerTeam(launch.command(variables, inputs), request, placements)
          .run(
              event -> {
                events.add(event);
                if (event instanceof RunEvent.Step step) {
                  task.detail(step::text);
                }
              },
              log);
    }
    if (events.get(events.size() - 1) instanceof RunEvent.Failed failed) {
      throw new RunFailure(failed.reason(), failed.message());
    }
    return new Outcome(
        all(RunEvent.Started.class, events).findFirst().orElseThrow(),
        all(RunEvent.Replayed.class, events).findFirst().orElseThrow());
  }

  private static <E extends RunEvent> Stream<E> all(Class<E> kind, List<RunEvent> events) {
    return events.stream().filter(kind::isInstance).map(kind::cast);
  }

  private void print(
      Outcome outcome,
      Workload workload,
      PlannedReplay planned,
      NcclSettings settings,
      Optional<OutputPlan> file) {
    RunEvent.Started started = outcome.started;
    RunOrigin library = RunOrigin.ofVersion(String.valueOf(started.ncclVersion()));
    ReleaseRules rules = library.rules().orElse(ReleaseRules.DEFAULT);
    ReplayedWorkload replayed =
        planned.with(
            WorkloadComparison.of(workload, groups(started, settings, rules.profile())),
            outcome.replayed.calls());
    List<String> hosts = started.devices().stream().map(UsedDevice::host).distinct().toList();
    JobSummary summary =
        new JobSummary(String.join(", ", hosts), hosts.size(), started.devices().size());
    Envelope envelope = new Envelope(rules, CaveatFinder.ofRelease(rules), invocation);
    if (file.isPresent()) {
      file.get().write(ANSWER, answer(options.format(), envelope, summary, replayed, started));
    }
    ReplayFormat shown = file.isPresent() ? ReplayFormat.text : options.format();
    OutputPlan.onStdout(streams).write(ANSWER, answer(shown, envelope, summary, replayed, started));
  }

  private Answer answer(
      ReplayFormat format,
      Envelope envelope,
      JobSummary summary,
      ReplayedWorkload replayed,
      RunEvent.Started started) {
    String version = NcclRelease.parse(String.valueOf(started.ncclVersion())).toString();
    Answer answer =
        switch (format) {
          case text -> ReplayText.of(summary, replayed, version);
          case json -> ReplayData.json(summary, replayed, version);
          case csv -> ReplayData.csv(replayed);
        };
    return answer.render(envelope, format.name(), streams::message);
  }

  /** The communicators of the job, on the machines that its processes announced. */
  private Function<ProcessGroup, JobResult> groups(
      RunEvent.Started started, NcclSettings settings, NcclProfile profile) {
    Map<List<Integer>, JobResult> known = new HashMap<>();
    return group ->
        known.computeIfAbsent(
            group.ranks(),
            ranks -> {
              Job part = RunJob.of(started, ranks::contains, settings, profile);
              return evaluator.evaluate(
                  JobRequest.of(part, profile, List.of())
                      .withActual(Optional.of(part.machines().get(0))));
            });
  }
}
