package dev.topo.cli;

import dev.topo.cli.option.call.CallOptions;
import dev.topo.cli.option.job.JobOptions.JobPart;
import dev.topo.inspect.agreement.LogComparison;
import dev.topo.inspect.agreement.RunMismatches;
import dev.topo.inspect.log.NcclLog;
import dev.topo.inspect.log.NcclLogReader;
import dev.topo.model.operation.Collective;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.output.Answer;
import dev.topo.output.CaveatMark;
import dev.topo.output.run.ComparisonText;
import dev.topo.output.timing.TuningJson;
import dev.topo.output.timing.TuningText;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.launch.SizeRange;
import dev.topo.search.tuning.SwitchPoints;
import dev.topo.search.tuning.csv.TunerCsv;
import dev.topo.simulator.choice.ForcedRule;
import dev.topo.simulator.evaluate.JobRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
      "The text shows the channels that a single call runs on, as topo predict does; json, csv and tuner",
      "contain the maximum that NCCL's tuner allows, which small calls of a group may share.",
      "The tuner format is the CSV that NCCL's example tuner plugin reads (NCCL_TUNER_PLUGIN, NCCL_TUNER_CONFIG_FILE).",
      "",
      "Example: topo tune topologies/dgx-h100.xml --nodes 4 --collective all_reduce",
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
          "Compare with a log of real NCCL (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING); exit status 1 if"
              + " something differs; --verbose also lists what agrees.")
  private @Nullable Path log;

  @Option(
      names = "--force",
      paramLabel = "RULE",
      description =
          "A rule to put first in the tuner format, as in all_gather:4M:8M:ring:ll128, optionally followed by :CHANNELS;"
              + " may be repeated.")
  private List<String> forced = new ArrayList<>();

  @Mixin private CallOptions calls = new CallOptions();

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    if (!forced.isEmpty() && (format != CallFormat.tuner || log != null)) {
      throw new SettingException(
          "--force makes a rule for NCCL's tuner plugin, expected --format tuner");
    }
    if (log != null && format != CallFormat.text) {
      throw new SettingException("--against: expected --format text");
    }
    Optional<NcclLog> said = Optional.ofNullable(log).map(NcclLogReader::read);
    said.ifPresent(one -> version().follow(one.origin()));
    List<Answer> answers = new ArrayList<>();
    for (JobPart part : parts(topologyFiles, settings, format)) {
      Communicator communicator =
          evaluator().evaluate(JobRequest.of(part.job(), List.of())).communicator();
      if (log != null && said.isPresent()) {
        answers.add(comparison(communicator, log, said.get()));
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

  private Answer comparison(Communicator communicator, Path file, NcclLog said) {
    LogComparison comparison = LogComparison.of(communicator, said);
    if (comparison.facts().isEmpty()) {
      throw unusable(
          file,
          "has no line to compare with, expected a log with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING");
    }
    if (!comparison.differences().isEmpty()) {
      checkFailed();
    }
    String name = String.valueOf(file.getFileName());
    CaveatMark mark =
        new CaveatMark(
            streams()::message,
            version().rules(),
            RunMismatches.of(name, said.origin(), communicator, version().rules()));
    mark.report();
    return mark.mark("text", ComparisonText.of(name, comparison, input().isVerbose()));
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
