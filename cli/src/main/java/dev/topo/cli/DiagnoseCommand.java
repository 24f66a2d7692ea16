package dev.topo.cli;

import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.trace.CallFront;
import dev.topo.inspect.trace.FrontReader;
import dev.topo.model.QuantityFormat;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.diagnosis.CliffReport;
import dev.topo.simulator.diagnosis.Diagnoser;
import dev.topo.simulator.diagnosis.Diagnosis;
import dev.topo.simulator.diagnosis.DiagnosisInput;
import dev.topo.simulator.diagnosis.HangDiagnosis;
import dev.topo.simulator.diagnosis.RunText;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.pair.PairDiagnosis;
import dev.topo.simulator.pair.PairPlan;
import dev.topo.simulator.pair.PairReport;
import dev.topo.simulator.pair.PairRuns;
import dev.topo.visualizer.study.DiagnosisOutput;
import dev.topo.visualizer.study.DiagnosisSentence;
import dev.topo.visualizer.study.HostPairsOutput;
import dev.topo.visualizer.study.HostPairsSentence;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo diagnose}: finds what is wrong with measurements. */
@Command(
    name = "diagnose",
    description = "What is wrong with a measurement: ranked causes, with evidence.")
final class DiagnoseCommand extends Subcommand {
  private static final Path ANSWER = Path.of("diagnose");

  @Parameters(
      paramLabel = "MEASURED",
      arity = "0..*",
      description = "Measurements of one job, or logs of NCCL.")
  private List<Path> files = new ArrayList<>();

  @Mixin private DiagnoseOptions options = new DiagnoseOptions();

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the ending of -o, else text).")
  private TextJsonOrCsv format = TextJsonOrCsv.text;

  @Mixin private InputOptions input = new InputOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private OutputOptions output = new OutputOptions();
  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    Optional<PairPlan> plan = options.plan();
    if (plan.isPresent()) {
      write(rendered(HostPairsOutput.of(plan.get()), envelope(), TextJsonOrCsv.text));
      return ExitStatus.DONE;
    }
    Optional<List<CallFront>> fronts = FrontReader.find(files, inputs());
    if (fronts.isPresent()) {
      return answer(
          HangDiagnosis.of(fronts.get(), input(List.of(), ReleaseRules.DEFAULT), evaluator()),
          CliffReport.NONE,
          ReleaseRules.DEFAULT);
    }
    Optional<PairRuns> matrix = options.pairs(files, inputs());
    return matrix.isPresent() ? diagnosePairs(matrix.get()) : diagnoseJob();
  }

  private int diagnosePairs(PairRuns matrix) {
    PairReport report = PairDiagnosis.of(matrix, options.fabric(inputs()));
    Answer answer =
        switch (format) {
          case text -> HostPairsOutput.of(report, input.isVerbose());
          case json -> HostPairsOutput.json(report);
          case csv -> HostPairsOutput.csv(report);
        };
    write(rendered(answer.saying(HostPairsSentence.of(report)), envelope(), format));
    return ExitStatus.of(report.isHealthy());
  }

  private int diagnoseJob() {
    List<RunText> texts = options.texts(files, inputs());
    ReleaseRules rules =
        version.rules(RunOrigin.of(QuantityFormat.joined("\n", texts, RunText::text)));
    DiagnosisInput run = input(texts, rules);
    Diagnosis diagnosis;
    CliffReport cliffs;
    try (Task task = begin("line", 0)) {
      TimeResolver times = options.times(inputs(), note -> streams().message(OptionWords.of(note)));
      Diagnoser diagnoser = new Diagnoser(evaluator().timedBy(times), task::next);
      diagnosis = diagnoser.diagnose(run);
      cliffs = diagnoser.cliffs(run);
    }
    return answer(diagnosis, cliffs, rules);
  }

  private DiagnosisInput input(List<RunText> texts, ReleaseRules rules) {
    return new DiagnosisInput(
        texts,
        options.operation(),
        options.machine().map(input.machines(context())::document),
        input.selection(),
        options.nodes(),
        options.ranksPerProcess(),
        setting.forJob(context(), rules, Set.of()),
        version.named());
  }

  private int answer(Diagnosis diagnosis, CliffReport cliffs, ReleaseRules rules) {
    Answer answer =
        switch (format) {
          case text -> DiagnosisOutput.of(diagnosis, cliffs, input.isVerbose());
          case json -> DiagnosisOutput.json(diagnosis, cliffs);
          case csv -> DiagnosisOutput.csv(diagnosis);
        };
    write(
        rendered(
            answer.saying(DiagnosisSentence.of(diagnosis, cliffs)),
            envelope(rules, CaveatFinder.ofRelease(rules)),
            format));
    return ExitStatus.of(!diagnosis.verdict().isBad());
  }

  private void write(Answer answer) {
    output.plan(List.of(ANSWER), format, context()).write(ANSWER, answer);
  }
}
