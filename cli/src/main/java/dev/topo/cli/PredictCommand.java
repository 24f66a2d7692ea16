package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.AskedJob.MeasuredJob;
import dev.topo.cli.PredictionOptions.CallFormat;
import dev.topo.cli.PredictionOptions.MeasuredOptions;
import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.MeasuredChoices;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.simulator.verdict.BusbwFloor;
import dev.topo.simulator.verdict.JudgedRun;
import dev.topo.visualizer.times.FloorOutput;
import dev.topo.visualizer.times.PredictionOutput;
import dev.topo.visualizer.times.RecommendedFile;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo predict}: predicts how long collectives take on real hardware. */
@Command(
    name = "predict",
    description =
        "Time, algbw and busbw by size on calibrated hardware, what limits them, and what would be"
            + " faster than NCCL's choice.")
final class PredictCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin private JobQuestion question = JobQuestion.ofTimes(this, evaluation);

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private CallFormat format = CallFormat.text;

  @Option(
      names = "--actual",
      paramLabel = "FILE",
      description = "The actual machine, if NCCL uses another topology: FILE, as NCCL_TOPO_FILE.")
  private @Nullable Path actual;

  @Option(
      names = "--floor",
      paramLabel = "PERCENT",
      description =
          "Instead, the busbw that PERCENT of 100 healthy runs of such machines exceed, for each"
              + " call; also in the words of nccl-tests, aicr, NVSentinel and azurehpc-health-checks.")
  private @Nullable Integer floor;

  @Option(
      names = "--provisional",
      description = "With --floor: half of the prediction where no data earned a range.")
  private boolean provisional;

  @Mixin private PredictionOptions calls = new PredictionOptions();
  @Mixin private BriefOption brief = new BriefOption();
  @Mixin private MeasuredOptions measured = new MeasuredOptions();

  @Override
  public Integer call() {
    return files.write(question, format, this::answer);
  }

  private Answer answer(AskedJob asked) {
    measured.check(format == CallFormat.tuner, calls);
    refuseIf(
        floor == null
            ? provisional
            : floor < 50 || floor > 99 || measured.isAgainst() || format == CallFormat.tuner,
        "--floor: expected 50 to 99, without --against and --format tuner; --provisional needs it");
    if (question.job().counts().size() > 1) {
      return asked.answered(scaling(asked), format);
    }
    MeasuredJob job =
        asked.measured(
            whole -> measured.read(whole.nRanks(), calls, question.version(), context()));
    Optional<ConcurrentGroups> concurrent =
        evaluation.concurrent(question.job(), job.parts(), evaluator(), job.job().profile());
    return job.job()
        .answered(
            question.communicating(job.parts(), ""),
            format,
            part -> answer(job, part, concurrent.map(all -> all.of(job.parts().indexOf(part)))));
  }

  /** Predicts the calls on several numbers of nodes. */
  private Answer scaling(AskedJob asked) {
    refuseIf(
        format == CallFormat.tuner
            || measured.isAgainst()
            || actual != null
            || question.job().hasSplit()
            || question.job().hasNodeList()
            || floor != null,
        "several --nodes compare predictions for one FILE: --node, --split, --against, --actual,"
            + " --floor and --format tuner cannot be combined with them");
    calls.checkScaling();
    PredictionOptions.Sized sized =
        calls.with(calls.sizes(view().isBrief(), question.job().counts().size()));
    Scaling scaling = new ScalingPredictions(question, evaluation, asked).of(sized);
    files.checkFailedIf(scaling.forecasts().stream().allMatch(CommunicatorPredictions::isEmpty));
    return view().of(scaling);
  }

  private Answer answer(MeasuredJob job, JobPart part, Optional<ConcurrentGroups> concurrent) {
    AskedJob asked = job.job();
    Optional<MeasuredRun> run = job.run();
    JobResult result =
        asked.evaluated(evaluation, part, concurrent, run, asked.actual(actual, part));
    if (format == CallFormat.tuner) {
      RecommendedFile file =
          new RecommendedFile(result, calls.calls().collectives(), this::message);
      return run.isPresent()
          ? file.of(MeasuredChoices.of(run.get(), result.communicator()))
          : file.ofPredictions(part.title());
    }
    return run.isPresent() ? judged(asked, part, result, run.get()) : predicted(part, result);
  }

  private Answer predicted(JobPart part, JobResult result) {
    PredictionOptions.Sized sized = calls.with(calls.sizes(view().isBrief()));
    CommunicatorPredictions forecast;
    try (Task task = begin("prediction", sized.collectives().size())) {
      forecast = sized.forecast(part, result, inputs(), task::next);
    }
    calls.requirePeers(forecast);
    files.checkFailedIf(forecast.isEmpty());
    return floor == null || forecast.isEmpty()
        ? view().of(forecast, this::message)
        : new FloorOutput(forecast, BusbwFloor.of(forecast, floor, provisional)).in(format.name());
  }

  private Answer judged(AskedJob asked, JobPart part, JobResult result, MeasuredRun run) {
    JudgedRun judged = measured.judged(run, part.title(), result, calls.calls(), streams());
    files.checkFailedIf(!judged.passes());
    List<Caveat> caveats = RunMismatches.of(run.file(), run.origin(), part.job(), asked.rules());
    Answer answer = view().of(judged, caveats);
    return format == CallFormat.text
        ? rendered(answer, envelope(asked.rules(), caveats), format)
        : answer;
  }

  private PredictionOutput view() {
    return new PredictionOutput(format.name(), question.isVerbose(), calls.calls().isNamed());
  }
}
