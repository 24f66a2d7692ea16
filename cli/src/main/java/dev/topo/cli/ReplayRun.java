package dev.topo.cli;

import dev.topo.cli.ReplayOptions.ReplayFormat;
import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.option.ProbeSettings;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.hw.probe.ThisHost;
import dev.topo.hw.run.CompletedRun;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.ReplayPlan;
import dev.topo.hw.run.RunEvent;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.UsedDevice;
import dev.topo.hw.run.WorkerTeam;
import dev.topo.hw.verify.JobReplay;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.visualizer.study.ReplayText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.JobSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * {@code topo run --workload}: replays the calls of a job on real GPUs.
 *
 * @param command the command that it is a part of
 * @param options the traces and how they are replayed
 * @param launch how NCCL is run
 * @param log receives NCCL's output by lines
 */
record ReplayRun(
    Subcommand command, ReplayOptions options, LaunchOptions launch, Consumer<String> log) {
  private static final Path ANSWER = Path.of("replay");

  /**
   * Replays and prints.
   *
   * @param run how often the calls are made, and when one without progress is ended
   * @param variables the environment of the processes that load NCCL
   * @param file what else the answer is written to, if to any
   * @throws RunFailure if NCCL does not run
   */
  void run(RunRequest run, Map<String, String> variables, Optional<OutputPlan> file)
      throws IOException {
    JobReplay replay =
        JobReplay.of(
            command.traces(options.files()), options.hasGaps(), run.repetition().iterations());
    replay
        .fault()
        .ifPresent(
            fault -> {
              throw new NothingFoundException(options.files().get(0) + ": " + fault);
            });
    ProcessPlacement alone = launch.placement(variables, Optional.empty());
    NcclSettings settings = NcclSettings.ofEnvironment(variables);
    ThisHost host =
        ThisHost.of(ProbeSettings.ofThisHost(settings, command.inputs()), command.inputs());
    ReplayPlan plan = replay.planned().plan();
    List<ProcessPlacement> placements =
        placements(variables, alone.announcing(host.announcement()), plan.nRanks());
    CompletedRun completed =
        replay(variables, placements, RunRequest.of(plan, run.timeLimitSeconds()));
    if (placements.get(0).index() == 0) {
      print(completed, replay, settings, file);
    }
  }

  /** Without a launcher, all processes are started here. */
  private static List<ProcessPlacement> placements(
      Map<String, String> variables, ProcessPlacement placement, int nRanks) throws IOException {
    if (placement.size() == 1) {
      return LaunchOptions.onThisHost(variables, placement, nRanks);
    }
    if (placement.size() != nRanks) {
      throw new SettingException(
          "the traced job has %s ranks, %s processes were launched: expected one for each rank"
              .formatted(nRanks, placement.size()));
    }
    return List.of(placement);
  }

  private CompletedRun replay(
      Map<String, String> variables, List<ProcessPlacement> placements, RunRequest request) {
    try (Progress.Task task = LaunchOptions.begin(command.streams(), placements.get(0))) {
      WorkerTeam team =
          new WorkerTeam(launch.command(variables, command.inputs()), request, placements);
      return CompletedRun.of(events -> team.run(events, log), step -> task.detail(() -> step));
    }
  }

  private void print(
      CompletedRun completed, JobReplay replay, NcclSettings settings, Optional<OutputPlan> file) {
    RunEvent.Started started = completed.started();
    RunOrigin library = RunOrigin.ofVersion(String.valueOf(started.ncclVersion()));
    ReleaseRules rules = library.rules().orElse(ReleaseRules.DEFAULT);
    ReplayedWorkload replayed =
        replay.compare(completed, settings, rules.profile(), command.evaluator());
    Envelope envelope = command.envelope(rules, CaveatFinder.ofRelease(rules));
    file.ifPresent(
        plan -> plan.write(ANSWER, answer(options.format(), envelope, replayed, started)));
    ReplayFormat shown = file.isPresent() ? ReplayFormat.text : options.format();
    command.plan(null).write(ANSWER, answer(shown, envelope, replayed, started));
  }

  private Answer answer(
      ReplayFormat format, Envelope envelope, ReplayedWorkload replayed, RunEvent.Started started) {
    List<String> hosts = started.devices().stream().map(UsedDevice::host).distinct().toList();
    JobSummary summary =
        new JobSummary(String.join(", ", hosts), hosts.size(), started.devices().size());
    String version = NcclRelease.parse(String.valueOf(started.ncclVersion())).toString();
    Answer answer =
        switch (format) {
          case text -> ReplayText.of(summary, replayed, version);
          case json -> ReplayText.json(summary, replayed, version);
          case csv -> ReplayText.csv(replayed);
        };
    return command.rendered(answer, envelope, format.name());
  }
}
