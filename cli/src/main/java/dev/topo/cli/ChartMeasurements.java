package dev.topo.cli;

import dev.topo.cli.option.MeasurementFile;
import dev.topo.inspect.measured.JobMeasurements;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.NcclSettings;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.RankLayout;
import dev.topo.visualizer.chart.MeasuredSeries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads measurements of jobs and pairs them with predictions.
 *
 * @param command provides the options and evaluates jobs
 * @param asked receives the job of each file
 */
record ChartMeasurements(ChartCommand command, NcclSettings settings, List<AskedJob> asked) {
  private ChartOptions options() {
    return command.predictions();
  }

  /**
   * Reads the measurements of a file and, if the machine is known, adds predictors: one series for
   * each communicator that has measurements.
   *
   * @param fileIndex index of the file among those of the command
   */
  List<MeasuredSeries> measured(Path file, String name, int fileIndex) {
    if (!options().hasMachine()) {
      MeasuredRun run = run(file, OptionalInt.empty());
      asked.add(stated().following(run.origin()));
      if (run.gpuCounts().size() > 1) {
        throw Subcommand.unusable(
            file,
            "measured on different numbers of GPUs (%s): expected a file for each"
                .formatted(numbers(run.gpuCounts())));
      }
      return List.of(series(name, run, Optional.empty()));
    }
    RankLayout layout = options().layout(options().machine(fileIndex));
    List<Integer> ranks = ranks(stated().resolved(layout));
    MeasuredRun run = run(file, OptionalInt.of(ranks.get(0)));
    requireRanks(file, run, ranks);
    AskedJob followed = stated().following(run);
    asked.add(followed);
    ResolvedJob resolved = followed.resolved(layout);
    List<MeasuredSeries> measured = new ArrayList<>();
    for (JobPart part : resolved.parts()) {
      int nRanks = part.job().nRanks();
      if (resolved.parts().size() == 1 || run.gpuCounts().contains(nRanks)) {
        JobMeasurements.check(run, part.job());
        String label = part.label().isEmpty() ? name : name + ", communicator " + part.label();
        CallPredictor predictor = command.evaluated(followed, part, Optional.of(run)).predictor();
        measured.add(series(label, run.ofRanks(nRanks), Optional.of(predictor)));
      }
    }
    command.question().addCaveats(followed.caveats(), resolved, settings, followed.profile());
    return measured;
  }

  private AskedJob stated() {
    return command.question().asked(List.of(), settings);
  }

  private static List<Integer> ranks(ResolvedJob job) {
    return job.parts().stream().map(part -> part.job().nRanks()).distinct().toList();
  }

  private void requireRanks(Path file, MeasuredRun run, List<Integer> ranks) {
    for (int measured : run.gpuCounts()) {
      if (!ranks.contains(measured)) {
        throw Subcommand.unusable(
            file,
            "measured on %s GPUs, but %s %s"
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
    return QuantityFormat.joined(", ", numbers, String::valueOf);
  }

  private MeasuredSeries series(String name, MeasuredRun run, Optional<CallPredictor> predictor) {
    return new MeasuredSeries(
        name,
        run.measurements().stream().filter(m -> options().isDrawn(m.sizeBytes())).toList(),
        run.peers().stream().filter(m -> options().isDrawn(m.sizeBytes())).toList(),
        predictor);
  }

  /**
   * Reads the measurements of a file. {@code ranks} applies if the file does not contain the number
   * of GPUs.
   */
  private MeasuredRun run(Path file, OptionalInt ranks) {
    return MeasurementFile.read(
        file,
        RunHints.of(options().collectives().collectives(), ranks, Optional.empty()),
        command.question().version(),
        command.context());
  }
}
