package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.EvaluationOptions.CalibrationOptions.FabricOptions;
import dev.topo.cli.option.OptionValue;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.model.job.Job;
import dev.topo.model.operation.Call;
import dev.topo.simulator.evaluate.ConcurrentParts;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.TimeResolver.FabricResolver;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.simulator.network.Fabric;
import dev.topo.simulator.workload.PlacedGroup;
import dev.topo.simulator.workload.PlacementSearch;
import dev.topo.visualizer.study.PlacementOutput;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code topo place}: finds the order of hosts in which the groups of a job communicate fastest.
 */
@Command(
    name = "place",
    description =
        "The order of hosts with the least predicted communication of a step, and its price beside"
            + " that of other orders.")
final class PlaceCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();

  @Mixin
  private JobQuestion question = new JobQuestion(this, () -> false, evaluation::withoutModelled);

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private PlaceFormat format = PlaceFormat.text;

  @Option(
      names = "--group",
      paramLabel = "NAME=RULE",
      description = "A kind of group that ranks are in, with the rule of --split; may be repeated.")
  private Map<String, String> groups = new LinkedHashMap<>();

  @Option(
      names = "--call",
      paramLabel = "CALL",
      description =
          "Calls of a kind of group in a step: 'NAME OPERATION SIZE [COUNT]' (default: one all_reduce"
              + " of 256 MiB for each kind).")
  private List<String> calls = new ArrayList<>();

  @Option(
      names = "--free",
      paramLabel = "LIST",
      description =
          "Hosts that the job may use, as in n[0-15,20] or @FILE (default: those of --hosts, else all"
              + " of --fabric).")
  private @Nullable String free;

  @Option(
      names = "--max-blocks",
      paramLabel = "N",
      description = "Most leaf switches or blocks that the job may use.")
  private @Nullable Integer mostBlocks;

  @Mixin private BriefOption brief = new BriefOption();

  /** The output formats. */
  enum PlaceFormat implements Format {
    text,
    json,
    hostfile,
    slurm,
    torchrun
  }

  @Override
  public Integer call() {
    return files.write(question, format, this::answer);
  }

  private Answer answer(AskedJob asked) {
    refuseIf(groups.isEmpty(), "expected --group NAME=RULE, as in --group dp='MOD 8'");
    refuseIf(
        !evaluation.fabric().isGiven() || question.job().hasSplit() || question.job().hasNodeList(),
        "expected --fabric FILE and equal machines, and no --split and --node");
    Map<String, Map<Call, Integer>> ofGroups = calls();
    Job job = asked.parts().get(0).job();
    FabricResolver hosts = evaluation.fabric(inputs());
    Fabric given = hosts.fabric(job);
    List<PlacedGroup> placed = new ArrayList<>();
    groups.forEach(
        (name, rule) ->
            placed.add(
                group(
                    asked,
                    name,
                    rule,
                    Objects.requireNonNull(ofGroups.get(name)),
                    given.switches().isByNode())));
    List<String> usable =
        free == null ? given.switches().nodes() : hosts.all(FabricOptions.names(free));
    return asked.answered(
        new PlacementOutput(
                asked.layout().name(),
                new PlacementSearch(given, placed)
                    .of(
                        usable,
                        OptionValue.positive("--max-blocks", mostBlocks).orElse(Integer.MAX_VALUE)),
                given.switches(),
                job.first().nRanks(),
                calls.isEmpty())
            .in(format.name()),
        format);
  }

  /** The calls of each kind of group, with their number in a step. */
  private Map<String, Map<Call, Integer>> calls() {
    Map<String, Map<Call, Integer>> ofGroups = new LinkedHashMap<>();
    groups.keySet().forEach(name -> ofGroups.put(name, new LinkedHashMap<>()));
    if (calls.isEmpty()) {
      ofGroups.values().forEach(usual -> usual.put(Call.of("all_reduce", "256M"), 1));
    }
    for (String text : calls) {
      String[] words = text.strip().split("\\s+");
      Map<Call, Integer> ofGroup = ofGroups.get(words[0]);
      refuseIf(
          ofGroup == null
              || words.length < 3
              || words.length > 4
              || !words[words.length - 1].matches(words.length == 3 ? ".*" : "[1-9]\\d{0,8}"),
          "--call '%s': expected 'NAME OPERATION SIZE [COUNT]' with a name of %s"
              .formatted(text, String.join(", ", groups.keySet())));
      Objects.requireNonNull(ofGroup)
          .merge(
              Call.of(words[1], words[2]),
              words.length == 4 ? Integer.parseInt(words[3]) : 1,
              Integer::sum);
    }
    return ofGroups;
  }

  private PlacedGroup group(
      AskedJob asked, String name, String rule, Map<Call, Integer> ofGroup, boolean isByNode) {
    List<JobPart> parts =
        question.communicating(
            new SplitCommunicators(question, asked).parts(rule), " of --group " + name);
    ConcurrentGroups all = ConcurrentParts.of(parts, evaluator(), asked.profile());
    List<JobResult> results = new ArrayList<>();
    Set<List<List<Integer>>> places = new HashSet<>();
    for (JobPart part : parts) {
      if (places.add(part.places()) || !isByNode) {
        results.add(
            asked.evaluated(
                evaluation,
                part,
                Optional.of(all.of(parts.indexOf(part))),
                Optional.empty(),
                Optional.empty()));
      }
    }
    return new PlacedGroup(
        name, results, parts.stream().flatMap(part -> part.places().stream()).toList(), ofGroup);
  }
}
