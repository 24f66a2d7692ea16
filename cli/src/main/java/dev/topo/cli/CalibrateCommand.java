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
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.Measurement;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.ByteSize;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.Calibration.MeasuredOn;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.Constant;
import dev.topo.simulator.calibration.SelectedCalibration;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkFile;
import dev.topo.simulator.verdict.CalibrationFit;
import dev.topo.simulator.verdict.CalibrationFit.FitObservation;
import dev.topo.simulator.verdict.CalibrationFit.FitResult;
import dev.topo.simulator.verdict.CalibrationReport;
import dev.topo.simulator.verdict.CalibrationReport.CalibrationSet;
import dev.topo.simulator.verdict.MeasuredFiles;
import dev.topo.simulator.verdict.MeasuredSet;
import dev.topo.simulator.verdict.NetworkReport;
import dev.topo.simulator.verdict.NetworkTimes;
import dev.topo.visualizer.times.CalibrationOutput;
import dev.topo.visualizer.times.NetworkCalibrationOutput;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
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
      "Example: topo predict node.xml --nodes 8 --network mine.network"
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
      names = "--ranks-per-process",
      paramLabel = "N",
      description =
          "GPUs for which one thread launched kernels (default: the number in the file, else all).")
  private @Nullable Integer ranksPerProcess;

  @Option(
      names = "--only",
      paramLabel = "WHICH",
      description =
          "${COMPLETION-CANDIDATES}: runs with forced algorithm and protocol, or with NCCL's choice (default:"
              + " ${DEFAULT-VALUE}).")
  private Which only = Which.all;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "Nodes that took part, for files that do not list hosts (default: 1). The runs of several nodes calibrate the network.")
  private @Nullable Integer nodes;

  @Option(
      names = "--min-size",
      paramLabel = "SIZE",
      description = "Ignore smaller sizes (default: 1, between nodes 1M).")
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

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private ReportFormat format = ReportFormat.text;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the new calibration to this file, for --calibration.")
  private @Nullable Path output;

  private final List<Caveat> caveats = new ArrayList<>();

  @Mixin private PairOptions pairs = new PairOptions();
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();

  private enum Which {
    all,
    forced,
    chosen
  }

  private enum ReportFormat {
    text,
    json,
    csv,
    markdown
  }

  @Override
  List<String> fileEndings() {
    return List.of(".calibration", ".network", ".txt");
  }

  @Override
  public Integer call() throws IOException {
    if (files.isEmpty() && against.isEmpty()) {
      throw new SettingException(
          "expected a FILE with measured times to fit to, or --against FILE (--help shows an example)");
    }
    if (files.isEmpty() && output != null) {
      throw new SettingException(
          "-o writes the fitted calibration: expected a FILE with measured times");
    }
    if (name.isBlank() || (name + origin).lines().count() > 1) {
      throw new SettingException("--name and --origin: expected one line each");
    }
    OutputPlan plan = plan(output); // fails before the fit if the file cannot be written
    NcclSettings settings = setting.forJob(environment(), version.rules(), streams());
    MeasuredFiles machines =
        new MeasuredFiles(
            topologies,
            Optional.ofNullable(actual),
            this::topology,
            settings,
            ranksPerProcess == null ? OptionalInt.empty() : OptionalInt.of(ranksPerProcess),
            evaluator());
    if (nodes != null && nodes < 1) {
      throw new SettingException("--nodes " + nodes + ": expected 1 or more");
    }
    List<MeasuredRun> runs;
    List<MeasuredRun> otherRuns;
    try (Progress.Task task = begin("file", files.size() + against.size())) {
      runs = read(files, task);
      otherRuns = read(against, task);
    }
    List<MeasuredRun> all = Stream.concat(runs.stream(), otherRuns.stream()).toList();
    checkNodes(all);
    if (all.stream().anyMatch(run -> nodes(run) > 1)) {
      calibrateNetwork(machines, runs, otherRuns, plan);
      return ExitStatus.DONE;
    }
    List<MeasuredSet> fitted = sets(machines, runs);
    List<MeasuredSet> others = sets(machines, otherRuns);
    if (fitted.isEmpty() && others.isEmpty()) {
      throw unusable(
          (files.isEmpty() ? against : files).get(0),
          "and the other files have no measurement of a collective that has algorithms");
    }
    SelectedCalibration start = start(fitted, others);
    Calibration used = start.calibration().orElseGet(Calibration::typical);
    Optional<FitResult> fit = Optional.empty();
    if (!fitted.isEmpty()) {
      fit = Optional.of(fit(fitted, used));
      used = fit.get().calibration();
    }
    CalibrationReport report =
        new CalibrationReport(
            used,
            fit,
            start.calibration().isPresent()
                ? start.reason()
                : "from typical constants: " + start.reason(),
            Stream.concat(
                    fitted.stream().map(set -> new CalibrationSet(set, true)),
                    others.stream().map(set -> new CalibrationSet(set, false)))
                .toList());
    write(report, plan);
    return ExitStatus.DONE;
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

  private SelectedCalibration start(List<MeasuredSet> fitted, List<MeasuredSet> others) {
    MeasuredSet first = fitted.isEmpty() ? others.get(0) : fitted.get(0);
    SelectedCalibration use =
        calibration.use(
            actual == null ? first.topology() : machines().topology(actual, version.profile()),
            inputs());
    if (use.calibration().isEmpty() && fitted.isEmpty()) {
      throw new SettingException(
          "no calibration to compare with the measurements (%s): name one with --calibration"
              .formatted(use.reason()));
    }
    return use;
  }

  private Answer rendered(Answer answer, String kind) {
    return rendered(answer, envelope(version.rules(), CaveatFinder.grouped(caveats)), kind);
  }

  private void write(CalibrationReport report, OutputPlan plan) throws IOException {
    Answer answer =
        switch (format) {
          case text -> rendered(CalibrationOutput.text(report), "text");
          case json -> rendered(CalibrationOutput.json(report), "json");
          case csv -> CalibrationOutput.csv(report);
          case markdown -> rendered(CalibrationOutput.markdown(report), "text");
        };
    answer.writeBytesTo(streams().out());
    if (output != null) {
      plan.write(output, Answer.of(CalibrationFile.write(report.calibration())));
    }
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

  private int nodes(MeasuredRun run) {
    return run.nodes().orElse(nodes == null ? 1 : nodes);
  }

  /** {@code --nodes} is for files that list no hosts: others must not contradict it unnoticed. */
  private void checkNodes(List<MeasuredRun> runs) {
    boolean isUsed = runs.stream().anyMatch(run -> run.nodes().isEmpty());
    for (MeasuredRun run : runs) {
      if (nodes != null && run.nodes().orElse(nodes) != nodes) {
        String words =
            "lists %s, --nodes states %d"
                .formatted(QuantityFormat.count(run.nodes().getAsInt(), "host"), nodes);
        if (!isUsed) {
          throw new TopologyFormatException(
              SourceLocation.of(run.file()), words + ": expected the same number, or no --nodes");
        }
        message("note: " + run.file() + " " + words + ": the list counts");
      }
    }
  }

  private void calibrateNetwork(
      MeasuredFiles machines, List<MeasuredRun> runs, List<MeasuredRun> others, OutputPlan plan)
      throws IOException {
    if (actual != null || !fixed.isEmpty()) {
      throw new SettingException(
          "runs of several nodes calibrate the network: --actual and --fix are for runs of one node");
    }
    if (runs.isEmpty()) {
      throw new SettingException("--against: expected a FILE of several nodes to fit to as well");
    }
    if (format == ReportFormat.markdown) {
      throw new SettingException(
          "--format markdown: the calibration of a network is reported as text, json or csv");
    }
    List<NetworkTimes> times = new ArrayList<>();
    List<NetworkTimes> kept = new ArrayList<>();
    NetworkCalibration base = NetworkCalibration.typical();
    for (MeasuredRun run : Stream.concat(runs.stream(), others.stream()).toList()) {
      Predictor job = job(machines, run);
      MeasuredRun requested = wanted(run);
      List<NetworkTimes> found = NetworkTimes.of(requested, nodes(run), job);
      if (found.isEmpty()) {
        throw unusable(
            Path.of(run.file()),
            "contains no requested call between nodes that the model of the network covers (--min-size)");
      }
      int missing = requested.measurements().size() - found.size();
      if (missing > 0) {
        message(
            "note: %s: %d of %d times are of calls that NCCL would not make on these nodes, or that the model of the network does not cover"
                .formatted(run.file(), missing, requested.measurements().size()));
      }
      if (times.isEmpty()) {
        base = job.network().orElseThrow().calibration();
      }
      (runs.contains(run) ? times : kept).addAll(found);
    }
    String started = base.name();
    String from =
        Objects.requireNonNullElseGet(
            origin,
            () ->
                "%d times of %s, from %s"
                    .formatted(
                        times.size(),
                        runs.stream()
                            .map(run -> Streams.file(run.file()).getFileName().toString())
                            .collect(Collectors.joining(", ")),
                        started));
    NetworkReport report = NetworkReport.of(times, kept, base, name, from);
    Answer answer =
        switch (format) {
          case json -> rendered(NetworkCalibrationOutput.json(report), "json");
          case csv -> NetworkCalibrationOutput.csv(report);
          default -> rendered(NetworkCalibrationOutput.text(report), "text");
        };
    answer.writeBytesTo(streams().out());
    if (output != null) {
      plan.write(output, Answer.of(NetworkFile.write(report.fitted())));
    }
  }

  private MeasuredRun wanted(MeasuredRun run) {
    long least = ByteSize.parse(minSize == null ? "1M" : minSize);
    return run.only(m -> isWanted(m) && m.sizeBytes() >= least);
  }

  /** The nodes of a run, of which all have equally many GPUs. */
  private Predictor job(MeasuredFiles machines, MeasuredRun run) {
    int hosts = nodes(run);
    List<Integer> ranks = run.gpuCounts();
    int all = ranks.get(0);
    if (hosts < 2 || ranks.size() > 1 || all % hosts != 0) {
      throw new TopologyFormatException(
          SourceLocation.of(run.file()),
          hosts < 2
              ? "was measured on one node, other files on several: calibrate machine and network one after the other"
              : "was measured on %s GPUs of %d nodes: expected one number, equally many on each"
                  .formatted(ranks, hosts));
    }
    Job job = Job.ofEqual(machines.node(run, all / hosts, version.profile()), hosts);
    JobRequest request =
        JobRequest.of(job, version.profile(), List.of())
            .withGpusPerProcess(
                ranksPerProcess == null ? run.gpusPerProcess().orElse(1) : ranksPerProcess);
    return evaluator().evaluate(calibration.applyTo(request, inputs())).predictor();
  }

  private List<MeasuredSet> sets(MeasuredFiles machines, List<MeasuredRun> runs) {
    long least = ByteSize.parse(minSize == null ? "1" : minSize);
    List<MeasuredSet> sets = new ArrayList<>();
    for (MeasuredRun run : runs) {
      for (MeasuredSet set : machines.sets(run, version.profile())) {
        MeasuredSet wanted = set.only(m -> isWanted(m) && m.sizeBytes() >= least);
        if (wanted.measurements().isEmpty()) {
          throw unusable(
              Path.of(run.file()), "contains no requested measurement (--only, --min-size)");
        }
        sets.add(wanted);
      }
    }
    return sets;
  }

  private boolean isWanted(Measurement measurement) {
    return only == Which.all || (only == Which.forced) == measurement.forced().isPresent();
  }

  private FitResult fit(List<MeasuredSet> sets, Calibration start) {
    List<FitObservation> observations =
        sets.stream().flatMap(set -> set.observations(m -> true, 1).stream()).toList();
    if (observations.isEmpty()) {
      throw unusable(
          files.get(0),
          "contains nothing that the timing model covers, "
              + CalibrationReport.COVERED
              + ", as NCCL would run it on this machine with these settings");
    }
    Set<Constant> free = Constant.allBut("--fix ", fixed);
    if (free.isEmpty()) {
      throw new SettingException("--fix leaves no constant to fit");
    }
    String from =
        Objects.requireNonNullElseGet(
            origin,
            () ->
                "%s times of %s, from %s"
                    .formatted(
                        observations.size(),
                        sets.stream().map(MeasuredSet::name).collect(Collectors.joining(", ")),
                        start.name()));
    CalibrationFit fit =
        new CalibrationFit(observations, start.withMeasuredOn(measuredOn(sets)), free);
    try (Progress.Task task = begin("fit to " + observations.size() + " times, round", 0)) {
      FitResult result = fit.run(name, from, round -> task.next());
      result
          .doubt()
          .ifPresent(
              why -> {
                throw unusable(files.get(0), why);
              });
      return result;
    }
  }

  private MeasuredOn measuredOn(List<MeasuredSet> sets) {
    return MeasuredSet.measuredOn(
        sets,
        Optional.ofNullable(actual).map(there -> machines().topology(there, version.profile())));
  }
}
