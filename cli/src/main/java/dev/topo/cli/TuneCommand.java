package dev.topo.cli;

import dev.topo.cli.option.BuffersOption;
import dev.topo.cli.option.CallOptions;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.LogComparison;
import dev.topo.inspect.log.NcclLog;
import dev.topo.inspect.log.NcclLogReader;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.kernel.Buffers;
import dev.topo.search.kernel.CallPath;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.transfer.TransferRow;
import dev.topo.search.transfer.TransferTable;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.SwitchPoints;
import dev.topo.search.tuning.TunerCsv;
import dev.topo.simulator.evaluate.ForcedRule;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.visualizer.hardware.ComparisonText;
import dev.topo.visualizer.times.CallPathText;
import dev.topo.visualizer.times.TransferText;
import dev.topo.visualizer.times.TuningJson;
import dev.topo.visualizer.times.TuningText;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  @Override
  NcclSettings marking(NcclSettings settings) {
    return buffers.isGiven() ? BuffersOption.withoutModelled(settings) : settings;
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    if (!forced.isEmpty() && (format != CallFormat.tuner || !logs.isEmpty())) {
      throw new SettingException(
          "--force makes a rule for NCCL's tuner plugin, expected --format tuner");
    }
    if (buffers.isGiven()
        && (format == CallFormat.tuner || !logs.isEmpty() && buffers.kinds().size() > 1)) {
      throw new SettingException(
          format == CallFormat.tuner
              ? "--buffers has no effect on rules for NCCL's tuner plugin, expected another --format"
              : "--against compares one kind of --buffers");
    }
    checkPeers();
    if (!logs.isEmpty() && format != CallFormat.text) {
      throw new SettingException("--against: expected --format text");
    }
    Optional<NcclLog> said =
        logs.isEmpty() ? Optional.empty() : Optional.of(NcclLogReader.read(logs, inputs()));
    said.ifPresent(one -> version().follow(one.origin()));
    List<Answer> answers = new ArrayList<>();
    for (JobPart part : parts(topologyFiles, settings, format)) {
      Communicator communicator =
          evaluator()
              .evaluate(JobRequest.of(part.job(), version().profile(), List.of()))
              .communicator();
      if (said.isPresent()) {
        answers.add(comparison(communicator, logs.get(0), said.get()));
        continue;
      }
      if (!calls.peers().isEmpty()) {
        answers.add(transfers(part.title(), communicator));
        continue;
      }
      if (buffers.isGiven()) {
        answers.add(paths(part.title(), communicator));
        continue;
      }
      answers.add(
          switch (format) {
            case text -> TuningText.of(part.title(), communicator, ranges(communicator));
            case json -> TuningJson.json(part.title(), communicator, calls.calls(calls.sizes()));
            case csv -> TuningJson.csv(communicator, calls.calls(calls.sizes()));
            case tuner -> Answer.of(tunerCsv(communicator));
          });
    }
    return Answer.join(answers, "\n");
  }

  /** Refuses what has no meaning for operations of sends and receives. */
  private void checkPeers() {
    if (calls.peers().isEmpty()) {
      return;
    }
    if (buffers.isGiven() || !logs.isEmpty() || format == CallFormat.tuner) {
      throw new SettingException(
          "--collective "
              + calls.peers().get(0).ncclTestsName()
              + ": NCCL chooses no algorithm for it, expected no --buffers, no --against and another format than tuner");
    }
    if (format == CallFormat.csv && !calls.collectives().isEmpty()) {
      throw new SettingException(
          "--format csv: collectives and sends and receives have other columns, expected one of both or --format json");
    }
  }

  private Answer transfers(String title, Communicator communicator) {
    caveats().add(CaveatFinder.ofTransfers(communicator.profile()));
    TransferTable table = new TransferTable(communicator.connection());
    List<TransferRow> rows = new ArrayList<>();
    for (PeerOperation peer : calls.peers()) {
      List<String> empty = new ArrayList<>();
      for (long size : calls.sizes()) {
        List<TransferRow> found = table.rows(peer, size);
        rows.addAll(found);
        if (found.isEmpty()) {
          empty.add(QuantityFormat.size(size));
        }
      }
      if (!empty.isEmpty()) {
        message(
            "note: %s of %s sends nothing: nccl-tests sends parts of 16 bytes or more"
                .formatted(peer.ncclTestsName(), String.join(", ", empty)));
      }
    }
    return switch (format) {
      case json ->
          TuningJson.jsonWithTransfers(title, communicator, calls.calls(calls.sizes()), rows);
      case csv -> TuningJson.csvOfTransfers(rows);
      default -> {
        Answer text = TransferText.of(title, communicator.connection(), rows);
        yield calls.collectives().isEmpty()
            ? text
            : Answer.join(
                List.of(TuningText.of(title, communicator, ranges(communicator)), text), "\n");
      }
    };
  }

  private Answer paths(String title, Communicator communicator) {
    CallPaths paths = CallPaths.of(communicator);
    List<CallPath> all = new ArrayList<>();
    List<Answer> texts = new ArrayList<>();
    for (Buffers kind : buffers.kindsOf(paths)) {
      List<CallPath> found =
          calls.calls(calls.sizes()).stream().map(call -> paths.of(call, kind)).toList();
      texts.add(CallPathText.of(title, communicator, found));
      all.addAll(found);
    }
    return switch (format) {
      case text -> Answer.join(texts, "\n");
      case json -> TuningJson.jsonOfPaths(title, communicator, all);
      case csv -> TuningJson.csvOfPaths(communicator, all);
      case tuner -> throw new IllegalStateException(format.name());
    };
  }

  private Answer comparison(Communicator communicator, Path file, NcclLog said) {
    CallPaths paths = CallPaths.of(communicator);
    Buffers kind = buffers.kindsOf(paths).stream().findFirst().orElse(Buffers.PLAIN);
    LogComparison comparison = LogComparison.of(communicator, said, paths, kind);
    if (comparison.facts().isEmpty()) {
      throw unusable(
          file,
          "has no line to compare with, expected a log with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING");
    }
    if (!comparison.differences().isEmpty()) {
      checkFailed();
    }
    String name = String.valueOf(file.getFileName());
    Envelope envelope =
        envelope(
            version().rules(),
            RunMismatches.of(name, said.origin(), communicator, version().rules()));
    envelope.report(streams()::message);
    return rendered(ComparisonText.of(name, comparison, input().isVerbose()), envelope, "text");
  }

  private Map<Collective, List<SizeRange>> ranges(Communicator communicator) {
    List<Long> sizes = calls.sizes();
    SwitchPoints points = new SwitchPoints(communicator.tuner());
    Map<Collective, List<SizeRange>> ranges = new LinkedHashMap<>();
    for (Collective collective : calls.collectives()) {
      ranges.put(
          collective,
          points.ranges(calls.call(collective, 0), sizes.get(0), sizes.get(sizes.size() - 1)));
    }
    return ranges;
  }

  private String tunerCsv(Communicator communicator) {
    List<Collective> collectives = calls.collectives();
    TunerCsv csv =
        calls.hasSizes()
            ? TunerCsv.within(ranges(communicator), communicator.facts())
            : TunerCsv.of(communicator.tuner()).only(collectives);
    if (calls.hasSizes() || collectives.size() < Collective.values().length) {
      message(
          "the file has no rule for other collectives and sizes: NCCL's plugin runs these on one channel");
    }
    for (int i = forced.size() - 1; i >= 0; i--) {
      csv = csv.withFirst(ForcedRule.parse(forced.get(i), communicator));
    }
    return csv.write();
  }
}
