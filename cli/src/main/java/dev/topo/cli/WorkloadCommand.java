package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.inspect.trace.ProcessGroup;
import dev.topo.inspect.trace.RankTrace;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.simulator.workload.WorkloadMemory;
import dev.topo.visualizer.report.WorkloadSubject;
import dev.topo.visualizer.study.WorkloadChanges;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.JobSummary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo workload}: compares the collectives of a real job with predictions. */
@Command(
    name = "workload",
    description = {
      "Analyses the communication in the traces of a job: measured and expected times, NCCL's"
          + " choices, exposed and hidden time, late ranks."
    })
final class WorkloadCommand extends Subcommand {
  @Mixin private JobQuestion question = JobQuestion.withoutTimes(this);
  @Mixin private CalibrationOptions calibration = new CalibrationOptions();

  private static final Path ANSWER = Path.of("workload");

  @Parameters(paramLabel = "TRACE", arity = "1..*", description = "Traces of the job.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--machine",
      paramLabel = "FILE",
      description = "The topology of a node of the job.")
  private @Nullable Path machine;

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the ending of -o, else text).")
  private WorkloadFormat format = WorkloadFormat.text;

  @Option(
      names = "--memory",
      description =
          "Also show the memory that NCCL takes of a GPU for all groups of its rank (text, JSON,"
              + " HTML).")
  private boolean wantsMemory;

  @Mixin private WorkloadOptions change = new WorkloadOptions();
  @Mixin private WorkloadAdviceOptions advise = new WorkloadAdviceOptions();
  @Mixin private OutputOptions output = new OutputOptions();
  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    refuseIf(
        machine == null && !question.job().hasNodeList(),
        "expected --machine FILE, the topology of a node of the job (topo probe, or"
            + " NCCL_TOPO_DUMP_FILE)");
    refuseIf(
        question.job().hasSplit() || question.job().hasRanks(),
        "the traces have the groups of the job: --split and --ranks cannot be combined with"
            + " them");
    refuseIf(
        wantsMemory && format == WorkloadFormat.csv,
        "--memory: expected --format text, json or html");
    change.check(spec().commandLine().getParseResult().hasMatchedOption("--nodes"));
    OutputPlan plan = output.plan(List.of(ANSWER), format, context());
    List<RankTrace> traces = traces(files);
    Optional<ReleaseRules> traced = TracedPlace.release(traces);
    ReleaseRules answerRules =
        question.version().named().or(() -> traced).orElse(ReleaseRules.DEFAULT);
    NcclSettings settings = question.settings(answerRules);
    ReleaseRules tracedRules = traced.orElse(answerRules);
    TracedChanges changed =
        new TracedChanges(
            question, answerRules, calibration, change, advise, Optional.ofNullable(machine));
    TracedJob tracedJob = changed.traced(traces, question.input(settings, tracedRules.profile()));
    CallTimeline timeline = new CallTimeline(format == WorkloadFormat.html ? traces : List.of());
    TracedPlace place = TracedPlace.of(traces, tracedJob.job());
    Workload workload = place.workload(files.get(0), timeline);
    Envelope envelope =
        envelope(
            answerRules,
            tracedJob.caveats(
                question.caveats(() -> answerRules),
                calibration,
                place.caveats(tracedJob.whole().name())));
    Function<ProcessGroup, JobResult> groups =
        tracedJob.each(part -> changed.evaluated(part, tracedRules.profile()));
    WorkloadComparison comparison = WorkloadComparison.of(workload, groups);
    Optional<WorkloadMemory> memory =
        wantsMemory
            ? WorkloadMemory.of(
                workload.sites(), tracedJob.job().nRanks(), ProcessGroup::ranks, groups)
            : Optional.empty();
    WorkloadChanges changes =
        changed.of(comparison, tracedJob, change.isWanted(traced, answerRules), format.hasAdvice());
    plan.write(
        ANSWER,
        rendered(
            answer(tracedJob, comparison, memory, timeline, changes, tracedRules, envelope),
            envelope,
            format));
    return ExitStatus.DONE;
  }

  private Answer answer(
      TracedJob tracedJob,
      WorkloadComparison comparison,
      Optional<WorkloadMemory> memory,
      CallTimeline timeline,
      WorkloadChanges changes,
      ReleaseRules tracedRules,
      Envelope envelope) {
    JobSummary summary = tracedJob.summary();
    WorkloadSubject subject =
        new WorkloadSubject(
            summary.machines(),
            JobSummary.place(tracedJob.job()),
            tracedRules,
            comparison,
            timeline,
            changes.change(),
            memory,
            envelope.caveats());
    return format.of(subject, summary, changes, question.isVerbose(), envelope.invocation());
  }
}
