package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.GpuSelection;
import dev.topo.search.topology.UnknownElements;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say how topology files are read. */
public final class InputOptions {
  @Option(
      names = "--gpus",
      paramLabel = "DEV",
      split = ",",
      converter = DeviceNumbers.class,
      description = "Run the job on these GPUs only, by device number: 0,1,4,5 or 0-3,6.")
  private List<Integer> gpus = new ArrayList<>();

  @Mixin private DiagnosticOptions diagnosticOptions = new DiagnosticOptions();

  @Option(
      names = "--ignore-unknown-elements",
      description =
          "Ignore elements that NCCL does not know, as NCCL does, instead of rejecting them.")
  private boolean ignoreUnknownElements;

  @Mixin private AssumptionOptions assumptionOptions = new AssumptionOptions();

  private @Nullable InputMachines machines;

  /** Whether notes are shown, too. */
  public boolean isVerbose() {
    return diagnosticOptions.isVerbose();
  }

  /** Whether the user selected GPUs. */
  public boolean hasSelection() {
    return !gpus.isEmpty();
  }

  /** The GPUs that take part. */
  public GpuSelection selection() {
    return gpus.isEmpty() ? GpuSelection.ALL : GpuSelection.of(Set.copyOf(gpus));
  }

  /**
   * The machines of the files of the command, the same object at each call.
   *
   * @param inputs reads the files
   * @param streams where messages about them go
   */
  public InputMachines machines(Inputs inputs, Streams streams) {
    if (machines == null) {
      machines =
          new InputMachines(
              selection(),
              ignoreUnknownElements ? UnknownElements.IGNORED : UnknownElements.REJECTED,
              assumptionOptions,
              diagnosticOptions,
              inputs,
              streams);
    }
    return machines;
  }
}
