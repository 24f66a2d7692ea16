package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.CallOptions.CollectiveOptions;
import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.OutputOptions;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.Last;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.ChartSheet;
import dev.topo.visualizer.chart.MeasuredSeries;
import dev.topo.visualizer.chart.MeasuredSheet;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code topo chart}: draws measured, predicted and NCCL's own busbw by size. */
@Command(
    name = "chart",
    description = "Busbw by size: measured, predicted and NCCL's own model in one chart.")
final class ChartCommand extends Subcommand {
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin private JobQuestion question = JobQuestion.ofTimes(this, evaluation);

  @Mixin private ChartOptions predictions = new ChartOptions(question.job(), evaluation);

  private static final Path ANSWER = Path.of("chart");

  @Parameters(
      paramLabel = "DATA",
      arity = "0..*",
      description = "Measurements, a file for each machine or variant.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--show",
      description =
          "${COMPLETION-CANDIDATES}: busbw of NCCL's choice, of each forced algorithm and protocol,"
              + " or prediction errors (default: ${DEFAULT-VALUE}).")
  private Show show = Show.busbw;

  @Option(
      names = "--scaling",
      description =
          "DATA is the CSV of topo predict --nodes N,N: busbw by number of nodes, a chart for each"
              + " operation and size and a curve for each file.")
  private boolean scaling;

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the file name of -o, else svg).")
  private PictureFormat format = PictureFormat.svg;

  @Mixin private OutputOptions output = new OutputOptions();

  private enum Show {
    busbw,
    pairs,
    error
  }

  JobQuestion question() {
    return question;
  }

  ChartOptions predictions() {
    return predictions;
  }

  @Override
  public Integer call() {
    if (files.isEmpty() && !predictions.hasMachine()) {
      throw new ParameterException(spec().commandLine(), "Missing required parameter: 'DATA'");
    }
    if (scaling) {
      return draw(ChartPredictions.ofTables(this, files), question.rules(), List.of());
    }
    refuseIf(
        files.isEmpty() && show != Show.busbw,
        "--show %s compares measurements: expected DATA".formatted(show.name()));
    if (!files.isEmpty()) {
      return measured();
    }
    AskedJob asked = question.asked(List.of(), question.settings());
    List<Chart> charts = new ChartPredictions(this, asked).charts();
    return draw(charts, asked.rules(), asked.caveats().list());
  }

  private int measured() {
    predictions.checkMachines(files.size(), show == Show.error);
    NcclSettings settings = question.settings();
    ChartMeasurements measurements = new ChartMeasurements(this, settings, new ArrayList<>());
    DistinctNames names = new DistinctNames(files);
    List<MeasuredSeries> series = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      Path file = files.get(i);
      series.addAll(measurements.measured(file, names.of(file), i));
    }
    CollectiveOptions operations = predictions.collectives();
    MeasuredSheet sheet = new MeasuredSheet(series, operations.collectives(), operations.peers());
    List<Chart> charts =
        switch (show) {
          case busbw -> sheet.busbw();
          case pairs -> sheet.pairs();
          case error -> sheet.errors();
        };
    if (charts.isEmpty()) {
      throw unusable(files.get(0), "has no measurement of these operations by NCCL's choice");
    }
    List<AskedJob> asked = measurements.asked();
    return draw(
        charts,
        Last.of(asked).rules(),
        CaveatFinder.grouped(
            asked.stream().flatMap(job -> job.caveats().list().stream()).toList()));
  }

  private int draw(List<Chart> charts, ReleaseRules rules, List<Caveat> caveats) {
    Answer answer = new ChartSheet(charts).in(format.name());
    output
        .plan(List.of(ANSWER), format, context())
        .write(ANSWER, rendered(answer, envelope(rules, caveats), format));
    return ExitStatus.DONE;
  }

  /** Predicts a communicator; measurements of it may state the GPUs per process. */
  JobResult evaluated(AskedJob asked, JobPart part, Optional<MeasuredRun> run) {
    Optional<Machine> actual =
        Optional.ofNullable(predictions.actual())
            .map(file -> question.machines().actual(file, part, asked.profile()));
    JobResult result = asked.evaluated(evaluation, part, Optional.empty(), run, actual);
    asked.caveats().add(result.caveats(predictions.calls().stream().map(Call::operation).toList()));
    if (result.predictor().calibration().isEmpty() && result.predictor().network().isEmpty()) {
      message(
          "note: not calibrated (%s): times predicted are those of NCCL's own model"
              .formatted(result.request().selectedCalibration().reason()));
    }
    return result;
  }
}
