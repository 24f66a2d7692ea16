package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.OutputFile;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.inspect.log.FailureSign;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.verdict.Baseline;
import dev.topo.simulator.verdict.RunVerdict;
import dev.topo.simulator.verdict.RunVerdict.Grade;
import dev.topo.visualizer.times.CheckOutput;
import dev.topo.visualizer.times.NcclTestsJob;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.OptionWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo check}: judges measured runs, for a gate. */
@Command(
    name = "check",
    description = "Judges runs: PASS, SLOW, WRONG or NOT JUDGED, each with an exit status.")
final class CheckCommand extends Subcommand {
  /** GB/s, or up to 100 percent. */
  private static final String FLOOR =
      "([1-9]\\d{0,5}(\\.\\d{1,6})?|[1-9]\\d?(\\.\\d{1,6})?%|100%)?";

  /** Number of evaluated jobs that are kept: runs of one fleet need one or two. */
  private static final int MAX_JOBS = 16;

  private static final Path NAME = Path.of("check");

  /** What a gate measures: sizes of the rate, which vary least. */
  private static final String SIZES = "-b 1M -e 4G -f 4";

  private static final List<Operation> OPERATIONS =
      List.of(
          Collective.ALL_REDUCE,
          Collective.ALL_GATHER,
          Collective.REDUCE_SCATTER,
          PeerOperation.ALLTOALL);

  private static final String PLANNED =
      "These runs, with these settings in the environment of all ranks, are what check judges.";

  @Parameters(
      paramLabel = "MEASURED",
      arity = "0..*",
      description = "Measured runs or folders of them, then the topology FILE of a node.")
  private List<Path> files = new ArrayList<>();

  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin private JobQuestion question = JobQuestion.ofTimes(this, evaluation);
  @Mixin private CallOptions calls = new CallOptions();

  @Option(
      names = "--at-least",
      paramLabel = "GBPS|PERCENT%",
      description =
          "Your own floor from 1 MiB on: the busbw of the fastest size of each operation, as in 450,"
              + " or a part of the predicted busbw, as in 85%% (default: the range of the prediction).")
  private String atLeast = "";

  @Option(
      names = "--baseline",
      paramLabel = "FOLDER",
      description =
          "Earlier runs on the same machines: calls that are in at least 5 of them are judged by"
              + " their median and spread.")
  private @Nullable Path baseline;

  @Option(
      names = "--plan",
      description = "Print the runs of nccl-tests to judge, for the job of FILE; judges nothing.")
  private boolean plan;

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private CheckFormat format = CheckFormat.text;

  @Mixin private OutputFile output = new OutputFile();
  @Mixin private BriefOption brief = new BriefOption();

  private Baseline earlier = Baseline.NONE;
  private final Map<List<Object>, Evaluated> evaluated = new HashMap<>();

  /** The job of some runs, and what it is predicted to do. */
  private record Evaluated(AskedJob job, JobPart part, JobResult result) {}

  @Override
  public Integer call() {
    refuseIf(
        !atLeast.matches(FLOOR),
        "--at-least %s: expected GB/s of busbw, as in 450, or a part of the predicted busbw, as in 85%%"
            .formatted(atLeast));
    refuseIf(
        !atLeast.isEmpty() && baseline != null,
        "--at-least and --baseline: expected one of them, each decides alone");
    int last = files.size() - (question.job().hasNodeList() ? 0 : 1);
    refuseIf(
        (plan ? last != 0 : last < 1) || question.job().counts().size() > 1,
        "expected MEASURED, the topology FILE of a node, and one number of --nodes (--help shows an"
            + " example)");
    AskedJob asked = question.asked(files.subList(last, files.size()), question.settings());
    Evaluated job = evaluated(asked, Optional.empty());
    if (plan) {
      return showPlan(job);
    }
    earlier = baseline == null ? Baseline.NONE : Baseline.of(read(baseline, job));
    List<Path> measured = FleetReader.files(files.subList(0, last), inputs(), file -> true);
    refuseIf(measured.isEmpty(), "MEASURED: expected a folder with files");
    List<RunVerdict> runs = new ArrayList<>();
    try (Task task = begin("run", measured.size())) {
      for (Path file : measured) {
        task.next();
        try {
          runs.add(judged(asked, RunReader.read(file, hints(job), inputs())));
        } catch (TopologyFormatException e) {
          if (measured.size() == 1) {
            throw e;
          }
          runs.add(RunVerdict.notJudged(file.toString(), OptionWords.messageOf(e)));
        }
      }
    }
    CheckOutput answer =
        new CheckOutput(
            new CommunicatorPredictions(
                job.part.title(), job.result, List.of(), List.of(), List.of()),
            runs,
            question.isVerbose(),
            last == files.size()
                ? ""
                : " --machine %s --nodes %s"
                    .formatted(files.get(last), question.job().counts().get(0)));
    output.plan(context()).write(NAME, job.job.answered(answer.in(format.name()), format));
    return switch (Grade.of(runs)) {
      case PASS -> ExitStatus.DONE;
      case SLOW -> ExitStatus.NO;
      case WRONG -> ExitStatus.WRONG;
      case NOT_JUDGED -> ExitStatus.NOT_JUDGED;
    };
  }

  private RunHints hints(Evaluated job) {
    return RunHints.of(
        calls.collectives(), OptionalInt.of(job.part.job().nRanks()), Optional.empty());
  }

  /** The earlier runs in a folder; files that are none are noted. */
  private List<MeasuredRun> read(Path folder, Evaluated job) {
    List<MeasuredRun> runs = new ArrayList<>();
    for (Path file : FleetReader.files(List.of(folder), inputs(), any -> true)) {
      try {
        runs.add(RunReader.read(file, hints(job), inputs()));
      } catch (TopologyFormatException e) {
        streams().message("note: --baseline: " + OptionWords.messageOf(e));
      }
    }
    refuseIf(
        runs.size() < Baseline.LEAST,
        "--baseline %s: has %s, expected at least %s"
            .formatted(folder, QuantityFormat.count(runs.size(), "run"), Baseline.LEAST));
    return runs;
  }

  private Integer showPlan(Evaluated job) {
    NcclTestsJob tests =
        new NcclTestsJob(
            job.result.communicator().nNodes(),
            job.part.job().nRanks(),
            evaluation.ranksPerProcess().orElse(1),
            job.job.settings(),
            SIZES);
    String gate =
        tests.gate(
            calls.isNamed()
                ? Stream.<Operation>concat(calls.collectives().stream(), calls.peers().stream())
                    .toList()
                : OPERATIONS,
            context()
                .invocation()
                .commandLine()
                .replace(" --plan", "")
                .replace("topo check", "topo check *.txt"));
    output
        .plan(context())
        .write(NAME, job.job.answered(Answer.of(gate).saying(PLANNED), CheckFormat.text));
    return ExitStatus.DONE;
  }

  private RunVerdict judged(AskedJob asked, MeasuredRun run) {
    Evaluated job = evaluated(asked.following(run), Optional.of(run));
    List<String> doubts = new ArrayList<>(run.remarks());
    run.failures().stream()
        .filter(failure -> failure.kind() == FailureSign.Kind.STOPPED)
        .forEach(failure -> doubts.add(failure.text()));
    RunMismatches.of(run.file(), run.origin(), job.part.job(), job.job.rules())
        .forEach(caveat -> doubts.add(OptionWords.of(caveat)));
    try {
      return RunVerdict.of(
          run.file(),
          PredictionOptions.judged(
              run,
              job.part.title(),
              job.result,
              calls,
              floor(true).stream().map(percent -> 100 / percent - 1).findFirst(),
              doubts::add),
          !atLeast.isEmpty(),
          floor(false),
          earlier,
          doubts);
    } catch (TopologyFormatException e) {
      return RunVerdict.notJudged(run.file(), OptionWords.messageOf(e));
    }
  }

  private Evaluated evaluated(AskedJob job, Optional<MeasuredRun> run) {
    if (evaluated.size() > MAX_JOBS) {
      evaluated.clear();
    }
    return evaluated.computeIfAbsent(
        List.of(job.settings(), job.rules(), run.map(MeasuredRun::gpusPerProcess)),
        any -> {
          JobPart part = question.communicating(job.parts(), "").get(0);
          return new Evaluated(job, part, job.evaluated(evaluation, part, run));
        });
  }

  /** The floor that the user states, in percent or in GB/s; empty if there is none. */
  private OptionalDouble floor(boolean inPercent) {
    return atLeast.isEmpty() || atLeast.endsWith("%") != inPercent
        ? OptionalDouble.empty()
        : OptionalDouble.of(Double.parseDouble(atLeast.replace("%", "")));
  }
}
