package dev.topo.cli;

import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.BuffersOption;
import dev.topo.cli.option.CallOptions;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.LogComparison;
import dev.topo.inspect.log.NcclLog;
import dev.topo.inspect.log.NcclLogReader;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Collective;
import dev.topo.search.kernel.Buffers;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.TunerCsv;
import dev.topo.simulator.evaluate.ForcedRule;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.visualizer.hardware.ComparisonText;
import dev.topo.visualizer.times.TuningAnswer;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo tune}: which algorithm and protocol NCCL chooses, by collective and size. */
@Command(
    name = "tune",
    description =
        "Algorithm, protocol, channels and threads that NCCL chooses, by collective and size.",
    footer = {
      "",
      "A single call is launched on as many channels as its size is worth, of those that NCCL's tuner allows, which calls of a",
      "group may share: 16 of at most 24 channels. In json and csv channels is what the tuner allows (tuner has that only),",
      "and launchedChannels or launched_channels what a single call is launched on.",
      "The tuner format is the CSV that NCCL's example tuner plugin reads (NCCL_TUNER_PLUGIN, NCCL_TUNER_CONFIG_FILE).",
      "",
      "With --buffers consecutive sizes with the same result share a line. Calls are out of place, with a process for each GPU",
      "and buffers of ncclMemAlloc.",
      "",
      "Operations of sends and receives have no algorithm: rows have the transport, protocol, channels and chunks of a transfer,",
      "and the kernels of the rank that has most, for calls out of place.",
      "",
      "Example: topo tune topologies/dgx-h100.xml --nodes 4 --collective all_reduce",
      "Example: topo tune topologies/dgx-h100.xml --nodes 2 --collective alltoall,sendrecv",
      "Example: topo tune topologies/dgx-h100.xml --buffers symmetric --collective all_reduce",
      "Example: topo tune topologies/dgx-a100.xml --sizes 1M,64M --datatype half --format csv"
    })
final class TuneCommand extends JobCommand {
  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private CallFormat format = CallFormat.text;

  @Option(
      names = "--against",
      paramLabel = "LOG",
      description =
          "Compare with a log of real NCCL (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING); may be repeated for the"
              + " files of several processes. Exit status 1 if something differs; --verbose also lists what agrees.")
  private List<Path> logs = new ArrayList<>();

  @Option(
      names = "--force",
      paramLabel = "RULE",
      description =
          "A rule to put first in the tuner format, as in all_gather:4M:8M:ring:ll128, optionally followed by :CHANNELS;"
              + " may be repeated.")
  private List<String> forced = new ArrayList<>();

  @Mixin private BuffersOption buffers = new BuffersOption();

  @Mixin private CallOptions calls = new CallOptions();

  @Mixin private BriefOption brief = new BriefOption();

  @Override
  NcclSettings marking(NcclSettings settings) {
    return buffers.isGiven() ? BuffersOption.withoutModelled(settings) : settings;
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    check();
    if (logs.isEmpty()) {
      return ofEach(
          parts(topologyFiles, settings), part -> tuned(part.title(), communicator(part)));
    }
    NcclLog log = NcclLogReader.read(logs, inputs());
    version().follow(log.origin());
    return ofEach(
        parts(topologyFiles, settings), part -> comparison(communicator(part), logs.get(0), log));
  }

  private Communicator communicator(JobPart part) {
    return evaluator()
        .evaluate(JobRequest.of(part.job(), version().profile(), List.of()))
        .communicator();
  }

  private void check() {
    boolean isTuner = format == CallFormat.tuner;
    if (!forced.isEmpty() && (!isTuner || !logs.isEmpty())) {
      throw new SettingException(
          "--force makes a rule for NCCL's tuner plugin, expected --format tuner");
    }
    if (buffers.isGiven() && isTuner) {
      throw new SettingException(
          "--buffers has no effect on rules for NCCL's tuner plugin, expected another --format");
    }
    if (buffers.isGiven() && !logs.isEmpty() && buffers.kinds().size() > 1) {
      throw new SettingException("--against compares one kind of --buffers");
    }
    if (!calls.peers().isEmpty() && (buffers.isGiven() || !logs.isEmpty() || isTuner)) {
      throw new SettingException(
          "--collective "
              + calls.peers().get(0).ncclTestsName()
              + ": NCCL chooses no algorithm for it, expected no --buffers, no --against and another format than tuner");
    }
    if (!calls.peers().isEmpty() && format == CallFormat.csv && !calls.collectives().isEmpty()) {
      throw new SettingException(
          "--format csv: collectives and sends and receives have other columns, expected one of both or --format json");
    }
    if (!logs.isEmpty() && format != CallFormat.text) {
      throw new SettingException("--against: expected --format text");
    }
  }

  private Answer tuned(String title, Communicator communicator) {
    if (format == CallFormat.tuner) {
      return Answer.of(tunerCsv(communicator).write());
    }
    List<Long> sizes = calls.sizes();
    TuningAnswer answer =
        new TuningAnswer(title, communicator, calls.calls(sizes), calls.peers(), sizes);
    if (!calls.peers().isEmpty()) {
      caveats().add(CaveatFinder.ofTransfers(communicator.profile()));
      return answer.transfers(format.name(), this::message);
    }
    return buffers.isGiven()
        ? answer.paths(format.name(), buffers.kindsOf(CallPaths.of(communicator)))
        : answer.choices(format.name());
  }

  private TunerCsv tunerCsv(Communicator communicator) {
    List<Collective> collectives = calls.collectives();
    TunerCsv csv =
        calls.hasSizes()
            ? TunerCsv.within(
                TuningAnswer.ranges(communicator, calls.calls(calls.sizes()), calls.sizes()),
                communicator.facts())
            : TunerCsv.of(communicator.tuner()).only(collectives);
    if (calls.hasSizes() || collectives.size() < Collective.values().length) {
      message(
          "the file has no rule for other collectives and sizes: NCCL's plugin runs these on one channel");
    }
    for (int i = forced.size() - 1; i >= 0; i--) {
      csv = csv.withFirst(ForcedRule.parse(forced.get(i), communicator));
    }
    return csv;
  }

  private Answer comparison(Communicator communicator, Path file, NcclLog log) {
    CallPaths paths = CallPaths.of(communicator);
    Buffers kind = buffers.kindsOf(paths).stream().findFirst().orElse(Buffers.PLAIN);
    LogComparison comparison = LogComparison.of(communicator, log, paths, kind);
    if (comparison.facts().isEmpty()) {
      throw unusable(
          file,
          "has no line to compare with, expected a log with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING");
    }
    if (!comparison.differences().isEmpty()) {
      checkFailedIf(true);
    }
    String name = String.valueOf(file.getFileName());
    Envelope envelope =
        envelope(
            version().rules(),
            RunMismatches.of(name, log.origin(), communicator, version().rules()));
    envelope.report(streams()::message);
    return rendered(ComparisonText.of(name, comparison, input().isVerbose()), envelope, "text");
  }
}
