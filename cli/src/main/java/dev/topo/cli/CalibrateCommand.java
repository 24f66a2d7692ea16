package dev.topo.cli;

import dev.topo.cli.option.CalibrationOptions;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.cli.option.PairOptions;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.Topology;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.MeasuredFiles;
import dev.topo.simulator.verdict.NetworkReport;
import dev.topo.visualizer.times.ConstantList;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code topo calibrate}: the constants of a machine from measured times, and how far they hold.
 */
@Command(
    name = "calibrate",
    description = {
      "Fits the timing model to measured times; runs of several nodes fit the model of the network.",
      "Reports the remaining error by collective, algorithm and protocol, next to that of NCCL's own",
      "model, and which constants the times do not determine. Without FILE, evaluates a calibration on the measurements of --against."
    },
    footer = {
      "",
      "FILE: text or JSON of nccl-tests or topo run, a result of topo verify, or CSV with the columns",
      "gpus, collective, forced_algorithm, forced_protocol, bytes, time_us, time_inplace_us and,",
      "optionally, channels. State a forced algorithm and protocol by --algorithm and --protocol:",
      "the text of nccl-tests does not contain them.",
      "",
      "Example: topo calibrate result.json -o mine.calibration",
      "Example: topo calibrate *.txt --topology system.xml --against result.json -o mine.calibration",
      "Example: topo calibrate --calibration mine.calibration --against result.json --format markdown",
      "Example: topo predict system.xml --calibration mine.calibration",
      "Example: topo calibrate 2nodes.txt 4nodes.txt --topology node.xml -o mine.network",
      "Example: topo predict node.xml --nodes 8 --network mine.network",
      "Example: topo calibrate --show"
    })
final class CalibrateCommand extends Subcommand {
  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Measured times to fit to.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--against",
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Measured times to check the calibration with, not used for the fit; may be repeated.")
  private List<Path> against = new ArrayList<>();

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
          "Show the constants of the calibrations that come with topo, or of --calibration and --network, with unit and"
              + " meaning; fits nothing.")
  private boolean show;

  private final List<Caveat> caveats = new ArrayList<>();

  @Mixin private PairOptions pairs = new PairOptions();
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();

  @Override
  List<String> fileEndings() {
    return List.of(".calibration", ".network", ".txt");
  }

  @Override
  public Integer call() throws IOException {
    if (show) {
      return showConstants();
    }
    if (files.isEmpty() && against.isEmpty()) {
      throw new SettingException(
          "expected a FILE with measured times to fit to, or --against FILE (--help shows an example)");
    }
    if (files.isEmpty() && output != null) {
      throw new SettingException(
          "-o writes the fitted calibration: expected a FILE with measured times");
    }
    options.checkNaming();
    OutputPlan plan = plan(output); // fails before the fit if the file cannot be written
    MeasuredFiles machines =
        options.machines(
            this::topology, setting.forJob(environment(), version.rules(), streams()), evaluator());
    options.checkNodes();
    List<MeasuredRun> runs;
    List<MeasuredRun> others;
    try (Progress.Task task = begin("file", files.size() + against.size())) {
      runs = read(files, task);
      others = read(against, task);
    }
    List<MeasuredRun> all = Stream.concat(runs.stream(), others.stream()).toList();
    options.checkNodes(all, streams());
    CalibrationRun run =
        new CalibrationRun(
            options, calibration, version.profile(), machines(), machines, inputs(), streams());
    boolean isOfNetwork = all.stream().anyMatch(one -> options.nodes(one) > 1);
    String made = isOfNetwork ? ofNetwork(run, runs, others) : ofNode(run, runs, others);
    if (output != null) {
      plan.write(output, Answer.of(made));
    }
    return ExitStatus.DONE;
  }

  private int showConstants() throws IOException {
    if (!files.isEmpty() || !against.isEmpty() || output != null) {
      throw new SettingException("--show fits nothing: expected no FILE, --against and -o");
    }
    Optional<Calibration> machine = calibration.stated(inputs());
    Optional<NetworkCalibration> network = calibration.statedNetwork(inputs());
    boolean isAll = machine.isEmpty() && network.isEmpty();
    List<Calibration> machines = isAll ? CalibrationFile.shipped() : machine.stream().toList();
    List<NetworkCalibration> networks = isAll ? NetworkFile.shipped() : network.stream().toList();
    print(format.of(new ConstantList(machines, networks)));
    return ExitStatus.DONE;
  }

  /** Prints how well the model of a node fits; returns the calibration. */
  private String ofNode(CalibrationRun run, List<MeasuredRun> runs, List<MeasuredRun> others)
      throws IOException {
    Path first = (files.isEmpty() ? against : files).get(0);
    CalibrationReport report = run.ofNode(first, runs, others);
    print(format.of(report));
    return CalibrationFile.write(report.calibration());
  }

  /** Prints how well the model of the network fits; returns the calibration. */
  private String ofNetwork(CalibrationRun run, List<MeasuredRun> runs, List<MeasuredRun> others)
      throws IOException {
    options.checkNetwork();
    if (runs.isEmpty()) {
      throw new SettingException("--against: expected a FILE of several nodes to fit to as well");
    }
    format.checkNetwork();
    NetworkReport report = run.ofNetwork(runs, others);
    print(format.of(report));
    return NetworkFile.write(report.fitted());
  }

  private void print(Answer bare) throws IOException {
    String kind = format == CalibrationFormat.json ? "json" : "text";
    Answer answer =
        format == CalibrationFormat.csv
            ? bare
            : rendered(bare, envelope(version.rules(), CaveatFinder.grouped(caveats)), kind);
    answer.writeBytesTo(streams().out());
  }

  private InputMachines machines() {
    return input.machines(inputs(), streams());
  }

  private Topology topology(Path file, Optional<GpuSelection> gpus) {
    if (gpus.isEmpty()) {
      return machines().topology(file, version.profile());
    }
    Topology some = machines().topology(file, gpus.get(), version.profile());
    message(
        "note: of %s the first %s GPUs count, as many as took part"
            .formatted(file, some.gpus().size()));
    return some;
  }

  /** The runs of the files that have measurements. */
  private List<MeasuredRun> read(List<Path> paths, Progress.Task task) {
    RunHints unsaid = new RunHints(Optional.empty(), OptionalInt.empty(), pairs.forced());
    List<MeasuredRun> runs = new ArrayList<>();
    for (Path path : paths) {
      task.next();
      MeasuredRun run = MeasurementFile.readAny(path, unsaid, version, inputs(), streams());
      caveats.addAll(RunMismatches.ofRelease(run.file(), run.origin(), version.rules()));
      if (run.measurements().isEmpty()) {
        message("note: " + path + " " + run.emptyReason());
      } else {
        runs.add(run);
      }
    }
    return runs;
  }
}
