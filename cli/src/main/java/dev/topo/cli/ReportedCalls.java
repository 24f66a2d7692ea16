package dev.topo.cli;

import dev.topo.cli.option.CallOptions.CollectiveOptions;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.CommandContext;
import dev.topo.inspect.measured.JobMeasurements;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.job.Job;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.visualizer.report.ReportSubject.Calls;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the calls of a report and for their measurements. */
final class ReportedCalls {
  @Option(
      names = "--measured",
      paramLabel = "FILE",
      description =
          "Measured times: text or JSON of nccl-tests or topo run, a result of topo verify, or CSV. Predictions use the"
              + " settings in it; --env takes precedence.")
  private @Nullable Path measured;

  @Option(
      names = "--sizes",
      paramLabel = "SIZES",
      description = "Bytes, as first:last:factor (default: " + CallSizes.USUAL + ") or as a list.")
  private @Nullable String sizes;

  @Mixin private CollectiveOptions collectives = new CollectiveOptions();

  /**
   * Reads the measurements of the requested calls of a job.
   *
   * @throws dev.topo.model.io.TopologyFormatException if the measurements are of another job or of
   *     other calls
   */
  Optional<MeasuredRun> run(Job job, VersionOptions version, CommandContext context) {
    if (measured == null) {
      return Optional.empty();
    }
    List<Collective> named = collectives.collectives();
    MeasuredRun run =
        MeasurementFile.read(
            measured,
            RunHints.of(named, OptionalInt.of(job.nRanks()), Optional.empty()),
            version,
            context);
    JobMeasurements.check(run, job);
    List<Long> around = sizes == null ? List.of() : CallSizes.parse(sizes);
    MeasuredRun requested =
        run.only(m -> named.contains(m.collective()) && CallSizes.areAround(around, m.sizeBytes()));
    if (requested.measurements().isEmpty()
        && requested.wrong().isEmpty()
        && peers(Optional.of(run)).isEmpty()) {
      throw JobMeasurements.noneAskedFor(run);
    }
    return Optional.of(requested);
  }

  /**
   * The calls to show beside a run. They include at least one collective, which the page requires.
   */
  Calls shown(Optional<MeasuredRun> run) {
    List<Collective> named = collectives.collectives();
    return new Calls(
        named.isEmpty() ? List.of(Collective.ALL_REDUCE) : named,
        peers(run),
        CallSizes.parse(sizes == null ? CallSizes.USUAL : sizes));
  }

  /**
   * The operations of sends and receives that the user names or, if the user names no operation,
   * that were measured.
   */
  private List<PeerOperation> peers(Optional<MeasuredRun> run) {
    return collectives.peers().stream()
        .filter(
            operation ->
                !collectives.isEmpty()
                    || run.stream()
                        .flatMap(measured -> measured.peers().stream())
                        .anyMatch(measurement -> measurement.operation() == operation))
        .toList();
  }
}
