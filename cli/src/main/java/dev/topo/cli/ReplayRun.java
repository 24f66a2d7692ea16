package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.option.ProbeSettings;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.hw.probe.ThisHost;
import dev.topo.hw.run.CompletedRun;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.ReplayPlan;
import dev.topo.hw.run.RunEvent.Started;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.UsedDevice;
import dev.topo.hw.verify.JobReplay;
import dev.topo.hw.verify.ReplayedWorkload;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.visualizer.study.ReplayOutput;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.JobSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code topo run --workload}: replays the calls of a job on real GPUs.
 *
 * @param command the command that runs it
 * @param options the traces and how they are replayed
 * @param launch how NCCL is run
 */
record ReplayRun(Subcommand command, ReplayOptions options, LaunchOptions launch) {
  private static final Path ANSWER = Path.of("replay");

  /**
   * Replays the calls and prints the comparison.
   *
   * @param run the number of repetitions, and the time limit for a call without progress
   * @param variables the environment of the processes that load NCCL
   * @param file where the answer is written besides stdout, if anywhere
   * @throws RunFailure if NCCL cannot run
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
    ProcessPlacement placement = launch.placement(variables, Optional.empty());
    NcclSettings settings = NcclSettings.ofEnvironment(variables);
    ThisHost host =
        ThisHost.of(ProbeSettings.ofThisHost(settings, command.inputs()), command.inputs());
    ReplayPlan plan = replay.planned().plan();
    List<ProcessPlacement> placements =
        placements(variables, placement.announcing(host.announcement()), plan.nRanks());
    CompletedRun completed =
        launch.run(
            variables, placements, RunRequest.of(plan, run.timeLimitSeconds()), command.context());
    if (placements.get(0).index() == 0) {
      print(completed, replay, settings, file);
    }
  }

  /** The placements of the processes to start: without a launcher all of them, else this one. */
  private static List<ProcessPlacement> placements(
      Map<String, String> variables, ProcessPlacement placement, int nRanks) throws IOException {
    if (placement.size() == 1) {
      return LaunchOptions.onThisHost(variables, placement, nRanks);
    }
    refuseIf(
        placement.size() != nRanks,
        "the traced job has %s ranks, %s processes were launched: expected one for each rank"
            .formatted(nRanks, placement.size()));
    return List.of(placement);
  }

  private void print(
      CompletedRun completed, JobReplay replay, NcclSettings settings, Optional<OutputPlan> file) {
    Started started = completed.started();
    RunOrigin library = RunOrigin.ofVersion(String.valueOf(started.ncclVersion()));
    ReleaseRules rules = library.rules().orElse(ReleaseRules.DEFAULT);
    ReplayedWorkload replayed =
        replay.compare(completed, settings, rules.profile(), command.evaluator());
    Envelope envelope = command.envelope(rules, CaveatFinder.ofRelease(rules));
    file.ifPresent(
        plan -> plan.write(ANSWER, answer(options.format(), envelope, replayed, started)));
    TextJsonOrCsv shown = file.isPresent() ? TextJsonOrCsv.text : options.format();
    command.plan(null).write(ANSWER, answer(shown, envelope, replayed, started));
  }

  private Answer answer(
      TextJsonOrCsv format, Envelope envelope, ReplayedWorkload replayed, Started started) {
    List<String> hosts = started.devices().stream().map(UsedDevice::host).distinct().toList();
    JobSummary summary =
        new JobSummary(String.join(", ", hosts), hosts.size(), started.devices().size());
    String version = NcclRelease.parse(String.valueOf(started.ncclVersion())).toString();
    Answer answer =
        switch (format) {
          case text -> ReplayOutput.of(summary, replayed, version);
          case json -> ReplayOutput.json(summary, replayed, version);
          case csv -> ReplayOutput.csv(replayed);
        };
    return command.rendered(answer, envelope, format);
  }
}
