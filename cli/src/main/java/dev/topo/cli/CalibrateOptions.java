package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CallSizes.ByteSize;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.verdict.CalibrationNaming;
import dev.topo.simulator.verdict.MeasuredFiles;
import dev.topo.simulator.verdict.MeasurementSelection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of {@code topo calibrate} for the measurements, the fit and the resulting
 * calibration.
 */
final class CalibrateOptions {
  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "The topology that NCCL used; may be repeated for different numbers of GPUs. A result of topo verify contains"
              + " its own.")
  private List<Path> topologies = new ArrayList<>();

  @Option(
      names = "--actual",
      paramLabel = "FILE",
      description = "The actual machine, if NCCL used another topology (--topology).")
  private @Nullable Path actual;

  @Option(
      names = "--only",
      paramLabel = "WHICH",
      description =
          "${COMPLETION-CANDIDATES}: runs with forced algorithm and protocol, or with NCCL's choice (default:"
              + " ${DEFAULT-VALUE}).")
  private Which only = Which.all;

  @Option(
      names = "--min-size",
      paramLabel = "SIZE",
      description = "Ignore smaller sizes (default: 1).")
  private @Nullable String minSize;

  @Option(
      names = "--fix",
      paramLabel = "CONSTANT",
      split = ",",
      description = "Constants to keep from the calibration that the fit starts from.")
  private List<String> fixed = new ArrayList<>();

  @Option(names = "--name", description = "Name of the new calibration (default: fitted).")
  private String name = "fitted";

  @Option(
      names = "--origin",
      description =
          "Machine, date and NCCL version of the measurements (default: names of the files).")
  private @Nullable String origin;

  @Option(
      names = "--anonymous",
      description = "The new calibration names no file and no host, so that it can be shared.")
  private boolean anonymous;

  private enum Which {
    all,
    forced,
    chosen
  }

  /** The actual machine, if NCCL used another topology. */
  Optional<Path> actual() {
    return Optional.ofNullable(actual);
  }

  /** The topology files that NCCL used. */
  List<Path> topologies() {
    return topologies;
  }

  /**
   * The machines of runs.
   *
   * @param ranksPerProcess GPUs for which one thread launched kernels, if the user states it
   * @param reader reads the topology of a file, with all GPUs or a selection
   */
  MeasuredFiles machines(
      OptionalInt ranksPerProcess,
      BiFunction<Path, Optional<GpuSelection>, Topology> reader,
      NcclSettings settings,
      JobEvaluator evaluator) {
    return new MeasuredFiles(topologies, actual(), reader, settings, ranksPerProcess, evaluator);
  }

  /** Refuses a name or origin that a calibration file cannot hold: both are single lines. */
  void checkNaming() {
    refuseIf(
        name.isBlank() || (name + origin).lines().count() > 1,
        "--name and --origin: expected one line each");
  }

  /** The name and origin of the new calibration. */
  CalibrationNaming naming() {
    return new CalibrationNaming(name, Optional.ofNullable(origin), anonymous);
  }

  /** The constants to fit: all except those of {@code --fix}. */
  Set<Constant> free() {
    Set<Constant> free = Constant.allBut("--fix ", fixed);
    refuseIf(free.isEmpty(), "--fix leaves no constant to fit");
    return free;
  }

  /**
   * Compares stated nodes with the runs whose files list their hosts. A contradiction is an error
   * if no other run has the stated number, else a note.
   */
  static void checkNodes(int nodes, List<MeasuredRun> runs, Streams streams) {
    boolean isUsed = runs.stream().anyMatch(run -> run.nodes().isEmpty());
    for (MeasuredRun run : runs) {
      if (run.nodes().orElse(nodes) != nodes) {
        String contradiction =
            "lists %s, --nodes states %s"
                .formatted(QuantityFormat.count(run.nodes().getAsInt(), "host"), nodes);
        if (!isUsed) {
          throw new TopologyFormatException(
              SourceLocation.of(run.file()),
              contradiction + ": expected the same number, or no --nodes");
        }
        streams.message("note: " + run.file() + " " + contradiction + ": the list counts");
      }
    }
  }

  /** True if the user names constants to keep, or another machine than the declared one. */
  boolean isOfConstants() {
    return actual != null || !fixed.isEmpty();
  }

  /** Selects the measurements that are used. */
  MeasurementSelection selection() {
    long minimumBytes = ByteSize.parse(minSize == null ? "1" : minSize);
    return new MeasurementSelection(
        measurement ->
            measurement.sizeBytes() >= minimumBytes
                && (only == Which.all
                    || (only == Which.forced) == measurement.forced().isPresent()),
        "--only, --min-size");
  }
}
