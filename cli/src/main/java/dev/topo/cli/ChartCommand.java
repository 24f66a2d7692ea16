package dev.topo.cli;

import dev.topo.cli.option.CollectiveOptions;
import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.Format;
import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.inspect.measured.JobMeasurements;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.PredictedTable;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.Topology;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.ChartSheet;
import dev.topo.visualizer.chart.PeerCharts;
import dev.topo.visualizer.chart.ScalingCharts;
import dev.topo.visualizer.chart.Sweep;
import dev.topo.visualizer.chart.SweepCharts;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo chart}: measured, predicted and NCCL's own busbw by size. */
@Command(
    name = "chart",
    description = "Busbw by size: measured, predicted and NCCL's own model in one chart.",
    footer = {
      "",
      "DATA is what nccl-tests or topo run prints or writes as JSON, a result of topo verify, or CSV",
      "with the columns gpus, collective, forced_algorithm, forced_protocol, bytes, time_us and",
      "time_inplace_us. Predictions use the settings in it; --env takes precedence.",
      "",
      "Example: topo chart all_reduce.txt --machine system.xml --env NCCL_NVLS_ENABLE=0 -o chart.svg",
      "Example: topo chart result.json --machine system.xml --show error -o error.svg",
      "Example: topo chart declared.csv --machine declared.xml --actual system.xml --ranks-per-process 4 -o chart.svg",
      "Example: topo predict system.xml --nodes 1:1024:2 --format csv -o a.csv; topo chart --scaling a.csv -o a.svg",
      "Example: topo chart a.csv b.csv --collective all_gather --show pairs --machine system.xml -o chart.png"
    })
final class ChartCommand extends Subcommand {
  private static final Path ANSWER = Path.of("chart");
  private static final double PNG_SCALE = 2;

  @Parameters(
      paramLabel = "DATA",
      arity = "1..*",
      description = "Measurements, a file for each machine or variant.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--machine",
      paramLabel = "FILE",
      description =
          "The topology of the machine, for predictions: one for all DATA, or one for each in their order.")
  private List<Path> machines = new ArrayList<>();

  @Option(
      names = "--actual",
      paramLabel = "FILE",
      description = "The actual machine, if NCCL used another topology (--machine).")
  private @Nullable Path actual;

  @Option(
      names = "--show",
      description =
          "${COMPLETION-CANDIDATES}: busbw of NCCL's choice, of each forced algorithm and protocol, or prediction errors"
              + " (default: ${DEFAULT-VALUE}).")
  private Show show = Show.busbw;

  @Option(
      names = "--scaling",
      description =
          "DATA is the CSV of topo predict --nodes N,N: busbw by number of nodes, a chart for each operation and size"
              + " and a curve for each file.")
  private boolean scaling;

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the file name of -o, else svg).")
  private ChartFormat format = ChartFormat.svg;

  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin private CollectiveOptions collectives = new CollectiveOptions();
  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  private @Nullable CaveatCollector caveats;

  private enum ChartFormat implements Format {
    svg,
    png;

    @Override
    public boolean needsItsEnding() {
      return true;
    }
  }

  private enum Show {
    busbw,
    pairs,
    error
  }

  @Override
  public Integer call() {
    if (scaling) {
      return draw(scalingCharts(), List.of());
    }
    if (machines.size() > 1 && machines.size() != files.size()) {
      throw new SettingException(
          "--machine: expected one FILE, or one for each of the " + files.size() + " DATA");
    }
    if (machines.isEmpty() && (show == Show.error || actual != null || evaluation.hasProcesses())) {
      throw new SettingException(
          "--show error, --actual, --ranks-per-process and --cuda-graph need predictions: expected --machine FILE");
    }
    NcclSettings settings = setting.forJob(environment(), version.rules(), streams());
    List<Sweep> sweeps = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      sweeps.add(sweep(i, settings));
    }
    List<Chart> charts = new ArrayList<>();
    for (Collective collective : collectives.collectives()) {
      for (Sweep sweep : sweeps) {
        SweepCharts of = new SweepCharts(sweep, collective);
        if (!of.isEmpty()) {
          charts.add(
              switch (show) {
                case busbw -> of.busbw();
                case pairs -> of.pairs();
                case error -> of.error();
              });
        }
      }
    }
    for (PeerOperation operation : collectives.peers()) {
      for (Sweep sweep : sweeps) {
        PeerCharts of = PeerCharts.of(sweep, operation);
        if (!of.isEmpty() && show != Show.pairs) {
          charts.add(show == Show.error ? of.error() : of.busbw());
        }
      }
    }
    if (charts.isEmpty()) {
      throw unusable(files.get(0), "has no measurement of these operations by NCCL's choice");
    }
    return draw(charts, caveats().list());
  }

  private List<Chart> scalingCharts() {
    if (!machines.isEmpty() || actual != null || evaluation.hasProcesses()) {
      throw new SettingException(
          "--scaling draws the predictions in DATA: --machine, --actual, --ranks-per-process and --cuda-graph cannot be combined with it");
    }
    Set<String> named =
        collectives.operations().stream().map(Operation::ncclTestsName).collect(Collectors.toSet());
    Map<String, List<PredictedTable.Prediction>> tables = new LinkedHashMap<>();
    for (Path file : files) {
      tables.put(
          name(file),
          PredictedTable.read(inputs().text(file, "CSV of topo predict"), file.toString()).stream()
              .filter(row -> named.contains(row.operation()))
              .toList());
    }
    List<Chart> charts = ScalingCharts.of(tables);
    if (charts.isEmpty()) {
      throw unusable(
          files.get(0),
          "has no operation at several numbers of nodes: expected the CSV of topo predict --nodes 1,2,4");
    }
    return charts;
  }

  private Integer draw(List<Chart> charts, List<Caveat> caveats) {
    ChartSheet sheet = new ChartSheet(charts);
    Answer answer =
        format == ChartFormat.png ? Answer.ofBytes(sheet.png(PNG_SCALE)) : Answer.of(sheet.svg());
    output
        .plan(List.of(ANSWER), format.extension(), false, inputs(), streams())
        .write(ANSWER, rendered(answer, envelope(version.rules(), caveats), format.name()));
    return ExitStatus.DONE;
  }

  private InputMachines machinesOfFiles() {
    return input.machines(inputs(), streams());
  }

  private CaveatCollector caveats() {
    if (caveats == null) {
      caveats = machinesOfFiles().caveats(version::rules);
    }
    return caveats;
  }

  private Sweep sweep(int at, NcclSettings settings) {
    Path file = files.get(at);
    if (machines.isEmpty()) {
      MeasuredRun run = run(file, OptionalInt.empty());
      if (run.gpuCounts().size() > 1) {
        throw unusable(
            file,
            "measured on different numbers of GPUs ("
                + run.gpuCounts().stream().map(String::valueOf).collect(Collectors.joining(", "))
                + "): expected a file for each");
      }
      return new Sweep(name(file), run.measurements(), run.peers(), Optional.empty());
    }
    Path machineFile = machines.get(machines.size() == 1 ? 0 : at);
    int ranks = machinesOfFiles().topology(machineFile, version.profile()).gpus().size();
    MeasuredRun run = run(file, OptionalInt.of(ranks));
    for (int measured : run.gpuCounts()) {
      if (measured != ranks) {
        throw unusable(file, "measured on " + measured + " GPUs, but --machine has " + ranks);
      }
    }
    Topology machine = machinesOfFiles().topology(machineFile, version.profile());
    JobMeasurements.check(run, Job.ofEqual(new Machine(machine, settings), 1));
    Machine node = new Machine(machine, run.settings().with(settings));
    caveats().addJob(Map.of(machineFile, machine), 1, false, evaluation.withoutModelled(settings));
    return new Sweep(
        name(file),
        run.measurements(),
        run.peers(),
        Optional.of(predictor(node, run, machineFile.toString())));
  }

  /** What was measured; {@code ranks} counts if the file does not contain the number of GPUs. */
  private MeasuredRun run(Path file, OptionalInt ranks) {
    return MeasurementFile.readAny(
        file,
        RunHints.of(collectives.collectives(), ranks, Optional.empty()),
        version,
        inputs(),
        streams());
  }

  /** The name of a file, with its folder where another file has the same. */
  private String name(Path file) {
    String name = stem(file);
    Path folder = file.toAbsolutePath().normalize().getParent();
    boolean isUnique = files.stream().filter(other -> stem(other).equals(name)).count() == 1;
    return isUnique || folder == null || folder.getFileName() == null
        ? name
        : folder.getFileName() + "/" + name;
  }

  private static String stem(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.[A-Za-z]+$", "");
  }

  private Predictor predictor(Machine node, MeasuredRun run, String file) {
    JobResult result =
        evaluation.known(
            evaluator()
                .evaluate(
                    evaluation.request(
                        version.profile(),
                        Job.ofEqual(node, 1),
                        Optional.of(run),
                        machinesOfFiles().actual(actual, node, file, version.profile()),
                        inputs(),
                        streams())));
    if (result.predictor().calibration().isEmpty()) {
      message(
          "note: not calibrated (%s): times predicted are those of NCCL's own model"
              .formatted(result.request().selectedCalibration().reason()));
    }
    return result.predictor();
  }
}
