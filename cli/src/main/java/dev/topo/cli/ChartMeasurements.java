package dev.topo.cli;

import dev.topo.cli.option.MeasurementFile;
import dev.topo.inspect.measured.JobMeasurements;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.visualizer.chart.Sweep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Measurements of jobs, beside the predictions for them.
 *
 * @param command has the options, and evaluates jobs
 */
record ChartMeasurements(ChartedJobCommand command) {
  private ChartOptions options() {
    return command.predictions();
  }

  /**
   * Measurements, beside a predictor if the machine is known: a sweep for each communicator of
   * which there are measurements.
   *
   * @param at the place of the file among all
   */
  List<Sweep> sweeps(Path file, String name, int at, NcclSettings settings) {
    if (!options().hasMachine()) {
      MeasuredRun run = run(file, OptionalInt.empty());
      if (run.gpuCounts().size() > 1) {
        throw Subcommand.unusable(
            file,
            "measured on different numbers of GPUs (%s): expected a file for each"
                .formatted(numbers(run.gpuCounts())));
      }
      return List.of(sweep(name, run, Optional.empty()));
    }
    RankLayout layout = options().layout(options().machine(at));
    List<Integer> ranks = ranks(command.resolved(layout, settings));
    MeasuredRun run = run(file, OptionalInt.of(ranks.get(0)));
    requireRanks(file, run, ranks);
    ResolvedJob resolved = command.resolved(layout, run.settings().with(settings));
    List<Sweep> sweeps = new ArrayList<>();
    for (JobPart part : resolved.parts()) {
      int nRanks = part.job().nRanks();
      if (resolved.parts().size() == 1 || run.gpuCounts().contains(nRanks)) {
        JobMeasurements.check(run, part.job());
        String label = part.label().isEmpty() ? name : name + ", communicator " + part.label();
        Predictor predictor = command.evaluated(part, Optional.of(run)).predictor();
        sweeps.add(sweep(label, run.ofRanks(nRanks), Optional.of(predictor)));
      }
    }
    command.note(resolved, settings);
    return sweeps;
  }

  private static List<Integer> ranks(ResolvedJob job) {
    return job.parts().stream().map(part -> part.job().nRanks()).distinct().toList();
  }

  private void requireRanks(Path file, MeasuredRun run, List<Integer> ranks) {
    for (int measured : run.gpuCounts()) {
      if (!ranks.contains(measured)) {
        throw Subcommand.unusable(
            file,
            "measured on %d GPUs, but %s %s"
                .formatted(
                    measured,
                    options().isJobStated()
                        ? ranks.size() > 1 ? "the communicators of the job have" : "the job has"
                        : "--machine has",
                    numbers(ranks)));
      }
    }
  }

  private static String numbers(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private Sweep sweep(String name, MeasuredRun run, Optional<Predictor> predictor) {
    return new Sweep(
        name,
        run.measurements().stream().filter(m -> options().isDrawn(m.sizeBytes())).toList(),
        run.peers().stream().filter(m -> options().isDrawn(m.sizeBytes())).toList(),
        predictor);
  }

  /**
   * Measurements of a file; {@code ranks} counts if the file does not contain the number of GPUs.
   */
  private MeasuredRun run(Path file, OptionalInt ranks) {
    return MeasurementFile.readAny(
        file,
        RunHints.of(options().collectives().collectives(), ranks, Optional.empty()),
        command.version(),
        command.inputs(),
        command.streams());
  }
}
