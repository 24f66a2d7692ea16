package dev.topo.cli;

import dev.topo.cli.JobOptions.JobPart;
import dev.topo.cli.output.Answer;
import dev.topo.cli.output.Streams;
import dev.topo.cli.output.TuningJson;
import dev.topo.cli.output.TuningText;
import dev.topo.model.collective.Collective;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.tuning.CollectiveCall;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.SwitchPoints;
import dev.topo.search.tuning.csv.TunerCsv;
import dev.topo.search.tuning.csv.TunerRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo tune}: which algorithm and protocol NCCL chooses, by collective and size. */
@Command(
    name = "tune",
    description =
        "Algorithm, protocol, channels and threads that NCCL chooses, by collective and size.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The tuner format is the CSV that NCCL's example tuner plugin reads (NCCL_TUNER_PLUGIN, NCCL_TUNER_CONFIG_FILE).",
      "",
      "Example: topo tune topologies/dgx-h100.xml --nodes 4 --collective all_reduce",
      "Example: topo tune topologies/dgx-a100.xml --sizes 1M,64M --datatype half --format csv"
    })
final class TuneCommand extends MachineCommand {
  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private TuneFormat format = TuneFormat.text;

  @Mixin private JobOptions job = new JobOptions();
  @Mixin private CallOptions calls = new CallOptions();

  private enum TuneFormat implements Format {
    text,
    json,
    csv,
    tuner;

    @Override
    public String extension() {
      return this == text ? ".txt" : this == json ? ".json" : ".csv";
    }

    @Override
    public boolean isText() {
      return this == text;
    }
  }

  TuneCommand(Streams streams, Map<String, String> environment) {
    super(streams, environment);
  }

  @Override
  Format format() {
    return format;
  }

  @Override
  boolean needsNoFile() {
    return job.hasNodeList();
  }

  @Override
  Answer answer(List<Path> question, NcclSettings settings) {
    List<Answer> answers = new ArrayList<>();
    List<JobPart> parts = job.parts(question, input(), settings, streams());
    if (parts.size() > 1 && format != TuneFormat.text) {
      throw new SettingException("--split makes communicators that differ, expected --format text");
    }
    for (JobPart part : parts) {
      Communicator communicator = Communicator.of(part.job(), StatedGraphs::search);
      answers.add(
          switch (format) {
            case text -> TuningText.of(part.title(), communicator, ranges(communicator));
            case json -> TuningJson.json(part.title(), communicator, callList());
            case csv -> TuningJson.csv(communicator, callList());
            case tuner -> Answer.of(tunerCsv(communicator));
          });
    }
    return out -> {
      for (int i = 0; i < answers.size(); i++) {
        out.append(i == 0 ? "" : "\n");
        answers.get(i).writeTo(out);
      }
    };
  }

  private List<CollectiveCall> callList() {
    List<CollectiveCall> list = new ArrayList<>();
    for (Collective collective : calls.collectives()) {
      calls.sizes().forEach(size -> list.add(calls.call(collective, size)));
    }
    return list;
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
    if (!calls.hasSizes()) {
      return TunerCsv.of(communicator.tuner()).write();
    }
    List<TunerRule> rules = new ArrayList<>();
    ranges(communicator)
        .forEach(
            (collective, ranges) ->
                rules.addAll(TunerCsv.rules(collective, ranges, communicator.facts())));
    return new TunerCsv(rules).write();
  }
}
