package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.kernel.Buffers;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.ConcurrentParts;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec.GroupsAtOnce;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.OptionWords;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options for what determines a job's times besides its machines: processes and calibration.
 */
public final class EvaluationOptions {
  @Option(
      names = "--ranks-per-process",
      paramLabel = "N",
      description =
          "GPUs that one thread drives, as nccl-tests' -g (default: 1; with measurements the number in their file, or all"
              + " GPUs if it has none).")
  private @Nullable Integer ranksPerProcess;

  @Option(
      names = "--cuda-graph",
      description =
          "Calls are replayed from a CUDA graph, as with nccl-tests' -G; kernels are not launched one by one.")
  private boolean cudaGraph;

  @Option(
      names = "--launch-us",
      paramLabel = "US",
      description =
          "Microseconds that the host takes to launch the kernel of one GPU, as src/test/gpu/launch-time.c measures it"
              + " (default: as on the host of the calibration, with a range up to twice as much).")
  private @Nullable Double launchUs;

  @Option(
      names = "--buffers",
      paramLabel = "KIND",
      description =
          "Buffers of the calls: plain (default), registered (ncclCommRegister) or symmetric (windows).")
  private String buffers = "plain";

  @Option(
      names = "--groups-at-once",
      paramLabel = "N|split",
      description =
          "Number of groups of the same GPUs that make equal calls at the same time, each on a stream, as in PyTorch"
              + " (default: 1); or split: the groups of --split run at the same time and share ports, links and uplinks.")
  private String groups = "1";

  @Mixin private CalibrationOptions calibration = new CalibrationOptions();

  private @Nullable TimeResolver resolver;

  /** Whether the user gave an option for processes. */
  public boolean hasProcesses() {
    return cudaGraph || ranksPerProcess != null || launchUs != null;
  }

  /** Settings without those that times follow by these options. */
  public NcclSettings withoutModelled(NcclSettings settings) {
    NcclSettings others = calibration.withoutModelled(settings);
    return times().withoutModelled(others);
  }

  /** Whether the groups of a split run at the same time. */
  public boolean runsGroupsOfSplit() {
    return new GroupsAtOnce(groups).isOfSplit();
  }

  /**
   * The communicators of a split, where their calls run at the same time; empty where not.
   *
   * @param job whether the job is split
   */
  public Optional<ConcurrentGroups> concurrent(
      JobOptions job, List<JobPart> parts, JobEvaluator evaluator, NcclProfile profile) {
    if (!runsGroupsOfSplit()) {
      return Optional.empty();
    }
    if (!job.hasSplit()) {
      throw new SettingException(
          "--groups-at-once split: the groups are those of --split, expected --split");
    }
    return Optional.of(ConcurrentParts.of(parts, evaluator, profile));
  }

  /**
   * The question what NCCL makes of a part of a job, and what times its calls take.
   *
   * @param concurrent the parts of the job, where their calls run at the same time
   * @param run measurements of it, which may state the GPUs per process
   * @param actual the actual machine, if it differs from the declared one of the job
   * @param inputs reads the files that the options name
   */
  public JobRequest request(
      NcclProfile profile,
      JobPart part,
      Optional<ConcurrentGroups> concurrent,
      Optional<MeasuredRun> run,
      Optional<Machine> actual,
      Inputs inputs,
      Streams streams) {
    requireConcurrent(concurrent);
    run.ifPresent(
        one ->
            RunMismatches.ofNetwork(one.file(), one.origin(), part.job().machines())
                .forEach(caveat -> Envelope.report(caveat, streams::message)));
    return resolver(inputs, streams).request(profile, part, concurrent, run, actual);
  }

  private void requireConcurrent(Optional<ConcurrentGroups> concurrent) {
    if (runsGroupsOfSplit() && concurrent.isEmpty()) {
      throw new SettingException(
          "--groups-at-once split: for topo predict, expected a number here");
    }
  }

  private TimeResolver resolver(Inputs inputs, Streams streams) {
    if (resolver == null) {
      resolver = new TimeResolver(times(), inputs, note -> streams.message(OptionWords.of(note)));
    }
    return resolver;
  }

  private TimeSpec times() {
    return calibration.times(
        new TimeSpec.Processes(
            Optional.ofNullable(ranksPerProcess),
            cudaGraph,
            OptionValue.ofLabel("--buffers", buffers, Buffers.values(), Buffers::label, ""),
            new GroupsAtOnce(groups),
            Optional.ofNullable(launchUs)));
  }
}
