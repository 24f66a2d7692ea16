package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.model.Topology;
import dev.topo.model.io.SpecField;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.MeasuredFiles;
import dev.topo.simulator.verdict.MeasurementPlan;
import dev.topo.simulator.verdict.NodeMeasurements;
import dev.topo.simulator.verdict.OwnReport;
import dev.topo.visualizer.times.ConstantList;
import dev.topo.visualizer.times.OwnCalibrationOutput;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code topo calibrate}: fits the constants of a machine to measured times, and reports how well
 * they hold.
 */
@Command(
    name = "calibrate",
    description = {
      "Corrects the predictions of your own machine by measured times, from three sizes of a",
      "collective on; fits the constants of a node to many times of forced algorithms.",
      "Reports how far predictions are off before and after, what the times determine, and which of",
      "them contradict the others. Without FILE, evaluates a calibration on the measurements of"
          + " --against."
    })
final class CalibrateCommand extends Subcommand {
  /** Forced times from which on the constants of a node are fitted, as topo verify measures. */
  private static final int LEAST_FITTED = 50;

  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin private JobQuestion question = JobQuestion.ofTimes(this, evaluation);

  @Mixin private CalibrationRuns measured = new CalibrationRuns();
  @Mixin private CalibrateOptions options = new CalibrateOptions();

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private CalibrationFormat format = CalibrationFormat.text;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the new calibration to this file, for --calibration.")
  private @Nullable Path output;

  @Option(
      names = "--show",
      description =
          "Show the constants of the calibrations that come with topo, or of --calibration and"
              + " --network, with unit and meaning; fits nothing.")
  private boolean show;

  @Option(
      names = "--plan",
      description =
          "Print the runs of nccl-tests whose times tell most of the job of FILE, a topology; fits"
              + " nothing.")
  private boolean plan;

  @Override
  List<String> fileEndings() {
    return List.of(".calibration", ".txt");
  }

  @Override
  public Integer call() throws IOException {
    if (show) {
      return showConstants();
    }
    if (plan) {
      return showPlan();
    }
    measured.check(output != null);
    options.checkNaming();
    OutputPlan plan = plan(output); // fails before the fit if the file cannot be written
    int nodes = question.job().counts().get(0);
    NcclSettings settings = question.settings();
    Optional<JobPart> job = job(settings);
    CalibrationRuns.Read read;
    try (Task task = begin("file", measured.count())) {
      read =
          measured.read(
              job.map(whole -> whole.job().nRanks()), question.version(), context(), task::next);
    }
    if (question.job().isGiven()) {
      CalibrateOptions.checkNodes(nodes, read.all(), streams());
    }
    MeasuredFiles machines =
        options.machines(
            evaluation.ranksPerProcess(),
            (file, gpus) -> question.machines().topology(file, gpus, read.rules().profile()),
            settings,
            evaluator());
    AskedJob asked = new AskedJob(question, options.topologies(), settings, read.rules());
    String calibrationText =
        calibrated(new CalibrationRun(options, evaluation, asked, job, machines, context()), read);
    if (output != null) {
      plan.write(output, Answer.of(calibrationText));
    }
    return ExitStatus.DONE;
  }

  /** The job that the options describe; empty where each file of measurements has its machine. */
  private Optional<JobPart> job(NcclSettings settings) {
    if (options.topologies().size() != 1 && !question.job().hasNodeList()) {
      return Optional.empty();
    }
    List<JobPart> parts = question.parts(options.topologies(), settings, question.profile());
    refuseIf(parts.size() > 1, "--split: times are of one communicator, expected --ranks");
    return Optional.of(parts.get(0));
  }

  /**
   * Prints how well predictions fit the measurements; returns the text of the calibration file.
   * Many forced times of one node determine its constants; fewer correct predictions.
   */
  private String calibrated(CalibrationRun run, CalibrationRuns.Read read) throws IOException {
    boolean isOneNode = read.all().stream().allMatch(one -> run.nodes(one) == 1);
    boolean isFit =
        isOneNode && (read.runs().isEmpty() || options.isOfConstants() || isOfConstants(read));
    refuseIf(
        !isFit && options.isOfConstants(),
        "--actual and --fix are for fits of the constants of one node");
    refuseIf(
        !isFit && read.runs().isEmpty(),
        "--against: expected a FILE of several nodes to correct predictions by as well");
    if (!isFit) {
      OwnReport report = run.corrected(read.runs(), read.others());
      print(format.of(report), read.rules(), read.caveats());
      return report.calibration().write();
    }
    NodeMeasurements times = run.inNode(measured.first(), read.runs(), read.others());
    Optional<Topology> actual =
        options.actual().map(file -> question.machines().topology(file, read.rules().profile()));
    CalibrationReport report =
        read.runs().isEmpty() ? run.judged(times, actual) : run.fitted(times, actual);
    print(format.of(report), read.rules(), read.caveats());
    return CalibrationFile.write(report.calibration());
  }

  /** True if runs are of forced algorithms, enough of them to fit constants. */
  private boolean isOfConstants(CalibrationRuns.Read read) {
    return !evaluation.isOfOtherCalls()
        && read.runs().stream()
                .flatMap(run -> run.measurements().stream())
                .filter(measurement -> measurement.forced().isPresent())
                .count()
            >= LEAST_FITTED;
  }

  private int showPlan() throws IOException {
    List<Path> files = measured.ofPlan(output != null);
    AskedJob asked = question.asked(files, question.settings());
    List<JobPart> parts = question.communicating(asked.parts(), "");
    JobResult job = asked.evaluated(evaluation, parts.get(0), Optional.empty());
    String command =
        context().invocation().commandLine().replace(" --plan", "").replace(" " + files.get(0), "")
            + " *.txt %s %s -o mine.calibration"
                .formatted(OptionWords.of(SpecField.TOPOLOGY), files.get(0));
    print(
        OwnCalibrationOutput.of(
            MeasurementPlan.of(job.predictor()),
            evaluation.ranksPerProcess().orElse(1),
            asked.settings(),
            command),
        question.rules(),
        List.of());
    return ExitStatus.DONE;
  }

  private int showConstants() throws IOException {
    measured.checkNone(output != null);
    TimeResolver times = evaluation.resolver(context());
    print(format.of(ConstantList.of(times.stated(), times.network())), question.rules(), List.of());
    return ExitStatus.DONE;
  }

  private void print(Answer answer, ReleaseRules rules, List<Caveat> caveats) throws IOException {
    rendered(answer, envelope(rules, CaveatFinder.grouped(caveats)), format.envelopeFormat())
        .writeBytesTo(streams().out());
  }
}
