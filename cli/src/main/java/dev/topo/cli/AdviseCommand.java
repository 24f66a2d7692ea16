package dev.topo.cli;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.Adviser;
import dev.topo.simulator.advice.Permission;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo advise}: shows what would make a job's calls faster, and how to set it. */
@Command(
    name = "advise",
    description =
        "What makes calls faster than NCCL's defaults (settings, tuner file, graph file, buffers):"
            + " gain, cost, how to set it and how to check it.")
final class AdviseCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin private JobQuestion question = JobQuestion.ofTimes(this, evaluation);

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}); tuner is"
              + " the file of NCCL's tuner plugin for all calls together (that of .csv with --may"
              + " tuner), xml that of NCCL_GRAPH_FILE.")
  private AdviceFormat format = AdviceFormat.text;

  @Mixin private AdviceOptions options = new AdviceOptions();
  @Mixin private AdviceTrial trial = new AdviceTrial();
  @Mixin private BriefOption brief = new BriefOption();

  /**
   * The format of the answer. An output file named {@code .csv} contains tuner rules if {@code
   * --may} allows only the tuner.
   */
  private AdviceFormat format() {
    boolean isNamed = spec().commandLine().getParseResult().hasMatchedOption("--format");
    boolean isTunerOnly = options.permissions().equals(EnumSet.of(Permission.TUNER));
    return format == AdviceFormat.csv && !isNamed && isTunerOnly ? AdviceFormat.tuner : format;
  }

  @Override
  public Integer call() {
    return files.write(question, format(), this::answer);
  }

  private Answer answer(AskedJob asked) {
    Set<Permission> permissions = options.permissions();
    List<JobPart> parts = question.communicating(asked.parts(), "");
    List<AdviceReport> reports = new ArrayList<>();
    try (Task task = begin("advice", parts.size())) {
      for (JobPart part : format() == AdviceFormat.xml ? List.of(question.first(parts)) : parts) {
        task.next();
        reports.add(report(asked, part, permissions));
      }
    }
    files.checkFailedIf(reports.stream().noneMatch(AdviceReport::isAdvised));
    if (format() == AdviceFormat.tuner) {
      return asked.answered(AdviceFormat.rules(reports), format());
    }
    return asked.answered(
        question.joined(
            parts.subList(0, reports.size()),
            reports.stream().map(this::answer).toList(),
            format().name()),
        format());
  }

  private AdviceReport report(AskedJob asked, JobPart part, Set<Permission> permissions) {
    JobResult now = asked.evaluated(evaluation, part, Optional.empty());
    return AdviceReport.of(
        part.title(),
        new Adviser(evaluator(), now.request(), permissions),
        options.calls(asked.profile()));
  }

  private Answer answer(AdviceReport report) {
    return format()
        .of(
            report,
            advised -> trial.of(advised, this),
            question.isVerbose(),
            context().invocation().commandLine());
  }
}
