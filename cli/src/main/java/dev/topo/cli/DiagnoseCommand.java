package dev.topo.cli;

import dev.topo.cli.option.Format;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.model.io.InputText;
import dev.topo.model.job.SettingException;
import dev.topo.model.nic.SwitchMapReader;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.diagnosis.CliffReport;
import dev.topo.simulator.diagnosis.Diagnoser;
import dev.topo.simulator.diagnosis.Diagnosis;
import dev.topo.simulator.diagnosis.DiagnosisInput;
import dev.topo.simulator.diagnosis.RunText;
import dev.topo.simulator.pair.PairDiagnosis;
import dev.topo.simulator.pair.PairFiles;
import dev.topo.simulator.pair.PairReport;
import dev.topo.visualizer.study.DiagnosisJson;
import dev.topo.visualizer.study.DiagnosisText;
import dev.topo.visualizer.study.PairJson;
import dev.topo.visualizer.study.PairText;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo diagnose}: what is wrong with measurements. */
@Command(
    name = "diagnose",
    description = "What is wrong with a measurement: ranked causes, with evidence.",
    footer = {
      "",
      "MEASURED is the output of nccl-tests or topo run (text or JSON), CSV, or a log of",
      "NCCL_DEBUG=INFO; a file may contain both. All files are of the same job.",
      "Without --machine the machine is derived from the log, or assumed from the names of the GPUs.",
      "From runs of many pairs of hosts (a folder, files, CSV a,b,bytes,busbw_gbps or a square table) it",
      "finds the hosts, network ports, rails and switches that explain the slow pairs. Sizes at which",
      "NCCL's choice is slower than a larger size or a forced algorithm are listed with the lines for",
      "NCCL's tuner plugin that fix them.",
      "Exit status 1 if a run is slower than expected, faster than it can be, or shows a fault.",
      "",
      "Example: topo diagnose all_reduce.txt --machine system.xml --nodes 2",
      "Example: topo diagnose all_reduce.txt --log nccl.log",
      "Example: topo diagnose nccl.log",
      "Example: topo diagnose pairs/ --fabric topology.conf"
    })
final class DiagnoseCommand extends Subcommand {
  private static final Path ANSWER = Path.of("diagnose");
  private static final String EXPECTED = "output of nccl-tests or a log of NCCL";

  @Parameters(
      paramLabel = "MEASURED",
      arity = "0..*",
      description = "Measurements of one job, or logs of NCCL.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--machine",
      paramLabel = "FILE",
      description = "The topology of a node, for the expected times.")
  private @Nullable Path machine;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "A log of the run with NCCL_DEBUG=INFO (repeatable).")
  private List<Path> logs = new ArrayList<>();

  @Option(
      names = "--collective",
      paramLabel = "NAME",
      description = "The collective of rows without nccl-tests' heading, as in all_reduce.")
  private @Nullable String collective;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Number of nodes (default: that of the files, or as many as the ranks need).")
  private @Nullable Integer nodes;

  @Option(
      names = "--ranks-per-process",
      paramLabel = "N",
      description =
          "GPUs for which one thread launches kernels, as nccl-tests' -g (default: that of the files, else 1 or all, whichever"
              + " fits).")
  private @Nullable Integer ranksPerProcess;

  @Option(
      names = "--pairs",
      description =
          "MEASURED is a matrix of pairs of hosts: folders or files of nccl-tests, or CSV (default: detected).")
  private boolean pairs;

  @Option(
      names = "--fabric",
      paramLabel = "FILE",
      description =
          "For a matrix of pairs, the network switches: Slurm's topology.conf, or a table node,nic,switch.")
  private @Nullable Path fabric;

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the ending of -o, else text).")
  private DiagnoseFormat format = DiagnoseFormat.text;

  @Mixin private InputOptions input = new InputOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  private enum DiagnoseFormat implements Format {
    text,
    json,
    csv
  }

  @Override
  public Integer call() {
    Optional<PairFiles> matrix = pairs();
    if (matrix.isPresent()) {
      PairReport report =
          PairDiagnosis.of(
              matrix.get(),
              Optional.ofNullable(fabric).map(map -> SwitchMapReader.read(map, inputs())));
      Answer answer =
          switch (format) {
            case text -> PairText.of(report);
            case json -> PairJson.of(report);
            case csv -> PairJson.csv(report);
          };
      write(rendered(answer, envelope(), format.name()));
      return report.isHealthy() ? ExitStatus.DONE : ExitStatus.NO;
    }
    DiagnosisInput run = input();
    Diagnoser diagnoser = new Diagnoser(evaluator());
    Diagnosis diagnosis = diagnoser.diagnose(run);
    write(
        rendered(
            answer(diagnosis, diagnoser.cliffs(run)),
            envelope(version.rules(), CaveatFinder.ofRelease(version.rules())),
            format.name()));
    return diagnosis.verdict().isBad() ? ExitStatus.NO : ExitStatus.DONE;
  }

  private void write(Answer answer) {
    output
        .plan(List.of(ANSWER), format.extension(), false, inputs(), streams())
        .write(ANSWER, answer);
  }

  /** Runs of several pairs of hosts are a matrix, unless they are to be taken for one job. */
  private Optional<PairFiles> pairs() {
    if (pairs) {
      return Optional.of(PairFiles.read(files, inputs()));
    }
    boolean isJob = machine != null || nodes != null || !logs.isEmpty();
    return files.isEmpty() || isJob ? Optional.empty() : PairFiles.find(files, inputs());
  }

  private DiagnosisInput input() {
    if (files.isEmpty() && logs.isEmpty()) {
      throw new SettingException("expected MEASURED or --log FILE (--help shows an example)");
    }
    if (nodes != null && nodes < 1) {
      throw new SettingException("--nodes " + nodes + ": expected 1 or more");
    }
    if (ranksPerProcess != null && ranksPerProcess < 1) {
      throw new SettingException("--ranks-per-process " + ranksPerProcess + ": expected 1 or more");
    }
    List<RunText> texts = new ArrayList<>();
    files.forEach(file -> texts.add(text(file)));
    logs.forEach(file -> texts.add(text(file)));
    version.follow(
        RunOrigin.of(texts.stream().map(RunText::text).collect(Collectors.joining("\n"))));
    return new DiagnosisInput(
        texts,
        Optional.ofNullable(collective).map(DiagnoseCommand::collective),
        Optional.ofNullable(machine).map(input.machines(inputs(), streams())::document),
        input.selection(),
        nodes == null ? OptionalInt.empty() : OptionalInt.of(nodes),
        ranksPerProcess == null ? OptionalInt.empty() : OptionalInt.of(ranksPerProcess),
        setting.forJob(environment(), version.rules(), streams()),
        version.named());
  }

  private static Collective collective(String name) {
    return Operation.ofName(name)
        .filter(Collective.class::isInstance)
        .map(Collective.class::cast)
        .orElseThrow(
            () ->
                new SettingException(
                    "--collective %s: expected all_reduce, all_gather, reduce_scatter, broadcast or reduce"
                        .formatted(name)));
  }

  private RunText text(Path file) {
    return new RunText(file.toString(), InputText.printed(inputs().bytes(file, EXPECTED)));
  }

  private Answer answer(Diagnosis diagnosis, CliffReport cliffs) {
    return switch (format) {
      case text -> DiagnosisText.of(diagnosis, cliffs);
      case json -> DiagnosisJson.of(diagnosis, cliffs);
      case csv -> DiagnosisJson.csv(diagnosis);
    };
  }
}
