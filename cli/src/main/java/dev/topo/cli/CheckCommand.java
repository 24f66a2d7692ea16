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
import dev.topo.model.io.TopologyFormatException;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.verdict.RunVerdict;
import dev.topo.simulator.verdict.RunVerdict.Grade;
import dev.topo.visualizer.times.CheckOutput;
import dev.topo.visualizer.view.OptionWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo check}: judges measured runs, for a gate. */
@Command(
    name = "check",
    description = "Judges runs: PASS, SLOW, WRONG or NOT JUDGED, each with an exit status.",
    footer = {
      "",
      "MEASURED is output of nccl-tests or topo run (text or JSON), CSV, or a folder of such files;"
          + " the last argument is the",
      "topology of a node. Release, settings and ranks of a process are those of the run where it"
          + " states them. Sizes are",
      "judged by bands: one is slow if most of its sizes are, out of place and in place.",
      "Exit status: 0 PASS, 1 SLOW, 5 WRONG (results), 6 NOT JUDGED; of several runs WRONG before"
          + " SLOW before NOT JUDGED.",
      "",
      "Example: topo check all_reduce.txt system.xml --nodes 2",
      "Example: topo check results/ system.xml --format csv",
      "Example: topo check all_reduce.txt system.xml --at-least 85%%"
    })
final class CheckCommand extends Subcommand {
  /** GB/s, or up to 100 percent. */
  private static final String FLOOR =
      "([1-9]\\d{0,5}(\\.\\d{1,6})?|[1-9]\\d?(\\.\\d{1,6})?%|100%)?";

  /** Number of evaluated jobs that are kept: runs of one fleet need one or two. */
  private static final int MAX_JOBS = 16;

  private static final Path NAME = Path.of("check");

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
      paramLabel = "GBPS|PERCENT%%",
      description =
          "Your own floor from 1 MiB on: the busbw of the fastest size of each operation, as in 450,"
              + " or a part of the predicted busbw, as in 85%% (default: the range of the prediction).")
  private String atLeast = "";

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private CheckFormat format = CheckFormat.text;

  @Mixin private OutputFile output = new OutputFile();
  @Mixin private BriefOption brief = new BriefOption();

  private final Map<List<Object>, Evaluated> evaluated = new HashMap<>();

  /** The job of some runs, and what it is predicted to do. */
  private record Evaluated(AskedJob job, JobPart part, JobResult result) {}

  @Override
  public Integer call() {
    refuseIf(
        !atLeast.matches(FLOOR),
        "--at-least %s: expected GB/s of busbw, as in 450, or a part of the predicted busbw, as in 85%%"
            .formatted(atLeast));
    int last = files.size() - (question.job().hasNodeList() ? 0 : 1);
    refuseIf(
        last < 1 || question.job().counts().size() > 1,
        "expected MEASURED, the topology FILE of a node, and one number of --nodes (--help shows an"
            + " example)");
    AskedJob asked = question.asked(files.subList(last, files.size()), question.settings());
    Evaluated job = evaluated(asked, Optional.empty());
    List<Path> measured = FleetReader.files(files.subList(0, last), inputs(), file -> true);
    refuseIf(measured.isEmpty(), "MEASURED: expected a folder with files");
    List<RunVerdict> runs = new ArrayList<>();
    try (Task task = begin("run", measured.size())) {
      for (Path file : measured) {
        task.next();
        try {
          RunHints hints =
              RunHints.of(
                  calls.collectives(), OptionalInt.of(job.part.job().nRanks()), Optional.empty());
          runs.add(judged(asked, RunReader.read(file, hints, inputs())));
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
