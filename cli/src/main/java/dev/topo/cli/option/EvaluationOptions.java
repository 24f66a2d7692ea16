package dev.topo.cli.option;

import dev.topo.cli.option.JobOptions.JobPart;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.search.kernel.Buffers;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.CallContext;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.visualizer.view.Envelope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options for what determines a job's times besides its machines: processes and calibration.
 */
public final class EvaluationOptions {
  /** With more, channels would wait for multiprocessors, which the model does not know. */
  private static final int MOST_GROUPS = 4;

  private static final String OF_SPLIT = "split";
  private static final String GRAPH_REGISTER = "NCCL_GRAPH_REGISTER";

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

  /** Whether the user gave an option for processes. */
  public boolean hasProcesses() {
    return cudaGraph || ranksPerProcess != null;
  }

  /** Settings without those that times follow by these options. */
  public NcclSettings withoutModelled(NcclSettings settings) {
    NcclSettings others = calibration.withoutModelled(settings);
    if (cudaGraph) {
      others = others.without(Set.of(GRAPH_REGISTER));
    }
    return buffers() == Buffers.PLAIN ? others : BuffersOption.withoutModelled(others);
  }

  /**
   * The question what NCCL makes of a job, and what times its calls take.
   *
   * @param run measurements of it, which may state the GPUs per process
   * @param actual the actual machine, if it differs from the declared one of the job
   * @param inputs reads the files that the options name
   */
  public JobRequest request(
      NcclProfile profile,
      Job job,
      Optional<MeasuredRun> run,
      Optional<Machine> actual,
      Inputs inputs,
      Streams streams) {
    requireConcurrent(Optional.empty());
    return calibration.applyTo(uncalibrated(job, profile, run, actual, streams), inputs);
  }

  /**
   * The same for a part of a job.
   *
   * @param concurrent the parts, where their calls run at the same time
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
    int machines = part.whole().machines().size();
    List<Integer> hosts =
        concurrent.isPresent()
            ? IntStream.range(0, machines).boxed().toList()
            : part.places().get(0);
    JobRequest alone = uncalibrated(part.job(), profile, run, actual, streams);
    return calibration.applyTo(
        concurrent.map(alone::withConcurrent).orElse(alone), part.whole(), hosts, inputs);
  }

  private void requireConcurrent(Optional<ConcurrentGroups> concurrent) {
    if (runsGroupsOfSplit() && concurrent.isEmpty()) {
      throw new SettingException(
          "--groups-at-once split: for topo predict, expected a number here");
    }
  }

  /**
   * The answer, where it is known what NCCL runs on the requested buffers.
   *
   * @throws SettingException where it is not
   */
  public JobResult known(JobResult result) {
    CallPaths.of(result.communicator())
        .unknown(buffers())
        .ifPresent(
            why -> {
              throw new SettingException("--buffers " + buffers + ": " + why);
            });
    return result;
  }

  /** Whether the groups of a split run at the same time. */
  public boolean runsGroupsOfSplit() {
    return groups.equals(OF_SPLIT);
  }

  private JobRequest uncalibrated(
      Job job,
      NcclProfile profile,
      Optional<MeasuredRun> run,
      Optional<Machine> actual,
      Streams streams) {
    run.ifPresent(
        one ->
            RunMismatches.ofNetwork(one.file(), one.origin(), job.machines())
                .forEach(caveat -> Envelope.report(caveat, streams::message)));
    return JobRequest.of(job, profile, List.of())
        .withContext(
            CallContext.USUAL
                .withGpusPerProcess(gpusPerProcess(job, run, streams))
                .withBuffers(buffers())
                .withGroups(groups()))
        .withActual(actual);
  }

  private Buffers buffers() {
    return OptionValue.ofLabel("--buffers", buffers, Buffers.values(), Buffers::label, "");
  }

  private int groups() {
    if (runsGroupsOfSplit()) {
      return 1;
    }
    if (!groups.matches("[1-" + MOST_GROUPS + "]")) {
      throw new SettingException(
          "--groups-at-once " + groups + ": expected 1 to " + MOST_GROUPS + ", or split");
    }
    return Integer.parseInt(groups);
  }

  /** GPUs of one process, by option or else the run; none where a CUDA graph launches kernels. */
  private int gpusPerProcess(Job job, Optional<MeasuredRun> run, Streams streams) {
    int most = job.machines().stream().mapToInt(Machine::nRanks).max().orElseThrow();
    if (cudaGraph && ranksPerProcess != null) {
      throw new SettingException("--cuda-graph: --ranks-per-process has no effect with it");
    }
    if (cudaGraph) {
      return 0;
    }
    if (ranksPerProcess == null) {
      return run.map(one -> MeasurementFile.gpusPerProcess(one, most, streams))
          .orElse(JobRequest.DEFAULT_GPUS_PER_PROCESS);
    }
    if (ranksPerProcess < 1 || ranksPerProcess > most) {
      throw new SettingException(
          "--ranks-per-process " + ranksPerProcess + ": expected 1 to " + most);
    }
    return ranksPerProcess;
  }
}
