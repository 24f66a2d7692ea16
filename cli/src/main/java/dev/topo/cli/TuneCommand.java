package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.PredictionOptions.CallFormat;
import dev.topo.cli.option.BuffersOption;
import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.LogComparison;
import dev.topo.inspect.log.NcclLog;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.model.job.SettingException;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.tuning.Communicator;
import dev.topo.visualizer.hardware.LogComparisonText;
import dev.topo.visualizer.times.TuningOutput;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo tune}: shows which algorithm and protocol NCCL chooses, by collective and size. */
@Command(
    name = "tune",
    description =
        "Algorithm, protocol, channels and threads that NCCL chooses, by collective and size.")
final class TuneCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();

  @Mixin
  private JobQuestion question =
      new JobQuestion(this, () -> true, settings -> this.buffers.withoutModelled(settings));

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private CallFormat format = CallFormat.text;

  @Mixin private ComparedLogs logs = new ComparedLogs();
  @Mixin private TunerRules rules = new TunerRules();
  @Mixin private BuffersOption buffers = new BuffersOption();
  @Mixin private CallOptions calls = new CallOptions();
  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    return files.write(question, format, this::answer);
  }

  private Answer answer(AskedJob asked) {
    check();
    if (!logs.isGiven()) {
      return asked.answered(
          asked.parts(), format, part -> tuned(part.title(), asked.communicator(part)));
    }
    NcclLog log = logs.read(inputs());
    AskedJob followed = asked.following(log.origin());
    return followed.answered(
        followed.parts(),
        format,
        part -> comparison(followed.communicator(part), log, followed.rules()));
  }

  private void check() {
    boolean isTuner = format == CallFormat.tuner;
    refuseIf(
        rules.isForced() && (!isTuner || logs.isGiven()),
        "--force makes a rule for NCCL's tuner plugin, expected --format tuner");
    refuseIf(
        buffers.isGiven() && isTuner,
        "--buffers has no effect on rules for NCCL's tuner plugin, expected another --format");
    refuseIf(
        buffers.isGiven() && logs.isGiven() && buffers.kinds().size() > 1,
        "--against compares one kind of --buffers");
    if (!calls.peers().isEmpty() && (buffers.isGiven() || logs.isGiven() || isTuner)) {
      throw new SettingException(
          "--collective "
              + calls.peers().get(0).ncclTestsName()
              + ": NCCL chooses no algorithm for it, expected no --buffers, no --against and"
              + " another format than tuner");
    }
    refuseIf(
        !calls.peers().isEmpty() && format == CallFormat.csv && !calls.collectives().isEmpty(),
        "--format csv: collectives and sends and receives have other columns, expected one of"
            + " both or --format json");
    refuseIf(logs.isGiven() && format != CallFormat.text, "--against: expected --format text");
  }

  private Answer tuned(String title, Communicator communicator) {
    if (format == CallFormat.tuner) {
      return Answer.of(rules.of(communicator, calls, this::message).write());
    }
    List<Long> sizes = calls.sizes();
    TuningOutput answer =
        new TuningOutput(title, communicator, calls.calls(sizes), calls.peerCalls(sizes), sizes);
    files.checkFailedIf(!buffers.isGiven() && answer.isEmpty());
    if (!calls.peers().isEmpty()) {
      return answer.transfers(format.name(), this::message);
    }
    if (!buffers.isGiven()) {
      return answer.choices(format.name());
    }
    return answer.paths(format.name(), buffers.kindsOf(CallPaths.of(communicator)));
  }

  private Answer comparison(Communicator communicator, NcclLog log, ReleaseRules followed) {
    LogComparison comparison = logs.comparison(communicator, log, buffers);
    files.checkFailedIf(!comparison.differences().isEmpty());
    List<Caveat> caveats = RunMismatches.of(logs.name(), log.origin(), communicator, followed);
    Envelope envelope = envelope(followed, caveats);
    envelope.report(streams()::message);
    return rendered(
        LogComparisonText.of(logs.name(), comparison, question.isVerbose()), envelope, "text");
  }
}
