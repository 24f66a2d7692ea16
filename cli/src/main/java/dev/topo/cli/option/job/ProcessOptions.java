package dev.topo.cli.option.job;

import dev.topo.cli.job.MeasurementFile;
import dev.topo.cli.output.Streams;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.settings.SettingException;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.measured.MeasuredRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for GPUs per process and CUDA graphs. */
public final class ProcessOptions {
  @Option(
      names = "--ranks-per-process",
      paramLabel = "N",
      description =
          "GPUs for which one thread launches kernels, one after the other, as nccl-tests' -g (default: 1; with"
              + " measurements the number in their file, else all).")
  private @Nullable Integer ranksPerProcess;

  @Option(
      names = "--cuda-graph",
      description =
          "Calls are replayed from a CUDA graph, as with nccl-tests' -G; kernels are not launched one by one.")
  private boolean cudaGraph;

  /** Whether the user gave one of the options. */
  public boolean isGiven() {
    return cudaGraph || ranksPerProcess != null;
  }

  /**
   * GPUs of one process; without the option what a run states. None where a CUDA graph launches
   * kernels.
   */
  public int gpusPerProcess(Job job, Optional<MeasuredRun> run, Streams streams) {
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
