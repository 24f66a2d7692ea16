package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.MeasuredFiles;
import dev.topo.simulator.verdict.NetworkReport;
import dev.topo.visualizer.times.ConstantList;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
      "Fits the timing model to measured times; runs of several nodes fit the model of the"
          + " network.",
      "Reports the remaining error by collective, algorithm and protocol, next to that of NCCL's"
          + " own",
      "model, and which constants the times do not determine. Without FILE, evaluates a calibration"
          + " on the measurements of --against."
    },
    footer = {
      "",
      "FILE: text or JSON of nccl-tests or topo run, a result of topo verify, or CSV with the"
          + " columns",
      "gpus, collective, forced_algorithm, forced_protocol, bytes, time_us, time_inplace_us and,",
      "optionally, channels. State a forced algorithm and protocol by --algorithm and --protocol:",
      "the text of nccl-tests does not contain them.",
      "",
      "Example: topo calibrate result.json -o mine.calibration",
      "Example: topo calibrate *.txt --topology system.xml --against result.json -o"
          + " mine.calibration",
      "Example: topo calibrate --calibration mine.calibration --against result.json --format"
          + " markdown",
      "Example: topo predict system.xml --calibration mine.calibration",
      "Example: topo calibrate 2nodes.txt 4nodes.txt --topology node.xml -o mine.network",
      "Example: topo predict node.xml --nodes 8 --network mine.network",
      "Example: topo calibrate --show"
    })
final class CalibrateCommand extends Subcommand {
  @Mixin private MachineQuestion question = new MachineQuestion(this);
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();

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

  @Override
  List<String> fileEndings() {
    return List.of(".calibration", ".network", ".txt");
  }

  @Override
  public Integer call() throws IOException {
    if (show) {
      return showConstants();
    }
    measured.check(output != null);
    options.checkNaming();
    OutputPlan plan = plan(output); // fails before the fit if the file cannot be written
    NcclSettings settings = question.settings(question.rules());
    options.checkNodes();
    CalibrationRuns.Read read;
    try (Task task = begin("file", measured.count())) {
      read = measured.read(question.version(), context(), task::next);
    }
    options.checkNodes(read.all(), streams());
    NcclProfile profile = read.rules().profile();
    MeasuredFiles machines =
        options.machines(
            (file, gpus) -> question.machines().topology(file, gpus, profile),
            settings,
            evaluator());
    CalibrationRun run =
        new CalibrationRun(options, calibration, profile, question.machines(), machines, context());
    String calibrationText =
        options.calibrateNetwork(read.all()) ? ofNetwork(run, read) : ofNode(run, read);
    if (output != null) {
      plan.write(output, Answer.of(calibrationText));
    }
    return ExitStatus.DONE;
  }

  private int showConstants() throws IOException {
    measured.checkNone(output != null);
    TimeResolver times = calibration.resolver(inputs());
    print(format.of(ConstantList.of(times.stated(), times.network())), question.rules(), List.of());
    return ExitStatus.DONE;
  }

  /**
   * Prints how well the model of a node fits the measurements; returns the text of the calibration
   * file.
   */
  private String ofNode(CalibrationRun run, CalibrationRuns.Read read) throws IOException {
    CalibrationReport report = run.ofNode(measured.first(), read.runs(), read.others());
    print(format.of(report), read.rules(), read.caveats());
    return CalibrationFile.write(report.calibration());
  }

  /**
   * Prints how well the model of the network fits the measurements; returns the text of the
   * calibration file.
   */
  private String ofNetwork(CalibrationRun run, CalibrationRuns.Read read) throws IOException {
    options.checkNetwork();
    refuseIf(
        read.runs().isEmpty(), "--against: expected a FILE of several nodes to fit to as well");
    format.checkNetwork();
    NetworkReport report = run.ofNetwork(read.runs(), read.others());
    print(format.of(report), read.rules(), read.caveats());
    return NetworkFile.write(report.fitted());
  }

  private void print(Answer answer, ReleaseRules rules, List<Caveat> caveats) throws IOException {
    rendered(answer, envelope(rules, CaveatFinder.grouped(caveats)), format.envelopeFormat())
        .writeBytesTo(streams().out());
  }
}
